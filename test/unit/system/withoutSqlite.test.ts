import { strict as assert } from 'node:assert';
import { offeredTools } from '../../../src/core/profiles/offeredTools';
import { openSystem } from '../../support/system';

const profile = { capabilities: ['database'], scopes: ['database:read'] };
const user = { profiles: { d: profile }, activeProfile: 'd' };

describe('a Node without SQLite', () => {
  it('S0.db-query: offers no database tool until a PostgreSQL connection is set up', async () => {
    const system = await openSystem({ user, platform: { withoutSqlite: '20.1.0' } });
    const offered = (): readonly string[] =>
      offeredTools(system.core.tools.profiles.active()).map((tool) => tool.definition.name);
    assert.deepEqual(offered(), []);
    const result = await system.call('db_query', { query: 'SELECT 1' });
    assert.ok(!result.success);
    assert.deepEqual(
      [result.error.code, /SQLite needs Node 22\.5 or newer \(this is 20\.1\.0\)/.test(result.error.message)],
      ['not_available', true],
    );
    const connection = { type: 'postgres', url: 'postgres://app@db.example/app' };
    system.write({ user: { ...user, 'database.connections': { main: connection } } });
    assert.deepEqual(offered(), ['db_query', 'list_tables']);
    system.dispose();
  });

  it('S0.db-query: a Node with SQLite offers them', async () => {
    const system = await openSystem({ user });
    assert.equal(offeredTools(system.core.tools.profiles.active()).length, 2);
    system.dispose();
  });
});
