import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { moveCapabilities, switchCapabilities, switchTools } from '../../../src/core/profiles/profileEdit';
import { runs } from '../../support/counts';
import { fiveCapabilities, profileWorld } from '../../support/profiles';

const names = (world: ReturnType<typeof profileWorld>): string[] =>
  world.store.active().tools.map((tool) => tool.definition.name);

describe('editing profiles in settings', () => {
  let world: ReturnType<typeof profileWorld>;
  afterEach(() => world.dispose());

  it('D.settings: writes a change of the shipped profile to the workspace, where it holds at once although it widens', async () => {
    world = profileWorld();
    await world.editor.change(
      'readOnly',
      'switch on',
      switchTools(world.registry, [world.registry.tool('write_file')!], true),
    );
    assert.equal(world.raw('workspace').readOnly.capabilities[0].ref, 'file_system');
    assert.equal(world.store.profiles().get('readOnly')?.pendingWidening, undefined);
  });

  it('S3.configuration: a workspace value that somebody else wrote does not widen until it is accepted', () => {
    world = profileWorld(fiveCapabilities, {
      user: { default: { capabilities: ['math'] } },
      workspace: { default: { capabilities: ['math', 'web_fetch'] } },
    });
    assert.deepEqual(names(world), ['add', 'divide']);
    assert.notEqual(world.store.profiles().get('default')?.pendingWidening, undefined);
  });

  it('a change in the tree never accepts what the workspace wanted beside it', async () => {
    world = profileWorld(fiveCapabilities, {
      user: { default: { capabilities: ['math'] } },
      workspace: { default: { capabilities: ['math', 'web_fetch'] } },
    });
    await world.editor.change('default', 'off', switchTools(world.registry, [world.registry.tool('add')!], false));
    assert.deepEqual(names(world), ['divide']);
  });

  it('D.tree: makes changes one after the other, so that none of many quick clicks is lost', async () => {
    world = profileWorld();
    const ids = fiveCapabilities.map((capability) => capability.id);
    await Promise.all(
      ids.map((id) => world.editor.change('default', id, switchCapabilities(world.registry, [id], false))),
    );
    assert.deepEqual(names(world), []);
    assert.equal(world.editor.isBusy, false);
  });

  it('writes nothing where nothing changes', async () => {
    world = profileWorld();
    await world.editor.change('default', 'up', moveCapabilities(world.registry, ['file_system'], -1));
    assert.deepEqual(world.writes, []);
    assert.equal(world.editor.undoLabel, undefined);
  });

  for (const target of ['user', 'workspace'] as const)
    it(`D.bundles: a click on a profile that a bundle made smaller writes the person's own into ${target} settings, and the bundle holds on`, async () => {
      world = profileWorld(fiveCapabilities, {
        user: { default: { capabilities: ['math', 'web_fetch', 'current_time'] } },
        bundled: { default: { capabilities: ['math', 'todo_list'] } },
      });
      world.target = target;
      assert.deepEqual(names(world), ['add', 'divide']);
      await world.editor.change('default', 'on', switchCapabilities(world.registry, ['web_fetch'], true));
      assert.deepEqual(world.writes, [], 'what the person has on already is not written');
      await world.editor.change('default', 'off', switchTools(world.registry, [world.registry.tool('add')!], false));
      await world.editor.change(
        'default',
        'on',
        switchCapabilities(world.registry, ['todo_list', 'file_system'], true),
      );
      assert.deepEqual(names(world), ['divide', 'write_todos', 'read_todos'], 'the bundle holds, whatever is accepted');
      world.bundle(undefined);
      assert.deepEqual(
        [...names(world)].sort(),
        ['divide', 'get_current_time', 'read_file', 'read_todos', 'web_fetch', 'write_file', 'write_todos'].sort(),
        'nothing of the bundle is left in the person’s file',
      );
    });

  it('takes the workspace version away when changes are saved to user settings, because it would hide them', async () => {
    world = profileWorld(fiveCapabilities, {
      workspace: { default: { capabilities: ['math'] }, mine: { capabilities: [] } },
    });
    world.target = 'user';
    await world.editor.change('default', 'off', switchCapabilities(world.registry, ['math'], false));
    assert.deepEqual(names(world), []);
    assert.deepEqual(Object.keys(world.raw('workspace')), ['mine']);
  });

  it('D.commands: undo takes back the last change, one after the other, and says when the settings were edited since', async () => {
    world = profileWorld();
    const before = names(world);
    await world.editor.change('default', 'one', switchCapabilities(world.registry, ['math'], false));
    await world.editor.change('default', 'two', moveCapabilities(world.registry, ['web_fetch'], -1));
    assert.equal(world.editor.undoLabel, 'two');
    assert.equal(await world.editor.undo(), 'undone');
    assert.equal(await world.editor.undo(), 'undone');
    assert.deepEqual(names(world), before);
    assert.equal(world.raw('workspace'), undefined);
    assert.equal(await world.editor.undo(), 'nothing');
    await world.editor.change('default', 'three', switchCapabilities(world.registry, ['math'], false));
    world.edit('workspace', { default: { capabilities: ['math'] } });
    assert.equal(await world.editor.undo(), 'changed-since');
    assert.deepEqual(world.raw('workspace'), { default: { capabilities: ['math'] } });
  });

  it('D.tree: after a reload the changes of before can still be taken back, unless the settings were edited since', async () => {
    world = profileWorld();
    const before = names(world);
    await world.editor.change('default', 'one', switchCapabilities(world.registry, ['math'], false));
    await world.editor.change('default', 'two', moveCapabilities(world.registry, ['web_fetch'], -1));
    world.reload();
    assert.equal(world.editor.undoLabel, 'two');
    assert.equal(await world.editor.undo(), 'undone');
    world.reload();
    assert.equal(await world.editor.undo(), 'undone');
    assert.deepEqual(names(world), before);
    world.reload();
    assert.equal(await world.editor.undo(), 'nothing');
    await world.editor.change('default', 'three', switchCapabilities(world.registry, ['math'], false));
    world.edit('workspace', { default: { capabilities: ['web_fetch'] } });
    world.reload();
    assert.equal(await world.editor.undo(), 'changed-since');
  });

  it('S3.configuration: taking back a change does not accept what the workspace wanted before it', async () => {
    world = profileWorld(fiveCapabilities, {
      user: { default: { capabilities: ['math'] } },
      workspace: { default: { capabilities: ['math', 'web_fetch'] } },
    });
    await world.editor.change('default', 'off', switchTools(world.registry, [world.registry.tool('add')!], false));
    world.reload();
    assert.equal(await world.editor.undo(), 'undone');
    assert.deepEqual(names(world), ['add', 'divide']);
    assert.notEqual(world.store.profiles().get('default')?.pendingWidening, undefined);
  });

  it('S3.configuration: a change is made on what another window wrote meanwhile, so that neither is lost', async () => {
    world = profileWorld();
    world.otherWindow({ default: { capabilities: ['math'] } });
    await world.editor.change('default', 'on', switchCapabilities(world.registry, ['web_fetch'], true));
    assert.deepEqual(world.raw('workspace'), { default: { capabilities: ['math', 'web_fetch'] } });
  });

  it('a write that fails rejects that change only', async () => {
    world = profileWorld();
    const failing = world.editor.change('default', 'x', () => {
      throw new Error('no');
    });
    const next = world.editor.change('default', 'y', switchCapabilities(world.registry, ['math'], false));
    await assert.rejects(failing, /no/);
    await next;
    assert.equal(
      world.store.active().tools.some((tool) => tool.definition.name === 'add'),
      false,
    );
  });

  it('D.tree: after any sequence of changes and undos, undoing everything brings back the first state', async () => {
    world = profileWorld();
    const ids = fiveCapabilities.map((capability) => capability.id);
    const step = fc.oneof(
      fc
        .tuple(fc.subarray(ids, { minLength: 1 }), fc.boolean())
        .map(([some, on]) => switchCapabilities(world.registry, some, on)),
      fc
        .tuple(fc.subarray(ids, { minLength: 1 }), fc.constantFrom(-1 as const, 1 as const))
        .map(([some, by]) => moveCapabilities(world.registry, some, by)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const before = JSON.stringify(world.raw('workspace') ?? null);
        for (const one of steps) await world.editor.change('default', 'step', one);
        while ((await world.editor.undo()) === 'undone');
        assert.equal(JSON.stringify(world.raw('workspace') ?? null), before);
      }),
      { numRuns: runs(8, 200) },
    );
  });
});
