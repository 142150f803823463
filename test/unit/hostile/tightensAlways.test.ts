import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { allowanceOf, beyond } from '../../../src/core/profiles/allowance';
import { decide } from '../../../src/core/policy/rules/decide';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { effectiveLimits, parseLimits } from '../../../src/core/policy/limits/limitSettings';
import { BoundarySources } from '../../../src/core/policy/rules/policySources';
import type { PolicySubject } from '../../../src/core/policy/rules/subject';
import { settingSpecs } from '../../../src/core/settings/settingTable';
import { readSettings } from '../../../src/core/settings/readSettings';
import { gains, storeOver } from '../../support/allowance';
import { anyValues, boundary, calls, layer, limits, managed, type Raw, realLayer } from '../../support/anySettings';
import { runs } from '../../support/counts';
import { openSystem } from '../../support/system';

describe('the repository only tightens', () => {
  it('D.tightens S3.profiles S2.permissions: for all users, managed files and workspaces, what is active lies within what would be without the workspace', () => {
    let widened = 0;
    const [both, alone] = [storeOver({}), storeOver({})];
    fc.assert(
      fc.property(layer, managed, layer, (user, above, workspace) => {
        both.write({ managed: above, user, workspace });
        alone.write({ managed: above, user });
        // A profile that the user names and does not have allows nothing, whatever the workspace has of that name.
        const base = alone.store.active();
        const now = both.store.active();
        if (now.tools.length > 0 || now.id === base.id) {
          assert.deepEqual(beyond(allowanceOf(now), allowanceOf(base)), []);
          assert.deepEqual(gains(now, base), []);
        }
        for (const [id, { pendingWidening, profile: merged }] of both.store.profiles()) {
          if (merged.origin !== 'workspace') continue;
          if (pendingWidening) widened++;
          const own = alone.store.resolve(id) ?? (id === base.id ? base : alone.store.resolve('default'));
          const resolved = both.store.resolve(id);
          assert.ok(own && resolved);
          assert.deepEqual(gains(resolved, own), [], id);
        }
      }),
      { numRuns: runs(25, 1500, 10_000) },
    );
    both.dispose();
    alone.dispose();
    assert.ok(widened > 20, `${widened} wishes were held`);
  });

  it('D.settings D.tightens: for all layers no setting gets a looser value from the workspace', () => {
    /** Where layers are judged by the parts that know them, and by which test. */
    const layered: readonly string[] = [
      'activeProfile',
      'profiles',
      'policy.boundaries',
      // A workspace's are not read: `bundles.test.ts` of the command line.
      'policy.bundles',
      'limits',
      // A workspace's patterns only hide more: `redaction.test.ts` of the system.
      'redaction.patterns',
      'mcp.servers',
      'channels',
    ];
    const found = settingSpecs
      .filter(({ merge }) => merge.type === 'layers' || merge.type === 'workspace')
      .map(({ key }) => key);
    assert.deepEqual(
      [...found].sort(),
      [...layered].sort(),
      'a setting that a workspace may write needs a test of its own',
    );
    fc.assert(
      fc.property(anyValues, anyValues, anyValues, (above, user, workspace) => {
        const both = readSettings({ managed: above, user, workspace });
        const alone = readSettings({ managed: above, user, workspace: {} });
        for (const { key, merge } of settingSpecs) {
          if (layered.includes(key)) continue;
          const [now, own] = [both.get(key), alone.get(key)];
          if (merge.type === 'tighten')
            assert.ok(merge.order.indexOf(now ?? null) >= merge.order.indexOf(own ?? null), key);
          else assert.deepEqual(now, own, key);
        }
      }),
      { numRuns: runs(24, 300, 5000) },
    );
  });

  it('D.tightens S4.boundaries S1.policy: for all layers no access is judged more mildly with the rules of the workspace', () => {
    const accesses = ['src/a.ts', '.env', 'docs/x.md', '.git/config'].flatMap((resource) =>
      ['fs.read', 'fs.write', 'fs.delete'].map((effect) => ({ effect, resource })),
    );
    const mild = { deny: 0, ask: 1, pass: 2 };
    fc.assert(
      fc.property(layer, managed, layer, fc.array(boundary, { maxLength: 3 }), (user, above, workspace, file) => {
        const judge = (theirs: Raw, files: readonly { path: string; text: string }[]) => {
          const { boundaries } = new BoundarySources().gather(
            readSettings({ managed: above, user, workspace: theirs }),
            files,
          );
          const engine = new PolicyEngine(boundaries);
          const judged = accesses.map((access) => {
            const subject: PolicySubject = {
              capabilityId: 'files',
              capabilityAliases: [],
              sideEffects: [access.effect],
              costClass: 'free',
              riskLevel: 'medium',
              actor: 'agent',
              accesses: [],
              requires: [],
            };
            return decide(engine.candidates(subject), subject).effect;
          });
          engine.dispose();
          return judged;
        };
        const alone = judge({}, []);
        judge(workspace, [{ path: 'boundaries.json', text: JSON.stringify(file) }]).forEach((effect, index) =>
          assert.ok(
            mild[effect] <= mild[alone[index] ?? 'deny'],
            `${JSON.stringify(accesses[index])}: ${alone[index]} → ${effect}`,
          ),
        );
      }),
      { numRuns: runs(8, 300, 2000) },
    );
  });

  it('D.tightens: whatever limits a workspace writes, those of the user hold as they are', () => {
    fc.assert(
      fc.property(limits, limits, (own, theirs) => {
        const user = parseLimits(own).value;
        const layers = effectiveLimits(user, theirs).value;
        assert.equal(layers[0], user);
      }),
      { numRuns: runs(20, 2000) },
    );
  });
});

describe('the repository only tightens, in the composed system', () => {
  it('D.tightens S2.permissions S3.configuration: a call that is denied or asks without the workspace is never milder with it', async () => {
    const [both, alone] = [await openSystem(), await openSystem()];
    const mild = { deny: 0, ask: 1, pass: 2 };
    try {
      await fc.assert(
        fc.asyncProperty(realLayer, realLayer, async (user, workspace) => {
          alone.write({ user, workspace: {} });
          both.write({ user, workspace });
          // The user named a profile that only the workspace has: it is held to `default`, and nothing would be allowed
          // without.
          if (!alone.core.tools.profiles.profiles().has(alone.core.tools.profiles.activeId)) return;
          for (const [tool, input] of calls) {
            const ask = (core: typeof both.core) =>
              core.gate.router.preview({ tool, input, actor: { type: 'agent', id: 'test' }, surface: 'chat' });
            const [now, own] = [await ask(both.core), await ask(alone.core)];
            assert.ok(
              mild[now.effect] <= mild[own.effect],
              `${tool} ${JSON.stringify(input)}: ${own.effect} → ${now.effect}`,
            );
          }
          const [now, own] = [both.core.tools.profiles.active(), alone.core.tools.profiles.active()];
          if (now.tools.length > 0) assert.deepEqual(gains(now, own), []);
        }),
        { numRuns: runs(5, 60, 500) },
      );
    } finally {
      both.dispose();
      alone.dispose();
    }
  });
});
