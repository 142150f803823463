import { strict as assert } from 'node:assert';
import type { Disposable } from '../../../src/core/base/lifecycle';
import {
  moveCapabilities,
  type ProfileChange,
  switchCapabilities,
  switchTools,
} from '../../../src/core/profiles/profileEdit';
import { fiveCapabilities, named, profileWorld } from '../../support/profiles';

const withSandbox = [...fiveCapabilities, named('sandbox', ['run_code'], { limits: { requests: 9, windowMs: 1000 } })];

const team = {
  name: 'Team',
  mode: 'execute',
  'x-note': 'ours',
  capabilities: ['file_system', { ref: 'sandbox', note: 'for tests' }, 'math'],
};

describe('S3.profiles: a profile of a workspace that is held back, changed in the tree', () => {
  let world: ReturnType<typeof profileWorld>;
  let heldBack: string[];
  let listening: Disposable | undefined;
  afterEach(() => {
    listening?.dispose();
    world.dispose();
  });

  function open(workspace: unknown, user?: unknown): void {
    world = profileWorld(withSandbox, { workspace, workspaceActive: 'team', ...(user === undefined ? {} : { user }) });
    heldBack = [];
    listening = world.editor.onDidHoldBack((id) => heldBack.push(id));
  }
  const change = (label: string, how: ProfileChange) => world.editor.change('team', label, how);
  const names = (): string[] => world.store.active().tools.map((tool) => tool.definition.name);
  const isPending = (): boolean => world.store.profiles().get('team')?.pendingWidening !== undefined;

  it('D.tree: only what the person switched off is written into the shared file, and it stays held back and active', async () => {
    open({ team });
    assert.equal(world.store.activeId, 'team');
    assert.equal(isPending(), true);
    await change('off', switchTools(world.registry, [world.registry.tool('divide')!], false));
    assert.deepEqual(world.raw('workspace').team, {
      ...team,
      capabilities: [team.capabilities[0], team.capabilities[1], { ref: 'math', tools: { divide: false } }],
    });
    assert.equal(isPending(), true);
    assert.equal(world.store.activeId, 'team');
    assert.deepEqual(names(), ['read_file', 'write_file', 'add']);
    assert.deepEqual(heldBack, []);
    await world.editor.undo();
    assert.deepEqual(world.raw('workspace').team, team);
    assert.equal(isPending(), true);
  });

  it('D.tree: a place in the order is written as it was moved, what is held back included', async () => {
    open({ team });
    await change('up', moveCapabilities(world.registry, ['math'], -1));
    assert.deepEqual(world.raw('workspace').team.capabilities, ['file_system', 'math', team.capabilities[1]]);
    assert.equal(isPending(), true);
  });

  for (const [what, how] of [
    ['what is held back', () => switchCapabilities(world.registry, ['sandbox'], true)],
    ['what nobody had on', () => switchCapabilities(world.registry, ['web_fetch'], true)],
    ['another prompt', () => (profile: any) => ({ ...profile, systemPrompt: 'Push.' })],
  ] as const)
    it(`D.tree: to allow ${what} writes nothing and says that the profile is to be reviewed first`, async () => {
      open({ team }, { default: { capabilities: ['file_system', 'math'] } });
      await change('on', how());
      assert.deepEqual(world.writes, []);
      assert.deepEqual(heldBack, ['team']);
      assert.equal(world.store.activeId, 'team');
      assert.equal(isPending(), true);
      assert.equal(world.editor.undoLabel, undefined);
    });

  it('D.settings: where changes are saved to the user settings, the workspace keeps its version', async () => {
    const own = { capabilities: ['file_system', 'math'] };
    open({ team }, { team: own });
    world.target = 'user';
    await change('off', switchCapabilities(world.registry, ['math'], false));
    assert.deepEqual(world.raw('workspace').team, team);
    assert.deepEqual(world.raw('user').team.capabilities, ['file_system', { ref: 'math', enabled: false }]);
    assert.deepEqual(names(), ['read_file', 'write_file']);
    assert.equal(isPending(), true);
  });

  it('D.settings: a profile that only the workspace has is not copied into the user settings before its review', async () => {
    open({ team });
    world.target = 'user';
    await change('off', switchCapabilities(world.registry, ['math'], false));
    assert.deepEqual(world.writes, []);
    assert.deepEqual(heldBack, ['team']);
  });

  it('D.tree: once it is reviewed, clicks are written as always', async () => {
    open({ team });
    await world.store.acceptWidening(world.store.profiles().get('team')!.pendingWidening!);
    await change('off', switchCapabilities(world.registry, ['math'], false));
    assert.deepEqual(heldBack, []);
    assert.equal(isPending(), false);
    assert.ok(names().includes('run_code'));
  });

  it("D.tree: a click on a profile that is not held back writes none of the person's own prompt or configuration", async () => {
    const own = {
      systemPrompt: 'My own words.',
      capabilities: [{ ref: 'file_system', config: { root: 'x' } }, 'math'],
    };
    open({ team: { capabilities: ['file_system', 'math'] } }, { team: own });
    assert.equal(isPending(), false);
    await change('off', switchTools(world.registry, [world.registry.tool('divide')!], false));
    assert.deepEqual(world.raw('workspace').team, {
      capabilities: ['file_system', { ref: 'math', tools: { divide: false } }],
    });
  });

  it('D.tree: the active profile stays active when the person widens it beyond what the workspace may choose', async () => {
    open({ team: { capabilities: ['file_system', 'math'] } });
    assert.equal(world.store.activeId, 'team');
    await change('on', switchCapabilities(world.registry, ['sandbox'], true));
    assert.equal(world.store.activeId, 'team');
    assert.ok(names().includes('run_code'));
  });
});
