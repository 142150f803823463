import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { Emitter } from '../../../src/core/base/event';
import { allowanceOf, beyond } from '../../../src/core/profiles/allowance';
import { rememberActiveProfile } from '../../../src/vscode/settings/activeProfile';
import { storeOver } from '../../support/allowance';
import { runs } from '../../support/counts';
import { MemoryStore } from '../../support/toolContext';

describe('a profile that a person switched to by hand', () => {
  const open = (workspace: Record<string, unknown>, storage = new MemoryStore()) => {
    const profiles = {
      strict: { mode: 'plan', capabilities: ['sums'] },
      wide: { capabilities: ['sums', 'files'] },
      less: { capabilities: [] },
      team: { systemPrompt: 'Team.', capabilities: ['writer'] },
    };
    const world = storeOver({ user: { activeProfile: 'wide', profiles }, workspace });
    const changed = new Emitter<void>();
    const remembered = rememberActiveProfile({
      profiles: world.store,
      setting: () => world.store.configured().id,
      own: () => world.store.merged.ownId(),
      onDidChangeSettings: changed.event,
      storage,
    });
    return {
      storage,
      store: world.store,
      write(next: { user?: Record<string, unknown>; workspace?: Record<string, unknown> }) {
        world.write({
          ...(next.user ? { user: { profiles, ...next.user } } : {}),
          ...(next.workspace ? { workspace: next.workspace } : {}),
        });
        changed.fire();
      },
      close() {
        remembered.dispose();
        changed.dispose();
        world.dispose();
      },
    };
  };

  it('S3.profiles D.tightens: stays where the workspace names one that allows more, in an open window and over a restart', () => {
    const first = open({ activeProfile: 'less' });
    first.store.activate('strict');
    first.write({ workspace: { activeProfile: 'wide' } });
    assert.equal(first.store.activeId, 'strict');
    first.write({ workspace: {} });
    assert.equal(first.store.activeId, 'strict');
    first.close();
    const again = open({ activeProfile: 'less' }, first.storage);
    assert.equal(again.store.activeId, 'less');
    again.store.activate('strict');
    again.close();
    const later = open({ activeProfile: 'wide' }, again.storage);
    assert.equal(later.store.activeId, 'strict');
    later.close();
  });

  const detours: Readonly<Record<string, readonly (string | undefined)[]>> = {
    'by the same one': ['strict', undefined],
    'by the same one and a wider': ['strict', 'wide'],
    'by a stricter one': ['less', undefined],
    'by one that does not exist': ['none', undefined],
    'by several': ['less', 'strict', 'none', 'less', undefined],
    'by nothing and a wider': [undefined, 'wide'],
  };
  for (const [how, steps] of Object.entries(detours))
    for (const restarts of [false, true])
      it(`D.tightens S3.profiles: is not left behind ${how}${restarts ? ', over restarts' : ''}`, () => {
        let one = open({});
        one.store.activate('strict');
        for (const activeProfile of steps) {
          const workspace = activeProfile === undefined ? {} : { activeProfile };
          if (restarts) {
            one.close();
            one = open(workspace, one.storage);
          } else one.write({ workspace });
        }
        assert.equal(one.store.activeId, 'strict');
        one.write({ user: { activeProfile: 'less' }, workspace: {} });
        assert.equal(one.store.activeId, 'less');
        one.write({ user: { activeProfile: 'wide' } });
        assert.equal(one.store.activeId, 'wide');
        one.close();
      });

  it('D.tightens S3.profiles: for all that a workspace writes one after another, what is active lies within what the person chose', () => {
    const named = fc.constantFrom('strict', 'less', 'wide', 'team', 'none', 'own');
    const profile = fc.record(
      {
        mode: fc.constantFrom('plan', 'execute'),
        systemPrompt: fc.constantFrom('', 'Other.'),
        capabilities: fc.subarray(['sums', 'files', 'writer', 'rules']),
      },
      { requiredKeys: ['capabilities'] },
    );
    const workspace = fc.record(
      { activeProfile: named, profiles: fc.dictionary(named, profile, { maxKeys: 2 }) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.constantFrom('strict', 'less', 'wide'),
        fc.array(fc.tuple(workspace, fc.boolean()), { minLength: 1, maxLength: 6 }),
        (hand, steps) => {
          let one = open({});
          one.store.activate(hand);
          const chosen = one.store.active();
          for (const [next, restarts] of steps) {
            if (restarts) {
              one.close();
              one = open(next, one.storage);
            } else one.write({ workspace: next });
            const { tools, profile } = one.store.active();
            const more = beyond(allowanceOf(one.store.active()), allowanceOf(chosen));
            assert.ok(
              tools.length === 0 || more.length === 0,
              `${profile.id} has more than ${hand}: ${more.join(' ')}`,
            );
          }
          one.close();
        },
      ),
      { numRuns: runs(10, 400, 2000) },
    );
  });

  it('S3.profiles: one of the workspace that was accepted goes when the workspace names it no more', async () => {
    const one = open({ activeProfile: 'team' });
    assert.equal(one.store.activeId, 'wide');
    await one.store.acceptConfigured(one.store.configured().heldBack?.hash ?? '');
    one.store.activate('team');
    assert.equal(one.store.activeId, 'team');
    one.write({ workspace: {} });
    assert.equal(one.store.activeId, 'wide');
    one.close();
  });

  it("S3.profiles: goes to a stricter one of the workspace, and to any of the person's own settings", () => {
    const one = open({});
    one.store.activate('strict');
    one.write({ workspace: { activeProfile: 'less' } });
    assert.equal(one.store.activeId, 'less');
    one.store.activate('strict');
    one.write({ user: { activeProfile: 'strict' }, workspace: {} });
    assert.equal(one.store.activeId, 'strict');
    one.store.activate('less');
    one.write({ user: { activeProfile: 'wide' } });
    assert.equal(one.store.activeId, 'wide');
    one.close();
  });
});
