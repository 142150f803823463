// @tier full: starts servers by the dozen
import { strict as assert } from 'node:assert';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gateway, outcome, scriptedUser } from '../../support/mcp/harness';
import { entry, referenceCalls, referenceServers } from '../../support/mcp/referenceCalls';

describe('the reference servers behind the gate', () => {
  it('S1.unified: every tool of every server is listed once and can be called, with policy applied', async function () {
    this.timeout(60_000);
    const g = await gateway({
      serverUser: scriptedUser({
        elicit: async () => ({ action: 'decline' }),
        sample: async () => ({ model: 'm', text: 'ok' }),
      }).user,
      files: { 'a.txt': 'hello', '.env': 'SECRET=1', 'p.png': '\x89PNG' },
      set: {
        limits: { perTool: { requests: 1000, windowMs: 1000 } },
        'mcp.servers': referenceServers,
      },
    });
    try {
      await g.core.servers.list.discover();
      assert.deepEqual(
        g.core.servers.list.list().map((one) => [one.name, one.state]),
        ['fs', 'memory', 'thinking', 'everything'].map((name) => [name, 'running']),
      );
      const listed = g.core.tools.registry
        .tools()
        .filter(({ source }) => source.type === 'mcp')
        .map((tool) => tool.modelName);
      assert.equal(new Set(listed).size, listed.length);
      const known = new Set([
        ...referenceCalls.map(([tool]) => tool),
        ...listed.filter((name) =>
          /_(list_resources|read_resource|list_prompts|get_prompt|complete_argument)$/.test(name),
        ),
      ]);
      assert.deepEqual(
        listed.filter((name) => !known.has(name)),
        [],
        'every listed tool is called below',
      );
      const failed: string[] = [];
      for (const [tool, input, expected] of referenceCalls) {
        if (!listed.includes(tool)) {
          failed.push(`${tool} is not listed`);
          continue;
        }
        const filled = JSON.parse(JSON.stringify(input).replaceAll('ROOT', g.folder)) as Record<string, unknown>;
        const result = await g.call(tool, filled);
        const text = result.success ? JSON.stringify(result.payload) : `${result.error.code}: ${result.error.message}`;
        const pattern = new RegExp(expected.source.replaceAll('ROOT', path.basename(g.folder)), expected.flags);
        const mayFail = expected.source === '.*';
        if (!pattern.test(text) || (!result.success && (!mayFail || result.error.code !== 'mcp_error')))
          failed.push(`${tool}: ${text.slice(0, 200)}`);
      }
      assert.deepEqual(failed, []);
      // A protected path is denied through the foreign server too, however it is written.
      writeFileSync(path.join(g.folder, 'notes.txt'), '');
      symlinkSync('.env', path.join(g.folder, 'innocent.txt'));
      symlinkSync('/etc/passwd', path.join(g.folder, 'outside.txt'));
      mkdirSync(path.join(g.folder, 'deep/down'), { recursive: true });
      const denied = [
        ['fs_read_text_file', { path: `${g.folder}/.env` }],
        ['fs_read_text_file', { path: '.env' }],
        ['fs_read_text_file', { path: './deep/../.env' }],
        ['fs_read_text_file', { path: `${g.folder}/deep/down/../../.env` }],
        ['fs_read_text_file', { path: `file://${g.folder}/%2Eenv` }],
        ['fs_read_text_file', { path: 'innocent.txt' }],
        ['fs_read_text_file', { path: '/home/somebody/.ssh/id_rsa' }],
        ['fs_read_multiple_files', { paths: ['a.txt', '.env'] }],
        ['fs_write_file', { path: '.env', content: 'x' }],
        ['fs_edit_file', { path: '.env', edits: [] }],
        ['fs_move_file', { source: '.env', destination: 'b.txt' }],
        ['fs_move_file', { source: 'a.txt', destination: '.env' }],
      ] as const;
      for (const [tool, input] of denied)
        assert.equal(outcome(await g.call(tool, input)), 'denied_by_policy', JSON.stringify(input));
      assert.equal(outcome(await g.call('fs_read_text_file', { path: 'outside.txt' })), 'path_outside');
      assert.equal(outcome(await g.call('fs_read_text_file', { path: 'a.txt' })), '{"content":"hello"}');
    } finally {
      await g.close();
    }
  });

  it('asks where policy asks, and obeys the mapping and the overrides of the entry', async () => {
    const servers = (more: object) => ({ fs: { ...entry('server-filesystem', '${workspaceFolder}'), ...more } });
    const asking = await gateway({
      yes: false,
      serverUser: scriptedUser().user,
      files: { 'a.txt': 'hello' },
      servers: servers({}),
    });
    await asking.core.servers.list.discover();
    assert.equal(outcome(await asking.call('fs_read_text_file', { path: 'a.txt' })), 'approval_unavailable');
    await asking.close();
    const hints = scriptedUser({ approveTools: async () => 'approve-with-hints' });
    const trusting = await gateway({
      yes: false,
      serverUser: hints.user,
      files: { 'a.txt': 'hello' },
      servers: servers({}),
      set: { profiles: { default: { mode: 'plan', capabilities: ['mcp_fs'] } } },
    });
    await trusting.core.servers.list.discover();
    assert.ok(hints.asked[0]?.readOnly.includes('read_text_file'));
    assert.match(
      outcome(await trusting.call('fs_read_text_file', { path: 'a.txt' })),
      /hello/,
      'plan mode lets a confirmed reader through',
    );
    assert.equal(outcome(await trusting.call('fs_write_file', { path: 'b.txt', content: '' })), 'plan_mode');
    await trusting.close();
    const mapped = await gateway({
      serverUser: scriptedUser().user,
      files: { 'a.txt': 'hello' },
      servers: servers({
        accessMapping: { 'read_*': { path: 'fs.delete' } },
        tools: { list_directory: { permission: 'forbidden' }, move_file: { enabled: false } },
      }),
      set: {
        'policy.boundaries': [
          { id: 'no-delete', match: { accessAny: ['fs.delete'], path: 'a.txt' }, decision: 'deny', reason: 'kept' },
        ],
      },
    });
    await mapped.core.servers.list.discover();
    assert.equal(outcome(await mapped.call('fs_read_text_file', { path: 'a.txt' })), 'denied_by_policy');
    assert.equal(outcome(await mapped.call('fs_list_directory', { path: '.' })), 'permission_denied');
    assert.equal(outcome(await mapped.call('fs_move_file', { source: 'a', destination: 'b' })), 'tool_not_found');
    await mapped.close();
  });
});
