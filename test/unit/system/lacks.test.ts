import { strict as assert } from 'node:assert';
import type { CapabilityAnswer } from '../../../src/core/ports/governance';
import { MemorySecrets } from '../../support/toolContext';
import { openSystem, type SystemOptions } from '../../support/system';

const mailServer = { 'email.host': 'mail.example', 'email.from': 'me@mail.example' };
const mail = { send: async () => Promise.reject(new Error('no mail in a test')) };
const databases = { query: async () => Promise.reject(new Error('no')), tables: async () => [] };
const extras = { mail, databases };

/** What `resolve` says of a capability with these settings. */
async function resolved(
  id: string,
  user: Record<string, unknown> = {},
  more: Omit<SystemOptions, 'user'> & { secrets?: Record<string, string> } = {},
): Promise<CapabilityAnswer> {
  const secrets = new MemorySecrets();
  for (const [name, value] of Object.entries(more.secrets ?? {})) secrets.values.set(name, value);
  const profiles = { p: { capabilities: ['email', 'database', 'research', 'notify'] } };
  const system = await openSystem({
    ...more,
    user: { profiles, activeProfile: 'p', ...user },
    platform: { secrets, extras, ...more.platform },
  });
  const answer = await system.core.gate.resolver.governance.resolve(id);
  system.dispose();
  assert.ok(!('unknown' in answer));
  return answer;
}

const short = ({ verdict, requiredActions, tools }: CapabilityAnswer) => [
  verdict,
  requiredActions,
  tools.map(({ effect }) => effect),
];

describe('what a capability lacks', () => {
  it('S4.resolver: mail cannot be sent before server, sender and password are set, and each is named', async () => {
    const host = 'set-up:setting:agentCapabilities.email.host';
    const from = 'set-up:setting:agentCapabilities.email.from';
    const nothing = await resolved('email');
    assert.deepEqual(short(nothing), ['no', [host, from], ['deny']]);
    assert.match(nothing.blocking[0] ?? '', /^setting:agentCapabilities\.email\.host: no mail server is set/);
    assert.match(nothing.tools[0]?.why ?? '', /no mail server is set; ask the user to set/);
    assert.deepEqual(short(await resolved('email', { 'email.host': 'mail.example' })), ['no', [from], ['deny']]);
    assert.deepEqual(short(await resolved('email', mailServer)), ['yes', [], ['ask']]);
    const withUser = { ...mailServer, 'email.user': 'me' };
    assert.deepEqual(short(await resolved('email', withUser)), ['no', ['set-up:secret:smtp_password'], ['deny']]);
    assert.deepEqual(short(await resolved('email', withUser, { secrets: { smtp_password: 'x' } }))[0], 'yes');
  });

  it('S4.resolver: a search without an endpoint is told, and the scratchpad beside it works', async () => {
    const without = await resolved('research');
    assert.equal(without.verdict, 'yes');
    assert.match(without.warnings.join(), /^web_search: setting:agentCapabilities\.research\.searchEndpoint: /);
    const effects = Object.fromEntries(without.tools.map(({ name, effect }) => [name, effect]));
    assert.deepEqual([effects['web_search'], effects['write_note']], ['deny', 'pass']);
    const set = await resolved('research', { 'research.searchEndpoint': 'https://search.example/?q={query}' });
    assert.deepEqual(set.warnings, []);
    const wrong = await resolved('research', { 'research.searchEndpoint': 'search.example' });
    assert.match(wrong.warnings.join(), /must start with http/);
  });

  it('S4.resolver: a database that is not there and may not be made is told by its file', async () => {
    assert.deepEqual(short(await resolved('database')), ['no', ['set-up:file:.vscode/agent.sqlite'], ['deny', 'deny']]);
    const files = { '.vscode/agent.sqlite': '' };
    assert.equal((await resolved('database', {}, { files })).verdict, 'yes');
    const writes = { p: { capabilities: ['database'], scopes: ['database:read', 'database:write'] } };
    assert.equal((await resolved('database', { profiles: writes })).verdict, 'yes');
    const setting = ['set-up:setting:agentCapabilities.database.connections'];
    const postgres = { type: 'postgres', url: 'postgres://db.example/app', passwordSecret: 'db' };
    const of = async (connections: object) =>
      (await resolved('database', { 'database.connections': connections })).requiredActions;
    assert.deepEqual(await of({ main: { type: 'sqlite' } }), setting);
    assert.deepEqual(await of({ main: postgres }), ['set-up:secret:db']);
    assert.deepEqual(await of({ main: postgres, other: { ...postgres, passwordSecret: undefined } }), []);
    const old = await resolved('database', {}, { platform: { withoutSqlite: '20.1.0' }, files });
    assert.deepEqual([old.verdict, old.requiredActions], ['no', ['set-up:capability:database']]);
  });

  it('S4.resolver: what only the editor has is not promised elsewhere', async () => {
    const answer = await resolved('notify');
    assert.deepEqual([answer.verdict, answer.requiredActions], ['no', ['set-up:surface:editor']]);
  });
});
