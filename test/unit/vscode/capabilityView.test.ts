import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { builtinCapabilities } from '../../../src/capabilities/index';
import { DisposableStore } from '../../../src/core/base/lifecycle';
import { offeredTools } from '../../../src/core/profiles/offeredTools';
import { moveCapabilities } from '../../../src/core/profiles/profileEdit';
import { FoundTools } from '../../../src/core/registry/foundTools';
import { contextKey } from '../../../src/vscode/manifest/commands/contextKey';
import { toggleSelected, undo } from '../../../src/vscode/commands/capabilities';
import { viewIds } from '../../../src/vscode/manifest/commands/viewIds';
import { ContextKeys, followTools } from '../../../src/vscode/settings/contextKeys';
import { CapabilitySwitch } from '../../../src/vscode/tree/capabilitySwitch';
import { CapabilityView } from '../../../src/vscode/tree/capabilityView';
import { showStatus } from '../../../src/vscode/tree/statusBar';
import { runs } from '../../support/counts';
import { until } from '../../support/editor/until';
import { shownWindow } from '../../support/fakeVscode';
import type { FakeTree } from '../../support/fakeTree';
import { profileWorld } from '../../support/profiles';
import { anySequence, editedByHand, expectedProfile, expectedRows, type TreeAction } from '../../support/treeSequences';
import { VirtualTime } from '../../support/virtualTime';

/** The view and what follows the profile beside it, over settings in memory and a window that draws late. */
function openWindow() {
  const work = (): Promise<void> => new Promise((done) => setTimeout(done, shownWindow.delay()));
  const world = profileWorld(builtinCapabilities, {}, work);
  const { registry, store: profiles } = world;
  let window: DisposableStore;
  let view: CapabilityView;
  const load = (): void => {
    window = new DisposableStore();
    const keys = new ContextKeys();
    const found = window.add(new FoundTools());
    window.add(followTools({ registry, profiles, found }, keys));
    window.add(
      showStatus({
        profile: () => profiles.active(),
        plan: () => undefined,
        unprotected: () => [],
        reader: () => undefined,
        labels: () => [],
        agent: () => undefined,
        pendingApprovals: () => 0,
        changes: [profiles.onDidChange],
      }),
    );
    view = window.add(
      new CapabilityView({
        registry,
        profiles,
        editor: world.editor,
        capabilitySwitch: new CapabilitySwitch(registry, profiles, world.editor),
        keys,
        otherTools: () => 0,
        more: { rows: () => [], problems: () => [], changes: [] },
        problems: () => profiles.problems(),
        basePrompt: () => '',
        found,
        onDidChange: profiles.onDidChange,
        isDeveloper: true,
      }),
    );
  };
  load();
  return {
    world,
    view: () => view,
    tree: (): FakeTree<unknown> => {
      const tree = shownWindow.trees.get(viewIds.capabilities);
      assert.ok(tree);
      return tree;
    },
    reload(): void {
      window.dispose();
      world.reload();
      load();
    },
    dispose(): void {
      window.dispose();
      world.dispose();
    },
  };
}

/** Delays that look like chance and repeat exactly. */
function delays(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return state % 200;
  };
}

