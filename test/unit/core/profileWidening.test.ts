import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { runs } from '../../support/counts';
import { ids, registryOf, storeOf } from '../../support/profileStore';

describe('profiles of a workspace that allow more', () => {
  it('the repository only tightens: for all user and workspace profiles the workspace gains no tool, scope or mode until it is accepted', () => {
    const { registry, dispose } = registryOf();
    const entry = fc.record({
      ref: fc.constantFrom(...ids),
      enabled: fc.boolean(),
      tools: fc.constantFrom({}, ...ids.map((id) => ({ [`${id}_tool`]: false }))),
    });
    const profile = fc.record(
      {
        mode: fc.constantFrom('plan', 'execute'),
        scopes: fc.subarray(ids.map((id) => `${id}:use`)),
        capabilities: fc.uniqueArray(entry, { selector: (one) => one.ref }),
      },
      { requiredKeys: ['capabilities'] },
    );
    fc.assert(
      fc.property(fc.option(profile, { nil: undefined }), profile, (own, wanted) => {
        const user = own === undefined ? {} : { profiles: { p: own } };
        const { store } = storeOf(user, { profiles: { p: wanted } }, registry);
        const { store: alone } = storeOf(own === undefined ? {} : user, {}, registry);
        const merged = store.resolve('p');
        const base = alone.resolve(own === undefined ? 'default' : 'p');
        assert.ok(merged && base);
        const allowedTools = new Set(base.tools.map((tool) => tool.id));
        const usable = (resolved: typeof merged) =>
          resolved.tools.filter((tool) => tool.definition.scopes.every((scope) => resolved.scopes.has(scope)));
        for (const tool of usable(merged))
          assert.ok(
            allowedTools.has(tool.id) && tool.definition.scopes.every((scope) => base.scopes.has(scope)),
            tool.id,
          );
        if (base.mode === 'plan') assert.equal(merged.mode, 'plan');
        store.dispose();
        alone.dispose();
      }),
      { numRuns: runs(16, 800, 2000) },
    );
    dispose();
  });

  it('a widening of the workspace waits until it is accepted, and asks again when it changes', async () => {
    const { registry, dispose } = registryOf();
    const user = { profiles: { mine: { mode: 'plan', capabilities: ['math'] } } };
    const { store, write } = storeOf(user, { profiles: { mine: { capabilities: ['file_system', 'math'] } } }, registry);
    assert.deepEqual(
      [store.resolve('mine')?.mode, store.resolve('mine')?.tools.map((tool) => tool.definition.name)],
      ['plan', ['math_tool']],
    );
    store.activate('mine');
    assert.ok(store.problems().some((problem) => problem.code === 'widening_pending'));
    const pending = store.profiles().get('mine')?.pendingWidening;
    assert.ok(pending);
    await store.accept(pending.wanted);
    assert.deepEqual(
      store.resolve('mine')?.tools.map((tool) => tool.definition.name),
      ['file_system_tool', 'math_tool'],
    );
    write(user, { profiles: { mine: { capabilities: ['file_system', 'web_fetch', 'math'] } } });
    assert.deepEqual(
      store.resolve('mine')?.tools.map((tool) => tool.definition.name),
      ['math_tool'],
    );
    store.dispose();
    dispose();
  });

  it("S3.profiles: a workspace's `activeProfile` that allows more than the user's own is held back until the user accepts it", async () => {
    const { registry, dispose } = registryOf();
    const user = {
      activeProfile: 'reader',
      profiles: { reader: { mode: 'plan', capabilities: ['math'] }, writer: { capabilities: ['math', 'file_system'] } },
    };
    const { store, write } = storeOf(user, { activeProfile: 'writer' }, registry);
    const { heldBack } = store.configured();
    assert.deepEqual([store.activeId, heldBack?.id, store.active().mode], ['reader', 'writer', 'plan']);
    assert.match(
      store.problems().find((one) => one.code === 'active_profile_pending')?.message ?? '',
      /`writer`, which allows more than `reader`/,
    );
    await store.acceptConfigured(heldBack?.hash ?? '');
    assert.deepEqual([store.activeId, store.configured().heldBack, store.problems()], ['writer', undefined, []]);
    // What was accepted is what it allowed then.
    write(
      { ...user, profiles: { ...user.profiles, writer: { capabilities: ['math', 'file_system', 'web_fetch'] } } },
      { activeProfile: 'writer' },
    );
    assert.equal(store.activeId, 'reader');
    // Switching by hand needs no acceptance.
    assert.equal(store.activate('writer'), undefined);
    assert.deepEqual([store.activeId, store.problems()], ['writer', []]);
    // A stricter one is the workspace's to choose.
    write({ ...user, activeProfile: 'writer' }, { activeProfile: 'reader' });
    assert.deepEqual(store.configured(), { id: 'reader' });
    store.dispose();
    dispose();
  });

  it('the repository only tightens: for all profiles and all choices of an active one, a workspace gains nothing by naming another', () => {
    const { registry, dispose } = registryOf();
    const profile = fc.record({
      mode: fc.constantFrom('plan', 'execute'),
      capabilities: fc.subarray(ids),
    });
    const id = fc.constantFrom('a', 'b', 'c', 'default', 'nobody');
    const profiles = fc.dictionary(fc.constantFrom('a', 'b', 'c'), profile);
    fc.assert(
      fc.property(profiles, profiles, id, id, (own, theirs, mine, wanted) => {
        const { store } = storeOf(
          { profiles: own, activeProfile: mine },
          { profiles: theirs, activeProfile: wanted },
          registry,
        );
        const { store: alone } = storeOf({ profiles: own, activeProfile: mine }, {}, registry);
        // A profile of this id that only the workspace has is held to the user's `default`.
        const base = alone.profiles().has(mine) || !(mine in theirs) ? alone.active() : alone.resolve('default');
        const allowed = new Set(base?.tools.map((tool) => tool.id));
        for (const tool of store.active().tools) assert.ok(allowed.has(tool.id), tool.id);
        if (base?.mode === 'plan' && store.active().tools.length > 0) assert.equal(store.active().mode, 'plan');
        store.dispose();
        alone.dispose();
      }),
      { numRuns: runs(16, 800, 2000) },
    );
    dispose();
  });
});
