// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { get as httpGet } from 'node:http';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { main } from '../../../../src/cli/main';
import { temporaryWorkspace } from '../../../support/cli';
import { until } from '../../../support/mcp/harness';
import { text } from '../../../support/mcp/clientAnswers';

describe('serve over HTTP', () => {
  it('serves the same on loopback HTTP with --http, behind its tokens, hosts and origins', async () => {
    const secret = (letter: string): string => letter.repeat(64);
    const { folder, dispose } = temporaryWorkspace({ token: secret('a'), api: secret('b'), 'a.txt': 'hello' });
    const stop = new AbortController();
    const errors: string[] = [];
    const argv = [
      'serve',
      '--workspace',
      folder,
      '--http',
      '0',
      '--token-file',
      path.join(folder, 'token'),
      '--api-token-file',
    ];
    const ended = main([...argv, path.join(folder, 'api')], {
      out() {},
      error: (line) => errors.push(line),
      environment: { PATH: process.env['PATH'] },
      signal: stop.signal,
    });
    try {
      await until(() => errors.some((line) => /listening on/.test(line)));
      const url = new URL(/listening on (\S+)/.exec(errors.join('\n'))?.[1] ?? '');
      const client = new Client({ name: 'http', version: '1' });
      const headers = { Authorization: `Bearer ${secret('a')}` };
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
      const read: any = await client.callTool({ name: 'read_file', arguments: { path: '/a.txt' } });
      assert.match(text(read), /hello/);
      await client.close();
      const status = (target: string, more: Record<string, string>): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          httpGet(new URL(target, url), { headers: more }, (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          }).on('error', reject);
        });
      const api = { authorization: `Bearer ${secret('b')}` };
      assert.deepEqual(
        await Promise.all([
          status('/v1/capabilities', api),
          status('/v1/capabilities', { authorization: headers.Authorization }),
          status('/v1/capabilities', { ...api, host: `evil.example:${url.port}` }),
          status('/v1/capabilities', { ...api, origin: 'http://evil.example' }),
          status('/mcp', {}),
          status('/mcp', api),
          status('/mcp', { ...headers, host: `evil.example:${url.port}` }),
        ]),
        [200, 401, 403, 403, 401, 401, 403],
      );
      const agent = { name: 'Wide', capabilities: ['http'] };
      const refused = await fetch(new URL('/v1/agents', url), {
        method: 'POST',
        headers: { ...api, 'content-type': 'application/json' },
        body: JSON.stringify(agent),
      });
      assert.equal(refused.status, 403);
      assert.match(JSON.stringify(await refused.json()), /start `serve` with `--yes`/);
      assert.ok(!errors.join().includes(secret('a')), 'a token is never printed');
    } finally {
      stop.abort();
      assert.equal(await ended, 0);
      dispose();
    }
  });
});
