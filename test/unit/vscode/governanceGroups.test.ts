import { strict as assert } from 'node:assert';
import { problem } from '../../../src/core/base/problem';
import { say } from '../../../src/core/base/sentence';
import { governanceGroups } from '../../../src/vscode/governance/governanceGroups';

describe('the groups of the Capabilities view', () => {
  const resolution = { verdict: 'yes', blocking: [], actions: [], warnings: [] };
  const shown = (state?: string): readonly string[] => {
    const said = say('dependency_incompatible', 'newer', 'math', '^2.0.0', '1.0.0');
    const definitions = {
      definitions: () => (state ? [{ capabilityId: 'newer', state }] : []),
      problems: () => [problem({ severity: 'error', said, subject: 'newer' })],
    };
    const context = {
      grants: { list: () => [] },
      resolver: {
        rows: () => ({ capabilities: [{ id: 'newer' }, { id: 'cap.publish.fb_page_post' }] }),
        resolver: { resolve: () => resolution },
        governance: { definitions },
      },
      registry: { capability: () => undefined, capabilities: () => [] },
      plans: {},
      policy: { rules: () => [] },
      profile: () => ({}),
      settings: () => ({ get: () => 'balanced' }),
      clock: { now: () => 0 },
    };
    const [group] = governanceGroups(context as never).rows();
    return (group?.children() ?? []).map((row) => `${row.label}: ${row.description} (${row.icon})`);
  };

  it('S3.versioning, S4.resolver: of a definition that cannot be loaded it says no, and why', () => {
    const other = 'cap.publish.fb_page_post: yes (pass)';
    const why = 'no: "newer" needs "math" ^2.0.0, but its version is 1.0.0';
    assert.deepEqual(shown('failed'), [`newer: ${why} (warning)`, other]);
    assert.deepEqual(shown(), [`newer: ${why} (warning)`, other]);
    assert.deepEqual(shown('pending'), ['newer: waits for your approval (question)', other]);
  });
});
