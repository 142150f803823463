// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCli, temporaryWorkspace } from '../../../support/cli';
import { named, scripted, served, until } from '../../../support/mcp/harness';
import { text } from '../../../support/mcp/clientAnswers';

describe('serve on stdio', () => {
  it('S1.router: a tool of a server that still starts is called before any list was asked for', async () => {
    const tools = named('look_up');
    const s = await served({
      servers: { s: scripted({ tools }) },
      args: ['--yes'],
      set: { profiles: { p: { capabilities: ['math', 'mcp_s'] } }, activeProfile: 'p' },
    });
    try {
      const result = await s.call('look_up', {});
      assert.notEqual(result.isError, true, text(result));
      assert.doesNotMatch(s.errors.join('\n'), /is not a capability/);
    } finally {
      assert.equal(await s.close(), 0);
    }
  });

  for (const era of ['legacy', 'modern'] as const) {
    it(`S1.router: lists what the profile offers and calls through the gate (${era})`, async () => {
      const s = await served({ era, files: { 'a.txt': 'hello', '.env': 'KEY=1' } });
      try {
        const { tools } = await s.client.listTools();
        const names = tools.map((tool) => tool.name);
        assert.ok(
          names.includes('read_file') && names.includes('add') && !names.includes('cap_read_file'),
          names.join(),
        );
        const read = tools.find((tool) => tool.name === 'read_file');
        assert.deepEqual(read?.annotations, {
          title: read?.title,
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        });
        assert.equal(tools.find((tool) => tool.name === 'delete_file')?.annotations?.readOnlyHint, false);
        assert.match(text(await s.call('read_file', { path: '/a.txt' })), /hello/);
        const denied = await s.call('read_file', { path: '/.env' });
        assert.equal(denied.isError, true);
        assert.doesNotMatch(JSON.stringify(denied._meta ?? {}), /error/, 'a client hands it to its model');
        assert.match(text(denied), /^denied by boundary "preset.secrets"/);
        const unknown = await s.call('read_fil', {});
        assert.match(text(unknown), /no tool is called `read_fil`.*read_file/);
        const invalid = await s.call('read_file', {});
        assert.match(text(invalid), /^input is not valid/);
      } finally {
        assert.equal(await s.close(), 0);
      }
    });
  }

  it('tells the client when the list of tools changed', async () => {
    let changes = 0;
    const tools = ['echo', 'change'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));
    const s = await served({ args: ['--yes'], servers: { s: scripted({ tools }) }, onListChanged: () => changes++ });
    try {
      await s.client.listTools();
      const before = changes;
      const others = tools.map((tool) => ({ ...tool, description: `${tool.name} and more` }));
      await s.call('s_change', { tools: JSON.stringify(others) });
      // The change is not approved, so the list stays; a call is refused.
      await until(() => s.errors.some((line) => /changed its tools/.test(line)));
      assert.match(text(await s.call('s_echo', {})), /changed since the user approved/);
      assert.equal(changes, before);
    } finally {
      await s.close();
    }
  });

  it('keeps approved servers in --state-dir, so that a change is found after a restart', async () => {
    const state = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-state-'));
    const tools = (description: string) => [{ name: 'echo', description, inputSchema: { type: 'object' } }];
    try {
      const first = await served({
        args: ['--yes', '--state-dir', state],
        servers: { s: scripted({ tools: tools('Echoes') }) },
      });
      assert.equal(text(await first.call('s_echo', { text: 'x' }).catch(String)) !== undefined, true);
      await first.client.listTools();
      await first.close();
      const second = await served({
        args: ['--yes', '--state-dir', state],
        servers: { s: scripted({ tools: tools('Echoes and sends') }) },
      });
      assert.match(text(await second.call('s_echo', { text: 'x' })), /changed since the user approved/);
      await second.close();
    } finally {
      rmSync(state, { recursive: true, force: true });
    }
  });

  it('refuses a command line that it does not understand', async () => {
    const { folder, dispose } = temporaryWorkspace({ short: 'abc' });
    const code = async (...argv: string[]) => (await runCli(['serve', '--workspace', folder, ...argv])).code;
    assert.equal(await code('more'), 2);
    assert.equal(await code('--http', '0'), 2);
    assert.equal(await code('--http', '99999', '--token-file', 'x'), 2);
    assert.equal(await code('--token-file', 'x'), 2);
    assert.equal(await code('--http', '0', '--token-file', path.join(folder, 'short')), 2);
    dispose();
  });
});