describe('any sequence of actions in the Capabilities view, with an editor that draws late', () => {
  const time = new VirtualTime();
  let open: ReturnType<typeof openWindow>;
  let active = 'default';

  async function start(seed: number): Promise<void> {
    time.install();
    shownWindow.delay = delays(seed);
    open = openWindow();
    active = 'default';
    await openAll();
  }

  async function end(): Promise<void> {
    open.dispose();
    await time.rest();
    time.restore();
  }

  async function openAll(): Promise<void> {
    await time.rest();
    for (const capability of open.world.registry.capabilities())
      if (capability.tools.length > 0) open.tree().expand(capability.name);
    await time.rest();
  }

  async function act(action: TreeAction): Promise<void> {
    const { world } = open;
    const { registry } = world;
    switch (action.do) {
      case 'capability':
        open.tree().click(registry.capability(action.id)?.name ?? '');
        return;
      case 'tool':
        open.tree().click(action.name);
        return;
      case 'move':
        void world.editor.change(active, 'move', moveCapabilities(registry, [action.id], action.up ? -1 : 1));
        return;
      case 'switch':
        active = action.profile;
        world.store.activate(active);
        return;
      case 'undo':
        void world.editor.undo();
        return;
      case 'edit':
        world.edit('workspace', { ...world.raw('workspace'), [active]: editedByHand(active, action.capabilities) });
        return;
      case 'reload':
        open.reload();
        return openAll();
    }
  }

  function agrees(said: string): void {
    const { registry, raw } = open.world;
    const profile = expectedProfile(raw('workspace')?.[active], active, registry);
    assert.deepEqual(open.tree().shown(), expectedRows(profile, registry), said);
    const offered = new Set(offeredTools(profile).map((tool) => tool.id));
    for (const tool of registry.tools())
      assert.equal(shownWindow.keys.get(contextKey(`tool.${tool.definition.name}`)), offered.has(tool.id), said);
    const status = [...shownWindow.statusText.values()].join();
    assert.equal(status, `$(shield) ${profile.profile.name} · ${profile.mode}`, said);
  }

  it('D.tree: settings, tree, context keys and status bar agree after each step of a person who looks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), anySequence, async (seed, actions) => {
        await start(seed);
        try {
          for (const [step, action] of actions.entries()) {
            await act(action);
            await time.rest();
            agrees(`after step ${step}`);
          }
        } finally {
          await end();
        }
      }),
      { numRuns: runs(6, 100, 2000) },
    );
  });

  it('D.tree: an undo that is pressed while the first change of a window is being written takes that back', async () => {
    await start(1);
    try {
      const before = open.tree().shown();
      shownWindow.delay = () => 5000;
      assert.ok(open.tree().click('read_file'));
      await time.pass(1000);
      assert.deepEqual(open.world.raw('workspace'), undefined, 'nothing is written yet');
      shownWindow.told = [];
      void undo({ editor: open.world.editor });
      await time.rest();
      // It says what it took back, which it knows only after that was written.
      assert.deepEqual(shownWindow.told, ['Undone: switch off read_file']);
      assert.deepEqual(open.tree().shown(), before);
    } finally {
      await end();
    }
  });

  it('D.tree: they agree at the end where the person does not wait for the editor to draw, and no click that met its box is lost', async () => {
    const anySteps = fc.array(fc.tuple(anySequence, fc.nat({ max: 300 })), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.nat(), anySteps, async (seed, steps) => {
        await start(seed);
        try {
          for (const [actions, pause] of steps)
            for (const action of actions) {
              await act(action);
              await time.pass(pause);
            }
          await time.rest();
          agrees('at the end');
        } finally {
          await end();
        }
      }),
      { numRuns: runs(6, 80, 2000) },
    );
  });

  it('D.tree: a click on a box that stands there is made, however soon it comes after the one before', async () => {
    const anyPause = fc.oneof(fc.constant(0), fc.nat({ max: 120 }));
    const anyNames = fc.array(fc.constantFrom('read_file', 'write_file', 'web_fetch', 'read_todos', 'multiply'), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(fc.nat(), anyPause, anyNames, async (seed, pause, names) => {
        await start(seed);
        try {
          const before = open.tree().shown();
          const clicks = new Map<string, number>();
          for (const name of names) {
            if (open.tree().click(name)) clicks.set(name, (clicks.get(name) ?? 0) + 1);
            // Without a pause they arrive together, as from a window that was busy: nothing runs in between.
            if (pause > 0) await time.pass(pause);
          }
          await time.rest();
          agrees('at the end');
          const after = open.tree().shown();
          for (const [name, count] of clicks) {
            const turned = before.includes(`☑ ${name}`) !== after.includes(`☑ ${name}`);
            assert.equal(turned, count % 2 === 1, `${name} was clicked ${count} times`);
          }
        } finally {
          await end();
        }
      }),
      { numRuns: runs(6, 100, 2000) },
    );
  });

  it('D.tree: a key is about the row that is selected, or it is told that it did nothing, whenever it comes after changes that come together', async () => {
    const anyKey = fc.record({ changes: fc.integer({ min: 1, max: 4 }), between: fc.nat(250), pause: fc.nat(900) });
    await fc.assert(
      fc.asyncProperty(fc.nat(), anyKey, async (seed, { changes, between, pause }) => {
        await start(seed);
        try {
          const context = { view: open.view(), capabilitySwitch: undefined } as never;
          for (let at = 0; at < changes; at++) {
            void open.world.editor.change('default', 'move', moveCapabilities(open.world.registry, ['math'], -1));
            await time.pass(between);
          }
          await time.pass(pause);
          shownWindow.told = [];
          const isOn = (): boolean => open.tree().shown().includes('☑ multiply');
          open.tree().selectLabel('multiply');
          void toggleSelected(context);
          await time.rest();
          agrees('at the end');
          assert.ok(isOn() === shownWindow.told.length > 0, `on: ${isOn()}, told: ${shownWindow.told.join()}`);
        } finally {
          await end();
        }
      }),
      { numRuns: runs(20, 150, 2000) },
    );
  });

  it('D.tree: a row that is closed while the editor has forgotten it holds up no later change', async () => {
    await start(1);
    try {
      shownWindow.delay = () => 100;
      const move = (): void =>
        void open.world.editor.change('default', 'move', moveCapabilities(open.world.registry, ['math'], -1));
      const drawn = open.tree().shown();
      move();
      while (open.tree().shown().length > 0) await time.pass(10);
      open.tree().collapse('Math');
      await time.rest();
      assert.ok(open.tree().shown().length < drawn.length, 'it is closed');
      move();
      await time.rest();
      const before = open.tree().shown();
      move();
      await time.pass(1000);
      assert.notDeepEqual(open.tree().shown(), before);
      assert.equal(open.tree().shown().length, before.length);
    } finally {
      await end();
    }
  });
});

