// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rootsOf } from '../../../../src/mcp/client/openConnection';
import { gateway, named, outcome, scripted, scriptedUser, until } from '../../../support/mcp/harness';

describe('what MCP servers ask for while a call runs', () => {
  it('hands progress on, cancels, and asks the person what the server asks', async () => {
    const heard: string[] = [];
    const { user } = scriptedUser({
      elicit: async (request) => {
        heard.push(`${request.type} ${request.server} ${request.message}`);
        return { action: 'accept', content: { name: 'Ada' } };
      },
      sample: async (request) => ({ model: 'm', text: `${request.messages[0]?.text} back` }),
    });
    const g = await gateway({
      servers: { s: scripted({ tools: named('ask', 'sample', 'progress', 'hang', 'echo'), greet: true }) },
      serverUser: user,
    });
    try {
      await g.core.servers.list.discover();
      assert.equal(outcome(await g.call('s_ask')), '{"action":"accept","content":{"name":"Ada"}}');
      assert.deepEqual(heard, ['form s your name?']);
      assert.match(outcome(await g.call('s_sample')), /hi back/);
      const steps: string[] = [];
      assert.equal(outcome(await g.call('s_progress', {}, { onProgress: (one) => steps.push(one.message) })), 'done');
      assert.deepEqual(steps, ['step 1', 'step 2', 'step 3']);
      const stop = new AbortController();
      const hanging = g.call('s_hang', {}, { signal: stop.signal });
      setTimeout(() => stop.abort(), 50);
      assert.equal(outcome(await hanging), 'cancelled');
      assert.equal(outcome(await g.call('s_echo', { text: 'on' })), 'on');
      assert.match(g.core.servers.list.log('s').join('\n'), /hello, this is no JSON/);
    } finally {
      await g.close();
    }
  });

  it("stops a call's clock while a person thinks about a form, and lets it run on after the answer", async () => {
    const timeoutMs = 1500;
    const { user } = scriptedUser({
      elicit: async () => {
        // Longer than the whole call may take.
        await new Promise((resolve) => setTimeout(resolve, timeoutMs + 500));
        return { action: 'accept', content: { name: 'Ada' } };
      },
    });
    const g = await gateway({
      servers: { s: scripted({ tools: named('ask', 'askThenHang') }, { timeoutMs }) },
      serverUser: user,
    });
    try {
      await g.core.servers.list.discover();
      assert.equal(outcome(await g.call('s_ask')), '{"action":"accept","content":{"name":"Ada"}}');
      assert.equal(outcome(await g.call('s_askThenHang')), 'timeout');
    } finally {
      await g.close();
    }
  });

  it('tells the folders of the workspace to programs that ask, unless the entry says no, and that they changed', async () => {
    const notes = await gateway();
    const calls = path.join(notes.folder, 'calls');
    const tools = named('roots');
    const g = await gateway({
      servers: { told: scripted({ tools, calls }), kept: scripted({ tools }, { roots: false }) },
      serverUser: scriptedUser().user,
    });
    try {
      await g.core.servers.list.discover();
      const uri = pathToFileURL(g.folder).href;
      assert.deepEqual(JSON.parse(outcome(await g.call('told_roots'))), {
        roots: [{ name: path.basename(g.folder), uri }],
      });
      assert.match(outcome(await g.call('kept_roots')), /"code":-32601/);
      assert.match(g.core.servers.list.log('told').join('\n'), new RegExp(`was told the folders: ${uri}`));
      g.core.servers.list.foldersChanged();
      await until(() => readFileSync(calls, 'utf8').includes('roots changed'));
    } finally {
      await g.close();
      await notes.close();
    }
    const folders = [
      { name: 'here', path: '/here', scheme: 'file' },
      { name: 'there', path: '/there', scheme: 'vscode-vfs' },
    ];
    const roots = (trusted: boolean) => rootsOf({ files: { folders: () => folders } as never, trusted: () => trusted });
    assert.deepEqual(
      [roots(true), roots(false)],
      [[{ name: 'here', uri: 'file:///here' }], []],
      'of this machine, where it is trusted',
    );
  });
});
