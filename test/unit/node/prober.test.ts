import { strict as assert } from 'node:assert';
import { worded } from '../../../src/core/base/sentence';
import { toolError } from '../../../src/core/vocabulary/errors';
import type { HttpRequest } from '../../../src/core/ports/http';
import { parseRequirements } from '../../../src/core/resolver/requirement';
import { createNodeProber } from '../../../src/node/prober';
import { inGerman } from '../../support/german';
import { temporaryWorkspace } from '../../support/cli';
import { MemorySecrets } from '../../support/toolContext';

describe('probes on this machine', () => {
  it('S4.probes: each type answers good or bad with a reason in the language of the person and without a secret', async () => {
    const { folder, dispose } = temporaryWorkspace({ 'there.txt': 'x' });
    const secrets = new MemorySecrets();
    await secrets.set('page', 'hush-hush');
    const sent: HttpRequest[] = [];
    const prober = createNodeProber({
      secrets,
      environment: { ...process.env, AC_PRESENT: '1', AC_EMPTY: '', AC_TOKEN: 'hush-hush' },
      folder: () => folder,
      isServerUp: (server) => ({ up: true, down: false })[server],
      isChannelLoaded: (channel) => ({ media: true, waiting: false })[channel],
      runEditorCommand: async (command) =>
        command === 'fails' ? Promise.reject(new Error('x')) : command === 'no' ? false : undefined,
      http: {
        async send(request) {
          sent.push(request);
          if (request.url.includes('refused')) throw toolError('network_error', 'the connection was refused');
          return {
            url: request.url,
            status: request.url.includes('401') ? 401 : 200,
            headers: {},
            body: new Uint8Array(),
          };
        },
      },
    });
    const node = process.execPath;
    const cases: [unknown, boolean, RegExp][] = [
      [
        { type: 'http', url: 'https://x.example/', headers: { Authorization: 'Bearer ${secret:page}' } },
        true,
        /^status 200$/,
      ],
      [{ type: 'http', url: 'https://x.example/401' }, false, /^status 401$/],
      [{ type: 'http', url: 'https://x.example/401', expectStatus: [401] }, true, /^status 401$/],
      [
        { type: 'http', url: 'https://x.example/', headers: { A: '${secret:none}' } },
        false,
        /the secret `none` is not stored/,
      ],
      [{ type: 'http', url: 'https://refused.example/' }, false, /refused/],
      [{ type: 'command', command: node, args: ['-e', 'process.exit(0)'] }, true, /^exit code 0$/],
      [{ type: 'command', command: node, args: ['-e', 'process.exit(3)'] }, false, /^exit code 3$/],
      [
        { type: 'command', command: node, args: ['-e', 'process.exit(process.env.AC_TOKEN ? 1 : 0)'] },
        true,
        /^exit code 0$/,
      ],
      [{ type: 'command', command: 'no-such-program-here' }, false, /is not installed/],
      [
        { type: 'command', command: node, args: ['-e', 'setTimeout(() => {}, 1e5)'], timeoutMs: 300 },
        false,
        /no answer within 300 ms/,
      ],
      [{ type: 'file', path: 'there.txt' }, true, /there/],
      [{ type: 'file', path: 'missing.txt' }, false, /not there/],
      [{ type: 'env', name: 'AC_PRESENT' }, true, /is set/],
      [{ type: 'env', name: 'AC_EMPTY' }, false, /not set/],
      [{ type: 'secret', name: 'page' }, true, /stored/],
      [{ type: 'secret', name: 'none' }, false, /no such secret/],
      [{ type: 'mcp', server: 'up' }, true, /up/],
      [{ type: 'mcp', server: 'down' }, false, /down/],
      [{ type: 'mcp', server: 'none' }, false, /no such server/],
      [{ type: 'channel', channel: 'media' }, true, /^the channel is loaded$/],
      [{ type: 'channel', channel: 'waiting' }, false, /^the channel is not loaded$/],
      [{ type: 'channel', channel: 'none' }, false, /no such channel/],
      [{ type: 'vscode', command: 'ok' }, true, /answered/],
      [{ type: 'vscode', command: 'no' }, false, /answered no/],
      [{ type: 'vscode', command: 'fails' }, false, /failed/],
    ];
    for (const [probe, isGood, detail] of cases) {
      const { value, problems } = parseRequirements([{ id: 'a', probe }]);
      assert.deepEqual(problems, []);
      const result = await prober.probe(value[0]!, value[0]!.probe!, new AbortController().signal);
      assert.equal(result.isGood, isGood, JSON.stringify([probe, result]));
      assert.match(worded(result.detail), detail);
      assert.ok(!JSON.stringify(result).includes('hush'));
      // What a tool says of the network stays in its own words.
      if (result.detail.code === 'as_it_is') assert.deepEqual(result.detail.args, ['the connection was refused']);
      else assert.doesNotMatch(worded(result.detail, inGerman), /UNTRANSLATED|^the /);
    }
    assert.equal(sent[0]?.headers?.['Authorization'], 'Bearer hush-hush');
    dispose();
  });
});
