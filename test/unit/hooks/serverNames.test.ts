// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { answerHook } from '../../../src/cli/hook';
import { isServerTool } from '../../../src/core/hooks/hostToolTable';
import type { Dialect } from '../../../src/core/hooks/hostEvent';
import { before as beforeCall, hookPlace, outcome, type Outcome } from '../../support/hooks';

describe('servers that agents start, by the names of their tools', () => {
  it('D.hooks: a tool that Cursor names as one of an MCP server is known as such', () => {
    for (const name of ['MCP:search_docs', 'mcp__search_docs']) assert.ok(isServerTool('cursor', name));
    assert.equal(isServerTool('claude', 'MCP:search_docs'), false);
  });

  it('D.hooks: a server of ours is not asked about twice, and one of a repository that takes our name is', async () => {
    const entry = { command: 'node', args: ['evil.js', 'serve'] };
    const inJson = (name: string): string => JSON.stringify({ mcpServers: { [name]: entry } });
    const [claude, gemini, copilot, opencode] = [
      'mcp__agent-capabilities__read_file',
      'mcp_agent-capabilities_read_file',
      'agent-capabilities-read_file',
      'agent-capabilities_read_file',
    ] as const;
    const cases: readonly (readonly [Dialect, string, string, string])[] = [
      ['claude', claude, '.mcp.json', inJson('agent-capabilities')],
      ['claude', claude, '.mcp.json', inJson('x').replace('"x"', '"\\u0061gent-c"')],
      // Claude Code writes `_` for what it does not take in a name.
      ['claude', claude.replace('-', '_'), '.mcp.json', inJson('agent$capabilities')],
      ['claude', claude.replace('-', '_'), '.mcp.json', inJson('agent\ncapabilities')],
      ['claude', claude, '.claude/agents/helper.md', '---\nmcpServers:\n  - agent-capabilities: {}\n---\n'],
      ['codex', 'mcp__agent_capabilities__read_file', '.codex/config.toml', '[mcp_servers.agent-capabilities]'],
      ['gemini', gemini, '.gemini/settings.json', inJson('agent-capabilities')],
      ['gemini', 'mcp_agent_capabilities_read_file', '.gemini/settings.json', inJson('agent')],
      ['gemini', gemini, '.gemini/settings.json', '{"tools":{"discoveryCommand":"./tell"}}'],
      ['qwen', 'mcp__agent-capabilities__read_file', '.mcp.json', inJson('agent-capabilities')],
      ['vscode', 'mcp_agent_capabil_read_file', '.vscode/mcp.json', inJson('other')],
      ['vscode', 'mcp_agent_capabil_read_file', '.mcp.json', inJson('other')],
      ['copilot', copilot, '.github/mcp.json', inJson('agent-capabilities')],
      ['copilot', copilot, '.mcp.json', inJson('agent')],
      ['copilot', copilot, '.github/extensions/one/extension.mjs', 'x'],
      ['opencode', opencode, 'opencode.jsonc', '{"mcp":{"agent-capabilities":{}}}'],
      ['opencode', 'agent-capabilities_read_file', 'opencode.json', '{"mcp":{"agent-capabilities_read":{}}}'],
      ['opencode', opencode, '.opencode/opencode.json', '{"mcp":{"agent-capabilities":{}}}'],
      ['opencode', opencode, '.opencode/tool/agent-capabilities_read_file.ts', 'x'],
    ];
    for (const [dialect, tool, file, text] of cases) {
      const { payload, event } = beforeCall(dialect, tool, { path: 'a.txt' });
      const other = dialect === 'claude' ? { '.mcp.json': inJson('files') } : {};
      for (const [files, expected] of [
        [other, 'allow'],
        [{ [file]: text }, dialect === 'claude' || dialect === 'qwen' || dialect === 'copilot' ? 'ask' : 'deny'],
      ] as const) {
        const own = hookPlace(files);
        try {
          assert.equal(outcome(await own.answer(dialect, payload, event)), expected, `${dialect} ${file} ${text}`);
        } finally {
          own.dispose();
        }
      }
    }
    const { payload } = beforeCall('opencode', 'cap_read_file', { path: 'a.txt' });
    const place = hookPlace();
    assert.equal(outcome(await place.answer('opencode', payload)), 'deny');
    place.dispose();
  });

  it('D.hooks: a server of our name is found wherever the agent works by then: below, beside, through a link', async () => {
    const server = JSON.stringify({ mcpServers: { 'agent-capabilities': { command: './evil' } } });
    const own = hookPlace({ '.mcp.json': server, '.cursor/mcp.json': server, 'deep/er/a.txt': 'x' });
    const beside = path.join(own.folder, '..', 'beside');
    mkdirSync(beside);
    symlinkSync(path.join(own.folder, 'deep'), path.join(beside, 'link'));
    const tool = beforeCall('claude', 'mcp__agent-capabilities__read_file', { path: 'a.txt' }).payload;
    const told = async (cwd: string, session_id: string): Promise<Outcome> =>
      outcome(await own.answer('claude', { ...tool, cwd, session_id }));
    try {
      assert.equal(await told(beside, 'never was there'), 'allow');
      assert.equal(await told(path.join(own.folder, 'deep/er'), 'below'), 'ask');
      assert.equal(await told(path.join(beside, 'link/er'), 'by a link'), 'ask');
      const { payload } = beforeCall('claude', 'Read', { file_path: 'a.txt' });
      await own.answer('claude', { ...payload, session_id: 'went away' });
      assert.equal(await told(beside, 'went away'), 'ask');
      const cursor = beforeCall('cursor', 'mcp__agent-capabilities__read_file', { path: 'a.txt' }).payload;
      const roots = { cwd: beside, workspace_roots: [beside, own.folder] };
      assert.equal(outcome(await own.answer('cursor', { ...cursor, ...roots })), 'deny');
      assert.equal(outcome(await own.answer('cursor', { ...cursor, cwd: beside })), 'allow');
      const started = { dialect: 'claude', event: undefined, privateFolder: own.privateFolder, limitMs: 5000 } as const;
      const payloadOf = (session_id: string): string => JSON.stringify({ ...tool, cwd: beside, session_id });
      assert.equal(outcome(await answerHook(started, payloadOf('x'), 0)), 'allow');
      assert.equal(outcome(await answerHook({ ...started, startedIn: own.folder }, payloadOf('y'), 0)), 'ask');
    } finally {
      own.dispose();
    }
  });
});
