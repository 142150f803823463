import { strict as assert } from 'node:assert';
import { switchCapabilities, switchTools } from '../../../src/core/profiles/profileEdit';
import { careful, carrying } from '../../support/allowance';
import { profileWorld } from '../../support/profiles';

describe('what a person changes in the tree', () => {
  const world = (workspace?: unknown) =>
    profileWorld(carrying, { user: { default: careful }, ...(workspace === undefined ? {} : { workspace }) });
  const state = (one: ReturnType<typeof profileWorld>) => ({
    carriers: one.store
      .active()
      .carriers.map(({ id }) => id)
      .sort(),
    root: one.store.active().config('files')['root'],
    asks: one.store.profiles().get('default')?.pendingWidening !== undefined,
  });

  it('D.tree D.tightens: holds at once and asks nothing, in every field that the hash covers', async () => {
    const one = world();
    const change = (label: string, with_: Parameters<typeof one.editor.change>[2]) =>
      one.editor.change('default', label, with_);
    await change('tool', switchTools(one.registry, [one.registry.tool('overwrite')!], true));
    await change('mode', (profile) => ({ ...profile, mode: 'plan' }));
    await change('mode', (profile) => ({ ...profile, mode: 'execute' }));
    await change('name', (profile) => ({ ...profile, name: 'Mine', description: 'Mine' }));
    await change('prompt', (profile) => ({ ...profile, systemPrompt: 'Push.' }));
    await change('scopes', (profile) => ({ ...profile, scopes: ['file:read', 'database:write'] }));
    const { carriers, root, asks } = state(one);
    assert.deepEqual([carriers.includes('guard'), root, asks], [true, 'session', false]);
    assert.deepEqual(
      [one.store.active().profile.systemPrompt, [...one.store.active().scopes]],
      ['Push.', ['file:read', 'database:write']],
    );
    one.dispose();
  });

  it('S3.configuration: what a person switches off carries nothing any more; what the repository left out still does', async () => {
    const own = world();
    await own.editor.change('default', 'off', switchCapabilities(own.registry, ['guard'], false));
    assert.deepEqual(state(own), { carriers: ['files', 'limited', 'sums'], root: 'session', asks: false });
    await own.editor.undo();
    assert.deepEqual(state(own).carriers, ['files', 'guard', 'limited', 'sums']);
    own.dispose();
    const theirs = world({ default: { capabilities: ['sums', 'limited'] } });
    assert.deepEqual(state(theirs), { carriers: ['files', 'guard', 'limited', 'sums'], root: 'session', asks: false });
    await theirs.editor.change('default', 'off', switchCapabilities(theirs.registry, ['limited'], false));
    assert.deepEqual(state(theirs), { carriers: ['files', 'guard', 'sums'], root: 'session', asks: false });
    await theirs.editor.change('default', 'on', switchCapabilities(theirs.registry, ['guard'], true));
    await theirs.editor.change('default', 'off', switchCapabilities(theirs.registry, ['guard'], false));
    assert.deepEqual(state(theirs).carriers, ['files', 'sums']);
    // What was dropped was dropped for this profile as it is, not for what the repository makes of it.
    theirs.edit('workspace', { default: { capabilities: ['sums'] } });
    assert.deepEqual(state(theirs).carriers, ['files', 'guard', 'limited', 'sums']);
    theirs.dispose();
  });

  it('S3.profiles: a new profile of the person is what they made, and not what their default carries', async () => {
    const one = world();
    const blank = {
      id: 'blank',
      name: 'Blank',
      description: '',
      systemPrompt: '',
      mode: 'execute',
      capabilities: [],
      origin: 'workspace',
    } as const;
    await one.editor.put(blank, 'new');
    const resolved = one.store.resolve('blank');
    assert.deepEqual(
      [resolved?.carriers, resolved?.profile.systemPrompt, one.store.profiles().get('blank')?.pendingWidening],
      [[], '', undefined],
    );
    one.dispose();
  });

  it('D.tightens: many changes forget nothing that was accepted shortly before', async () => {
    const one = world();
    for (let round = 0; round < 60; round++)
      await one.editor.change('default', 'prompt', (profile) => ({ ...profile, systemPrompt: `Prompt ${round % 7}.` }));
    assert.equal(state(one).asks, false);
    one.dispose();
  });
});
