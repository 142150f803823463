import { strict as assert } from 'node:assert';
import { limitsInForce } from '../../../src/app/limitsInForce';
import type { BundleEntry } from '../../../src/core/bundles/bundleEntries';
import { layersWithBundles, type SettledBundle } from '../../../src/core/bundles/bundlesInForce';
import { BoundarySources } from '../../../src/core/policy/rules/policySources';
import { readSettings } from '../../../src/core/settings/readSettings';
import { openSystem } from '../../support/system';

const limitsOf = (limits: unknown) => limitsInForce(readSettings({ managed: {}, user: { limits }, workspace: {} }));

describe('what somebody says of limits and cannot be read', () => {
  it('S2.permissions: lets nothing of its key through until it is mended, and is told', async () => {
    const system = await openSystem({ files: { 'a.txt': 'x' } });
    const wrong: readonly unknown[] = [
      { all: '5 per 1h30m' },
      { tools: { read_file: '5 each hour' } },
      { tools: { read_file: [] } },
      { tools: ['read_file'] },
      { budget: { calls: '5' } },
      { budget: 5 },
      { concurrency: { all: 'one' } },
    ];
    for (const limits of wrong) {
      system.write({ managed: {}, user: { limits }, workspace: {} });
      const result = await system.call('read_file', { path: 'a.txt' });
      assert.equal(result.success, false, JSON.stringify(limits));
      assert.ok(limitsOf(limits).problems.length > 0, JSON.stringify(limits));
    }
    system.write({ managed: {}, user: { limits: { tools: { write_file: '5 each hour' } } }, workspace: {} });
    assert.equal((await system.call('read_file', { path: 'a.txt' })).success, true);
    system.dispose();
  });

  it('takes what a person unset with null for what is not there, and closes only where an administrator said it', () => {
    const defaults = limitsOf(undefined).value;
    for (const limits of [
      null,
      { tools: null },
      { tools: { read_file: null } },
      { perTool: null, all: null, budget: { calls: null }, circuit: null, repetition: null },
    ]) {
      const { value, problems } = limitsOf(limits);
      assert.deepEqual([value, problems], [defaults, []], JSON.stringify(limits));
      const theirs = limitsInForce(readSettings({ managed: {}, user: {}, workspace: { limits } }));
      assert.ok(theirs.value.every(({ all }) => all?.requests !== 0));
      const managed = limitsInForce(readSettings({ managed: { limits }, user: {}, workspace: {} }));
      assert.equal(managed.value[0]?.all?.requests === 0 || managed.value[0]?.tools['read_file']?.requests === 0, true);
    }
    // What is left of a rate is no rate.
    assert.equal(limitsOf({ all: { requests: 5, window: null } }).value[0]?.all?.requests, 0);
    assert.equal(limitsOf({ all: null, perTool: '5 per 1h' }).value[0]?.perTool?.requests, 5);
  });

  it('reads what is plainly meant: capitals, and a unit alone', () => {
    for (const rate of [
      '5 per Hour',
      '5 PER 1H',
      '5/h',
      { requests: 5, window: 'hour' },
      { requests: 5, window: '1H' },
    ]) {
      const { value, problems } = limitsOf({ all: rate });
      assert.deepEqual([value[0]?.all, problems], [{ requests: 5, windowMs: 3_600_000 }, []], JSON.stringify(rate));
    }
  });
});

describe('a bundle that may widen', () => {
  it('S1.policy: its rules hold beside those of the managed file, in whatever form these are', () => {
    const rule = { match: { path: 'y' }, decision: 'deny' };
    const bundle = {
      name: 'b',
      revision: 1,
      expiresAt: 9e15,
      settings: { 'policy.boundaries': [{ id: 'of-bundle', match: { path: '**/x' }, decision: 'allow' }] },
      servers: {},
      definitions: {},
    };
    const entry = { name: 'b', from: 'x', mayWiden: true } as unknown as BundleEntry;
    const settled = { entry, opened: { hash: 'h', bundle }, isNew: false } as unknown as SettledBundle;
    const own = { id: 'own', ...rule };
    for (const boundaries of [[own], own, { boundaries: [own] }, { own: rule }]) {
      const layers = { managed: { 'policy.boundaries': boundaries }, user: {}, workspace: {} };
      const settings = readSettings(layersWithBundles(layers, [settled], new Map(), [], 0));
      const rules = new BoundarySources().gather(settings, []).boundaries.filter(({ scope }) => scope === 'managed');
      assert.deepEqual(rules.map(({ id, decision }) => `${id}: ${decision}`).sort(), ['of-bundle: allow', 'own: deny']);
    }
  });
});
