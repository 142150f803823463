import { strict as assert } from 'node:assert';
import type { FakeItem } from '../../support/fakeQuickPick';
import { checkCapability } from '../../../src/vscode/governance/checkCapability';
import { shownWindow } from '../../support/fakeVscode';
import { openSystem } from '../../support/system';

const folder = '.vscode/capabilities';

/** What a person sees who checks a capability that the workspace declares, under its rules. */
async function findings(capability: object, rules: readonly object[]): Promise<readonly string[]> {
  const source = (...files: readonly (readonly [string, object])[]) => ({
    read: () => files.map(([name, rows]) => ({ path: `${folder}/${name}.json`, text: JSON.stringify(rows) })),
    onDidChange: () => ({ dispose: () => undefined }),
  });
  const boundaries = ['boundaries', rules] as const;
  const system = await openSystem({
    platform: {
      boundaryFiles: source(boundaries),
      resolverFiles: source(boundaries, ['shop.capability', { id: 'shop', ...capability }]),
    },
  });
  const { registry } = system.core.tools;
  const { resolver } = system.core.gate;
  const lists: (readonly FakeItem[])[] = [];
  shownWindow.answer = (items) => {
    lists.push(items);
    return lists.length === 1 ? items.find(({ description }) => description === 'shop') : undefined;
  };
  try {
    await checkCapability({ registry, resolver, selection: () => [] } as never);
    return (lists[1] ?? []).map(({ label, description = '' }) => [label, description].join(' | '));
  } finally {
    shownWindow.answer = () => undefined;
    system.dispose();
  }
}

describe('Check Capability…', () => {
  it('S4.boundaries: a rule shows its reason, whatever its id holds', async () => {
    const rule = (id: string) => ({ id, match: {}, decision: 'deny', reason: `because of ${id}` });
    for (const id of ['no-money', 'shop:no-money', 'a: b: c', ':', 'probe:x']) {
      const found = await findings({}, [rule(id)]);
      assert.equal(found.length, 1, JSON.stringify(found));
      assert.ok(found[0]?.endsWith(` | because of ${id}`), JSON.stringify(found));
    }
  });
});
