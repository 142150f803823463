import { strict as assert } from 'node:assert';
import { toRecord, shapeOnly } from '../../../../src/core/audit/makeRecord';
import type { BundleLayer } from '../../../../src/core/settings/bundleLayer';
import { openSystem } from '../../../support/system';

const rule = { id: 'no-docs', match: { accessAny: ['fs.*'], path: 'docs/**' }, decision: 'deny', reason: 'ours' };
const bundle = (revision: number, settings: BundleLayer['settings']): BundleLayer => ({
  name: 'acme',
  revision,
  hash: 'ab'.repeat(32),
  settings,
  servers: {},
  definitions: {},
  problems: [],
});

describe('the policy that a record names', () => {
  it('D.bundles: each record of a call names the rules in force by their hash, and the bundles with revision and hash', async () => {
    const system = await openSystem({ files: { 'a.txt': 'x', 'docs/a.md': 'x' } });
    try {
      const call = async (path: string) => {
        const before = system.events.length;
        await system.core.gate.router.invoke({
          tool: 'read_file',
          input: { path },
          actor: { type: 'agent', id: 'test' },
          surface: 'chat',
        });
        const records = system.events
          .slice(before)
          .flatMap((event) => ('invocationId' in event ? [toRecord(event, shapeOnly())] : []))
          .filter((record) => record !== undefined);
        assert.ok(records.length > 0);
        return records;
      };
      const [first] = await call('a.txt');
      assert.match(first?.policy ?? '', /^[0-9a-f]{64}$/);
      assert.equal(first?.['policy.bundles'], undefined);
      const [same] = await call('docs/a.md');
      assert.equal(same?.policy, first?.policy);

      system.write({ bundles: [bundle(7, { 'policy.boundaries': [rule] })] });
      const denied = await call('docs/a.md');
      for (const record of denied) {
        assert.notEqual(record.policy, first?.policy);
        assert.deepEqual(record['policy.bundles'], [`acme 7 ${'ab'.repeat(32)}`]);
      }
      assert.deepEqual(denied.at(-1)?.rules, ['no-docs']);
      const [other] = await call('a.txt');
      assert.equal(other?.policy, denied[0]?.policy);
      system.write({ bundles: [bundle(7, { 'policy.boundaries': [rule], limits: { all: '5 per 1m' } })] });
      const [limited] = await call('a.txt');
      assert.notEqual(limited?.policy, other?.policy);
    } finally {
      system.dispose();
    }
  });
});
