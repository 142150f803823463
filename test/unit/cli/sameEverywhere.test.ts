import { strict as assert } from 'node:assert';
import { runCli, temporaryWorkspace } from '../../support/cli';
import { named, scripted, served } from '../../support/mcp/harness';

const profiles = (capabilities: readonly string[]): string =>
  `profiles=${JSON.stringify({ default: { capabilities } })}`;

describe('the command line and serve', () => {
  it('mean the same tool by a name that a built-in tool which is off has too', async () => {
    const servers = { s: scripted({ tools: named('get_weather') }) };
    const set = { profiles: { default: { capabilities: ['mcp_s'] } } };
    const server = await served({ args: ['--yes'], servers, set });
    const input = { text: 'Oslo' };
    await server.client.listTools();
    const answer = await server.call('get_weather', input);
    const at = ['--workspace', server.folder, '--yes', '--set', `mcp.servers=${JSON.stringify(servers)}`];
    const more = [...at, '--set', profiles(['mcp_s'])];
    const environment = { PATH: process.env['PATH'] };
    const called = (await runCli(['call', 'get_weather', JSON.stringify(input), ...more], environment)).json();
    const why = (await runCli(['why', 'get_weather', JSON.stringify(input), ...more], environment)).json();
    await server.close();
    assert.equal(answer.isError, undefined, JSON.stringify(answer));
    assert.deepEqual([called.toolId, why.toolId], ['mcp:s:get_weather', 'mcp:s:get_weather']);
  });

  it('S2.metadata: list shows what is for agents only where it is asked as one, in text and as JSON', async () => {
    const tool = (name: string, more: object = {}) => ({
      name,
      description: 'Asks.',
      handler: { type: 'http', url: 'https://mine.example/' },
      ...more,
    });
    const definition = { id: 'mine', name: 'Mine', tools: [tool('spoken'), tool('whispered', { agentOnly: true })] };
    const { folder, dispose } = temporaryWorkspace({
      '.vscode/capabilities/mine.capability.json': JSON.stringify(definition),
    });
    const list = (...more: readonly string[]) =>
      runCli(['list', '--workspace', folder, '--yes', '--set', profiles(['mine']), ...more]);
    for (const [as, isShown] of [
      [[], false],
      [['--as', 'agent'], true],
    ] as const)
      for (const form of [[], ['--json']]) {
        const { text } = await list(...as, ...form);
        assert.deepEqual(
          [text.includes('spoken'), text.includes('whispered')],
          [true, isShown],
          [...as, ...form].join(' '),
        );
      }
    dispose();
  });

  it('S0.db-query: why says before what a statement would write and delete, and that a deletion asks', async () => {
    const { folder, dispose } = temporaryWorkspace();
    const connections = { default: { type: 'postgres', url: 'postgres://u@db.example/app' } };
    const why = async (query: string, profile: object) => {
      const set = {
        'database.connections': connections,
        profiles: { default: { capabilities: ['database'], ...profile } },
      };
      const settings = Object.entries(set).flatMap(([key, value]) => ['--set', `${key}=${JSON.stringify(value)}`]);
      const { json } = await runCli(['why', 'db_query', JSON.stringify({ query }), '--workspace', folder, ...settings]);
      const { effect, accesses, steps } = json();
      const rules = steps.flatMap((step: any) => step.reasons.flatMap((reason: any) => reason.rule ?? []));
      return [effect, accesses.map((one: any) => one.effect), rules];
    };
    const writer = { scopes: ['database:read', 'database:write'] };
    const reading = ['database.read', 'network.socket'];
    const deleting = [...reading, 'database.write', 'database.delete'];
    assert.deepEqual(await why('SELECT 1', writer), ['pass', reading, []]);
    assert.deepEqual(await why('-- all\n/* of */ delete from users', writer), [
      'ask',
      deleting,
      ['preset.database-delete'],
    ]);
    assert.deepEqual(await why("INSERT INTO users VALUES ('a')", writer), ['pass', deleting.slice(0, 3), []]);
    // Without the scope nothing is written, whatever the statement says.
    assert.deepEqual((await why('DELETE FROM users', {}))[1], reading);
    assert.equal((await why('DELETE FROM users', { ...writer, mode: 'plan' }))[0], 'deny');
    dispose();
  });

  it('S0.db-query: list and the hints of serve say that a query may write where the profile is granted that', async () => {
    const connections = { default: { type: 'postgres', url: 'postgres://u@db.example/app' } };
    const seen = async (scopes: readonly string[]) => {
      const set = {
        'database.connections': connections,
        profiles: { default: { capabilities: ['database'], scopes } },
      };
      const server = await served({ set });
      const { tools } = await server.client.listTools();
      const settings = Object.entries(set).flatMap(([key, value]) => ['--set', `${key}=${JSON.stringify(value)}`]);
      const list = (...filter: readonly string[]) =>
        runCli(['list', ...filter, '--json', '--workspace', server.folder, ...settings]);
      const listed = (await list('query')).json().capabilities.flatMap((one: any) => one.tools);
      const readers = (await list('effect:database', '-effect:database.delete')).text;
      await server.close();
      const { annotations } = tools.find(({ name }) => name === 'db_query') ?? {};
      const { sideEffects } = listed.find(({ name }: any) => name === 'db_query');
      return [annotations?.readOnlyHint, annotations?.destructiveHint, sideEffects, readers.includes('"db_query"')];
    };
    assert.deepEqual(await seen(['database:read']), [true, false, ['database.read'], true]);
    assert.deepEqual(await seen(['database:read', 'database:write']), [
      false,
      true,
      ['database.read', 'database.write', 'database.delete'],
      false,
    ]);
  });
});