describe('the selection of the Capabilities view', () => {
  it('D.tree: a key that comes while the editor takes rows over is about the row that is selected, not about none', async () => {
    const open = openWindow();
    const { view, tree } = { view: open.view(), tree: open.tree() };
    try {
      const [row] = view.getChildren();
      assert.ok(row);
      await until(() => (tree.select([row]), assert.deepEqual(view.selection(), [row])));
      // It has the answer and not the rows yet, and tells of the selection meanwhile.
      view.getChildren();
      tree.select([]);
      const settled = view.settledSelection();
      tree.selection = [row];
      assert.deepEqual(
        (await settled)?.map(({ id }) => id),
        [row.id],
      );
      // Nothing is selected where nothing is.
      tree.select([]);
      await until(async () => assert.deepEqual(await view.settledSelection(), []));
    } finally {
      open.dispose();
    }
  });

  it('D.tree: keys that arrive together are done in their order, whichever of them switch off', async () => {
    shownWindow.delay = () => 0;
    const open = openWindow();
    const context = { view: open.view(), capabilitySwitch: undefined } as never;
    try {
      const math = open
        .view()
        .getChildren()
        .find(({ id }) => id === 'cap:math');
      assert.ok(math);
      const isOn = (): boolean =>
        open.world.store.active().entries.some((one) => one.capability.id === 'math' && one.entry.enabled);
      for (const keys of [1, 2, 3, 4]) {
        const before = isOn();
        await Promise.all(Array.from({ length: keys }, () => toggleSelected(context, math, [math])));
        assert.equal(isOn(), keys % 2 === 1 ? !before : before, `${keys} keys`);
      }
    } finally {
      open.dispose();
    }
  });
});
