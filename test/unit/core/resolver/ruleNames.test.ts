import { strict as assert } from 'node:assert';
import { parseBoundaries } from '../../../../src/core/policy/rules/parse';
import { crossChecks, readWorkspaceRows } from '../../../../src/core/resolver/workspace';

describe('the tools that a rule names', () => {
  it('a name in capitals and a tool of another agent are names; a bare name of others only where it restricts', async () => {
    const names = (id: string, name: string) => ({ tool: { id, names: [name], modelName: name } });
    const tools = [
      { ...names('cap:file_system:read_file', 'read_file'), isOurs: true },
      { tool: { id: 'mcp:db:query', names: ['db_query', 'query'], modelName: 'db_query' } },
      names('host:claude:Bash', 'Bash'),
    ];
    const told = async (decision: string, rule: object): Promise<readonly string[]> => {
      const others = parseBoundaries([{ id: 'r', decision, ...rule }], 'user').value;
      const checks = await crossChecks(readWorkspaceRows([]), { registered: [], others, tools });
      return checks.map(({ code, message }) => `${code}: ${message}`);
    };
    for (const tool of ['Read_File', ' READ_* ', 'bash', 'Query', 'host:claude:Nothing'])
      assert.deepEqual(await told('deny', { match: { tool } }), [], tool);
    for (const tool of ['read_file', 'db_query', 'mcp:db:query', 'Bash'])
      assert.deepEqual(await told('allow', { match: { tool } }), [], tool);
    const bare = 'names `query`, which loosens for built-in tools alone; write the id of the tool';
    assert.deepEqual(
      [
        await told('allow', { match: { tool: 'query' } }),
        await told('deny', { match: { path: 'a' }, exceptions: ['query'] }),
        await told('deny', { match: { tool: 'read_files' } }),
        await told('allow', { match: { tool: 'Read_File' } }),
      ],
      [
        [`never_matches: the boundary \`r\` never matches: ${bare}`],
        [`unknown_exception: the boundary \`r\` ${bare}`],
        ['never_matches: the boundary `r` never matches: no tool is called `read_files`'],
        ['never_matches: the boundary `r` never matches: no tool is called `Read_File`'],
      ],
    );
  });
});
