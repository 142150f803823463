import { strict as assert } from 'node:assert';
import type { AuditEvent } from '../../../../src/core/audit/event';
import { recordChanges } from '../../../../src/core/audit/changes';
import { Emitter } from '../../../../src/core/base/event';
import { pastCalls } from '../../../../src/core/explain/simulate';
import { shapeOnly, toRecord } from '../../../../src/core/audit/makeRecord';
import type { AuditRecord } from '../../../../src/core/audit/record';
import { detailText } from '../../../../src/core/audit/recordedSentence';
import { fakeCall } from '../../../support/gateCall';
import { openSystem } from '../../../support/system';

describe('what the audit says of changes', () => {
  it('S1.audit: rules, profile, grants and frozen plans that change while the window is open are recorded, and what stood there before is not', async () => {
    const system = await openSystem();
    try {
      const { core, events } = system;
      const changes = (): string[] =>
        events
          .splice(0)
          .flatMap((event) =>
            event.type === 'changed'
              ? [`${event.what} ${detailText(event.detail).replace(/grant-[\w-]+/g, 'grant')}`]
              : [],
          );
      assert.deepEqual(changes(), []);

      const { boundaries } = core.policy.engine;
      const rule = { ...boundaries[0]!, id: 'mine', scope: 'user' as const };
      core.policy.engine.setRules([...boundaries, rule]);
      core.policy.engine.setRules([...boundaries, { ...rule, reason: 'another' }]);
      core.policy.engine.setRules(boundaries);
      assert.deepEqual(changes(), [
        'policy added: user/mine',
        'policy changed: user/mine',
        'policy removed: user/mine',
      ]);

      const call = fakeCall({ accesses: [{ effect: 'fs.write', resource: 'src/a' }] });
      const grant = core.policy.grants.add({ scope: 'session', cover: 'tool' }, call, call.accesses, []);
      core.policy.grants.revoke(grant.id);
      assert.deepEqual(changes(), [
        `grant allowed from now on: ${call.tool.modelName} (any call · this session)`,
        `grant revoked: ${call.tool.modelName} (any call · this session)`,
      ]);

      const plan = core.policy.plans.freeze('p', [{ tool: 'write_file', arguments: {}, count: 1 }]);
      core.policy.plans.approve(plan.hash);
      core.policy.plans.activate(undefined);
      core.policy.plans.revoke(plan.hash);
      assert.deepEqual(changes(), [
        'plan frozen with 1 line',
        'plan approved as a batch',
        'plan ended',
        'plan revoked',
      ]);

      core.tools.profiles.activate('readOnly');
      assert.deepEqual(changes(), ['profile switched from default']);
    } finally {
      await system.dispose();
    }
  });

  it('S1.audit: a capability that comes into the profile or goes by itself is no edit of the profile', () => {
    const changed = new Emitter<void>();
    const never = { onDidChange: new Emitter<void>().event };
    const active = (refs: readonly string[], prompt = 'p') => ({
      id: 'default',
      mode: 'execute',
      profile: { id: 'default', basePrompt: prompt, capabilities: refs.map((ref) => ({ ref, enabled: true })) },
    });
    let now = active(['math']);
    const told: string[] = [];
    const watching = recordChanges({
      audit: { record: (event: AuditEvent) => event.type === 'changed' && told.push(detailText(event.detail)) },
      clock: { now: () => 0 },
      profiles: { active: () => now, onDidChange: changed.event },
      policy: { boundaries: [], ...never },
      grants: { list: () => [], ...never },
      plans: { list: () => [], active: undefined, ...never },
    } as unknown as Parameters<typeof recordChanges>[0]);
    for (const next of [
      active(['math', 'mcp:stock']),
      active(['mcp:stock', 'math']),
      active(['mcp:stock', 'math'], 'q'),
      active(['math', 'notes'], 'q'),
    ]) {
      now = next;
      changed.fire();
      changed.fire();
    }
    watching.dispose();
    assert.deepEqual(told, ['added: mcp:stock', 'edited', 'edited', 'added: notes; removed: mcp:stock']);
  });

  it('S1.policy: past calls for a simulation come from what finished and what was denied, never from other records', async () => {
    const system = await openSystem({ files: { 'README.md': 'hello\n', '.env': 'A=1\n' } });
    try {
      const { core, events } = system;
      const run = (path: string) =>
        core.gate.router.invoke({
          tool: 'cap_read_file',
          input: { path },
          actor: { type: 'agent', id: 'a' },
          surface: 'tool',
        });
      await run('README.md');
      await run('.env');
      core.tools.profiles.activate('readOnly');
      const records = events.flatMap((event): AuditRecord[] => {
        const record = toRecord(event, shapeOnly());
        return record ? [{ ...record, hash: '' } as unknown as AuditRecord] : [];
      });
      assert.deepEqual(
        pastCalls(records, core.tools.registry).map(({ toolName, capabilityId, actor, accesses, tool }) => [
          toolName,
          capabilityId,
          actor.type,
          accesses.map((one) => one.resource),
          tool !== undefined,
        ]),
        [
          ['read_file', 'file_system', 'agent', ['README.md'], true],
          ['read_file', 'file_system', 'agent', ['.env'], true],
        ],
      );
    } finally {
      await system.dispose();
    }
  });
});
