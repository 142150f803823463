import { plainWords } from '../../../../src/core/base/translate';
import { strict as assert } from 'node:assert';
import { isWaiting } from '../../../../src/core/explain/lacks';
import { governanceRows } from '../../../../src/core/present/governanceRows';

describe('what the workspace declares, in the tree', () => {
  const row = (waits: boolean) => {
    const resolution = { verdict: 'yes', blocking: [], warnings: [], actions: [] } as never;
    const composed = [{ capability: { id: 'shop_tests' } as never, resolution, isWaiting: waits }];
    const [group] = governanceRows({ t: plainWords, pending: [], grants: [], composed, now: 0 });
    const [found] = group?.children() ?? [];
    assert.ok(found);
    const { description, icon, warns, contextValue, accessibleLabel } = found;
    return { description, icon, warns, contextValue, accessibleLabel };
  };

  it('D.tree: a definition that waits for approval says so and is never shown as ready', () => {
    assert.deepEqual(row(true), {
      description: 'waits for your approval',
      icon: 'question',
      warns: true,
      contextValue: 'composed.waiting',
      accessibleLabel: 'shop_tests: waits for your approval',
    });
    assert.equal(row(false).icon, 'pass');
    assert.equal(row(false).contextValue, 'composed.plain');
  });

  it('D.tree: only the definition that is pending waits', () => {
    const known = {
      definitions: () => [
        { capabilityId: 'shop_tests', state: 'pending' },
        { capabilityId: 'other', state: 'approved' },
      ],
      problems: () => [],
    };
    assert.equal(isWaiting({ id: 'shop_tests' }, known), true);
    assert.equal(isWaiting({ id: 'other' }, known), false);
    assert.equal(isWaiting({ id: 'shop_tests' }, undefined), false);
  });
});
