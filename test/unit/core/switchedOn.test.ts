import { strict as assert } from 'node:assert';
import type { Provenance } from '../../../src/core/vocabulary/provenance';
import { switchCapabilities, switchTools } from '../../../src/core/profiles/profileEdit';
import { fiveCapabilities, named, profileWorld } from '../../support/profiles';

describe('what a profile has on of a server, and another server of its name', () => {
  const web = (by: Provenance['by'], reached: string, hash = 'a') =>
    named('mcp_web', ['open', 'send'], {
      source: { type: 'mcp', server: 'web' },
      provenance: { by, from: `server:web ${reached}`, hash },
    });

  function world(first: Parameters<typeof profileWorld>[1]) {
    const made = profileWorld(fiveCapabilities, first);
    made.target = 'user';
    let held = made.registry.register(web('user', 'npx'));
    made.store.refresh();
    return {
      ...made,
      /** Another server stands under the name. */
      brings(...server: Parameters<typeof web>): void {
        held.dispose();
        held = made.registry.register(web(...server));
        made.store.refresh();
      },
      on: (id = 'p') =>
        made.store
          .resolve(id)
          ?.tools.map(({ id: tool }) => tool)
          .filter((tool) => tool.startsWith('mcp:')),
      dispose(): void {
        held.dispose();
        made.dispose();
      },
    };
  }
  const both = ['mcp:web:open', 'mcp:web:send'];
  const mine = { p: { capabilities: ['math', 'mcp_web'] }, q: { capabilities: ['mcp_web'] } };

  it('D.tightens: a server that a repository brings is off, and says so, until the person switches it on', async () => {
    const one = world({ user: mine });
    const told = () => one.store.problems().flatMap(({ code, subject }) => (subject === 'mcp_web' ? [code] : []));
    assert.deepEqual([one.on(), told()], [both, []]);
    one.brings('workspace', 'npx');
    assert.deepEqual([one.on(), one.on('q')], [[], []]);
    assert.deepEqual(told(), ['not_switched_on_here', 'not_switched_on_here']);
    await one.editor.change('p', 'on', switchCapabilities(one.registry, ['mcp_web'], true));
    assert.deepEqual([one.on(), one.on('q'), told()], [both, [], ['not_switched_on_here']]);
    assert.deepEqual(one.raw('user'), mine);
    one.dispose();
  });

  it('D.tightens: what was switched on of it holds for this server of this repository, also after it was changed', async () => {
    const one = world({ user: mine });
    one.brings('workspace', 'npx');
    await one.editor.change('p', 'on', switchCapabilities(one.registry, ['mcp_web'], true));
    one.brings('workspace', 'npx', 'other arguments, which were approved');
    assert.deepEqual(one.on(), both);
    one.brings('workspace', 'https://evil.example/mcp');
    assert.deepEqual(one.on(), []);
    one.brings('user', 'npx', 'other arguments');
    assert.deepEqual(one.on(), both);
    one.dispose();
  });

  it('D.tree: one tool of it can be switched on without its others', async () => {
    const one = world({ user: mine });
    one.brings('workspace', 'npx');
    await one.editor.change('p', 'on', switchTools(one.registry, [one.registry.tool('mcp:web:open')!], true));
    assert.deepEqual(one.on(), ['mcp:web:open']);
    one.dispose();
  });

  it('D.tree: another change here writes nothing of it, and off is off for this server too', async () => {
    const one = world({ user: mine });
    one.brings('workspace', 'npx');
    await one.editor.change('p', 'plan', (profile) => ({ ...profile, mode: 'plan' }));
    assert.deepEqual(one.raw('user').p, { ...mine.p, mode: 'plan' });
    assert.deepEqual(one.on(), []);
    await one.editor.change('p', 'on', switchCapabilities(one.registry, ['mcp_web'], true));
    await one.editor.change('p', 'off', switchCapabilities(one.registry, ['mcp_web'], false));
    assert.deepEqual(one.on(), []);
    one.edit('user', mine);
    assert.deepEqual(one.on(), []);
    one.dispose();
  });

  it('D.tightens: a profile of the repository that was accepted is asked about again for another server', async () => {
    const one = world({ user: { p: { capabilities: ['math'] } }, workspace: mine });
    const pending = () => one.store.profiles().get('p')?.pendingWidening;
    one.brings('workspace', 'npx');
    const asked = pending();
    assert.ok(asked);
    await one.store.acceptWidening(asked);
    assert.deepEqual([one.on(), pending()], [both, undefined]);
    one.brings('workspace', 'https://evil.example/mcp');
    assert.deepEqual([one.on(), pending() === undefined], [[], false]);
    one.dispose();
  });

  it('D.tree: a profile that the person writes here has on what it names', async () => {
    const one = world({ user: mine });
    one.brings('workspace', 'npx');
    const profile = one.store.profiles().get('p')?.profile;
    assert.ok(profile);
    const entry = { ref: 'mcp_web', enabled: true, tools: {}, config: {} };
    await one.editor.put({ ...profile, id: 'new', name: 'new', origin: 'user', capabilities: [entry] }, 'new');
    assert.deepEqual(one.on('new'), both);
    one.dispose();
  });
});
