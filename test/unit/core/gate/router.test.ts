import { worded } from '../../../../src/core/base/sentence';
import { strict as assert } from 'node:assert';
import type { Access } from '../../../../src/core/vocabulary/access';
import type { GateCall } from '../../../../src/core/call/gateCall';
import type { ToolResult } from '../../../../src/core/vocabulary/toolResult';
import { capabilityOf, definition, type GateOptions, makeGate } from '../../../support/gate';
import type { StepAnswer } from '../../../../src/core/vocabulary/decision';
import { pass } from '../../../../src/core/call/stepAnswer';

const codeOf = (result: ToolResult): string => (result.success ? 'success' : result.error.code);

function withGate<T>(options: GateOptions, body: (gate: ReturnType<typeof makeGate>) => Promise<T>): Promise<T> {
  const gate = makeGate(options);
  return body(gate).finally(() => gate.dispose());
}

describe('the gate', () => {
  it('S1.descriptor S1.router: runs a tool by id, name and cap_ name and answers payload, side effects and duration', async () => {
    const tool = definition({ sideEffects: ['fs.read'] });
    const accesses: Access[] = [{ effect: 'fs.read', resource: 'a.txt' }];
    await withGate({ capabilities: [capabilityOf(tool, { accesses: () => accesses })] }, async (gate) => {
      for (const name of ['cap:thing:do_thing', 'do_thing', 'cap_do_thing']) {
        const result = await gate.call(name, { value: 'x' });
        assert.deepEqual(result, {
          success: true,
          invocationId: result.invocationId,
          toolId: 'cap:thing:do_thing',
          payload: { value: 'x' },
          declaredSideEffects: ['fs.read'],
          durationMs: 0,
        });
      }
      assert.deepEqual(
        gate.events.map((event) => event.type),
        [
          'invocation.started',
          'invocation.finished',
          'invocation.started',
          'invocation.finished',
          'invocation.started',
          'invocation.finished',
        ],
      );
    });
  });

  it('a preview asks nobody, counts nothing, records nothing and says what would happen', async () => {
    const tool = definition({ permissions: { user: 'allowed', agent: 'confirmation_required' } });
    let judged: boolean | undefined;
    const limits = {
      judge: (call: GateCall): StepAnswer => {
        judged = call.isPreview;
        return pass('limits');
      },
      finished: () => assert.fail('a preview finishes nothing'),
    };
    await withGate({ capabilities: [capabilityOf(tool)], limits }, async (gate) => {
      const preview = await gate.preview('do_thing');
      assert.equal(preview.effect, 'ask');
      assert.deepEqual(
        preview.reasons.map((reason) => worded(reason.said)),
        ['the tool needs confirmation for agents'],
      );
      assert.deepEqual(
        preview.steps.map((step) => `${step.step} ${step.effect}`),
        [
          'find pass',
          'enabled pass',
          'permission ask',
          'scopes pass',
          'input pass',
          'mode pass',
          'plan pass',
          'boundaries pass',
          'requirements pass',
          'limits pass',
        ],
      );
      assert.deepEqual([gate.asked.length, gate.events.length, judged], [0, 0, true]);
    });
  });

  it('one gate: a tool that calls another one goes through every step again', async () => {
    const inner = capabilityOf(
      definition({ name: 'inner', permissions: { user: 'allowed', agent: 'forbidden' } }),
      {},
      { id: 'inner' },
    );
    const outer = capabilityOf(
      definition({ name: 'outer' }),
      { run: async (_input, context) => ({ payload: codeOf(await context.invokeTool('inner', {})) }) },
      { id: 'outer' },
    );
    await withGate({ capabilities: [inner, outer] }, async (gate) => {
      const result = await gate.call('outer');
      assert.equal(result.success && result.payload, 'permission_denied');
      const violation = gate.events.find((event) => event.type === 'policy.violation');
      assert.equal(violation?.type === 'policy.violation' && violation.parentId, result.invocationId);
    });
  });
});
