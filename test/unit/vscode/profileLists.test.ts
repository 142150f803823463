import { strict as assert } from 'node:assert';
import { moveDown } from '../../../src/vscode/commands/capabilities';
import { deleteProfile } from '../../../src/vscode/commands/manageProfiles';
import { setMode, switchProfile } from '../../../src/vscode/commands/profiles';
import { listCapabilities } from '../../../src/vscode/commands/show';
import { shownWindow } from '../../support/fakeVscode';
import { fiveCapabilities, profileWorld } from '../../support/profiles';

describe('lists of profiles and tools', () => {
  /** A command over settings in memory; what its list offers, as the person leaves it. */
  const offered = async (command: (world: ReturnType<typeof profileWorld>) => unknown): Promise<readonly string[]> => {
    const world = profileWorld(fiveCapabilities, {
      user: {
        aaa: { name: 'First by name', mode: 'execute' },
        default: { mode: 'plan', capabilities: [{ ref: 'file_system', tools: { write_file: false } }] },
      },
    });
    const seen: string[] = [];
    shownWindow.answer = (items) => {
      seen.push(...items.map(({ label }) => label));
      return undefined;
    };
    try {
      await command(world);
      return seen;
    } finally {
      shownWindow.answer = () => undefined;
      world.dispose();
    }
  };

  it('D.commands S3.profiles: begin at what holds now, with a check mark', async () => {
    for (const active of ['default', 'readOnly', 'aaa']) {
      const profiles = await offered(({ store, editor }) => {
        store.activate(active);
        return switchProfile({ profiles: store, editor } as never);
      });
      assert.match(profiles[0] ?? '', /^\$\(check\) /);
      assert.equal(profiles.filter((one) => one.includes('$(check)')).length, 1);
    }
    const modes = await offered(({ store, editor }) => {
      store.activate('aaa');
      return setMode({ profiles: store, editor } as never);
    });
    assert.deepEqual(modes, ['$(check) execute', 'plan']);
  });

  it('D.commands: to move up or down, a capability that is on is asked for where none is selected', async () => {
    const view = { settledSelection: async () => [] };
    const list = await offered(({ store, registry, editor }) =>
      moveDown({ profiles: store, registry, editor, view } as never),
    );
    const order = list.map((label) => label.replace(/^\$\(.+?\) /, ''));
    assert.deepEqual(order, ['File System'], 'what is off has no place in the prompt');

    const world = profileWorld(fiveCapabilities, {});
    const ids = (): readonly string[] => world.store.active().entries.map(({ capability }) => capability.id);
    const before = ids();
    shownWindow.answer = (items) => items[0];
    await moveDown({ profiles: world.store, registry: world.registry, editor: world.editor, view } as never);
    shownWindow.answer = () => undefined;
    assert.deepEqual(ids().slice(0, 2), [before[1], before[0]]);
    world.dispose();
  });

  it('D.commands S3.profiles: to delete are offered the profiles that can be deleted', async () => {
    const profiles = await offered(({ store, editor }) => deleteProfile({ profiles: store, editor } as never));
    assert.deepEqual(profiles, ['First by name']);
  });

  it('D.commands: the list of everything says what a call meets before its risk, and of a tool that is off only its risk', async () => {
    let page = '';
    await offered(({ store, registry }) => {
      const texts = { put: (_name: string, text: string) => (page = text) };
      return listCapabilities({ profiles: store, registry, texts } as never);
    });
    assert.match(page, /☑ `read_file` · allowed · low risk · /);
    assert.match(page, /☐ `write_file` · medium risk · /);
  });
});
