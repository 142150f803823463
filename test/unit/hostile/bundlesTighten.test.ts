import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { misfit } from '../../../src/core/settings/settingValues';
import { settingSpecs } from '../../../src/core/settings/settingTable';
import { expand, readSettings } from '../../../src/core/settings/readSettings';
import type { BundleLayer } from '../../../src/core/settings/bundleLayer';
import { gains, storeOver } from '../../support/allowance';
import { anyValues, calls, layer, managed, type Raw, realLayer } from '../../support/anySettings';
import { runs } from '../../support/counts';
import { openSystem } from '../../support/system';

/** A bundle of any settings that a bundle can hold: each fits its declaration, as reading sees to. */
function bundleOf(settings: Raw): BundleLayer {
  const fit = Object.entries(expand(settings)).filter(([key, value]) => {
    const spec = settingSpecs.find((one) => one.key === key);
    return spec !== undefined && misfit(spec.schema, value) === undefined;
  });
  const none = { revision: 1, hash: '00', servers: {}, definitions: {}, problems: [] };
  return { name: 'acme', ...none, settings: Object.fromEntries(fit) };
}

describe('bundles only tighten', () => {
  it('D.bundles D.tightens: for all users, managed files and bundles, every profile lies within what it is without the bundle', () => {
    let tightened = 0;
    const [both, alone] = [storeOver({}), storeOver({})];
    fc.assert(
      fc.property(layer, managed, layer, (user, above, said) => {
        both.write({ managed: above, user, bundles: [bundleOf(said)] });
        alone.write({ managed: above, user });
        const [now, base] = [both.store.active(), alone.store.active()];
        assert.equal(now.id, base.id, 'a bundle chooses no profile');
        assert.deepEqual(gains(now, base), []);
        for (const id of both.store.profiles().keys()) {
          const own = alone.store.resolve(id) ?? (id === base.id ? base : alone.store.resolve('default'));
          const resolved = both.store.resolve(id);
          assert.ok(own && resolved);
          assert.deepEqual(gains(resolved, own), [], id);
          if (resolved.tools.length < own.tools.length) tightened++;
        }
      }),
      { numRuns: runs(150, 700, 10_000) },
    );
    both.dispose();
    alone.dispose();
    assert.ok(tightened > 20, `${tightened} profiles were tightened`);
  });

  it('D.bundles D.settings: for all layers no setting gets a looser value from a bundle', () => {
    fc.assert(
      fc.property(anyValues, anyValues, anyValues, anyValues, (above, user, workspace, said) => {
        const both = readSettings({ managed: above, user, workspace, bundles: [bundleOf(said)] });
        const alone = readSettings({ managed: above, user, workspace });
        for (const { key, merge, bundleOrder } of settingSpecs) {
          const order = merge.type === 'tighten' ? merge.order : bundleOrder;
          const [now, own] = [both.get(key), alone.get(key)];
          if (order) assert.ok(order.indexOf(now) >= order.indexOf(own), key);
          else assert.deepEqual(now, own, key);
        }
      }),
      { numRuns: runs(100, 300, 5000) },
    );
  });

  it('D.bundles D.tightens: in the composed system no call is milder with a bundle, whatever the workspace says beside it', async () => {
    const [both, alone] = [await openSystem(), await openSystem()];
    const mild = { deny: 0, ask: 1, pass: 2 };
    let stricter = 0;
    try {
      await fc.assert(
        fc.asyncProperty(realLayer, realLayer, realLayer, async (user, said, workspace) => {
          alone.write({ user, workspace });
          both.write({ user, workspace, bundles: [bundleOf(said)] });
          const profiles = alone.core.tools.profiles;
          if (!profiles.profiles().has(profiles.activeId)) return;
          for (const [tool, input] of calls) {
            const ask = (core: typeof both.core) =>
              core.gate.router.preview({ tool, input, actor: { type: 'agent', id: 'test' }, surface: 'chat' });
            const [now, own] = [await ask(both.core), await ask(alone.core)];
            if (mild[now.effect] < mild[own.effect]) stricter++;
            assert.ok(
              mild[now.effect] <= mild[own.effect],
              `${tool} ${JSON.stringify(input)}: ${own.effect} → ${now.effect}`,
            );
          }
        }),
        { numRuns: runs(10, 75, 500), examples: [[{}, { 'policy.preset': 'strict' }, {}]] },
      );
    } finally {
      both.dispose();
      alone.dispose();
    }
    assert.ok(stricter > 0);
  });
});
