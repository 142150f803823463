import { strict as assert } from 'node:assert';
import { capabilities } from '../../../../src/capabilities/capabilities/capabilities';
import type { GovernancePort } from '../../../../src/core/ports/governance';
import { callTool } from '../../../support/toolContext';

const governance: GovernancePort = {
  resolve: async (id) =>
    id === 'cap.publish'
      ? {
          id,
          name: 'Publish',
          verdict: 'yes-after-probe',
          blocking: [],
          requiredActions: ['probe:key.x'],
          accounts: [],
          warnings: ['key.x: stale'],
          tools: [{ name: 'publish', effect: 'ask', why: 'the tool needs confirmation' }],
        }
      : { unknown: true, near: ['cap.publish'] },
  why: async (tool) => ({
    tool,
    effect: 'deny',
    accesses: [],
    steps: [
      { step: 'find', effect: 'pass', reasons: [] },
      { step: 'boundaries', effect: 'deny', reasons: [{ text: 'boundary "x": no', rule: 'x' }] },
    ],
    rules: [],
    message: 'denied by boundary "x": no',
  }),
};

const check = (input: unknown) => callTool(capabilities, 'check_capability', input, { governance });

describe('check_capability', () => {
  it('S4.resolver: answers the verdict of a capability with what would change it', async () => {
    const result = await check({ capability: 'cap.publish' });
    assert.deepEqual(result.ok && result.outcome.payload, {
      capability: 'cap.publish',
      verdict: 'yes-after-probe',
      blocking: [],
      required_actions: ['probe:key.x'],
      warnings: ['key.x: stale'],
      tools: [{ name: 'publish', effect: 'ask', why: 'the tool needs confirmation' }],
    });
  });

  it('answers what exactly a call would meet', async () => {
    const result = await check({ tool: 'write_file', arguments: { path: 'a' } });
    assert.deepEqual(result.ok && result.outcome.payload, {
      tool: 'write_file',
      effect: 'deny',
      reasons: ['boundaries: boundary "x": no'],
      message: 'denied by boundary "x": no',
    });
  });

  it('names the nearest capability and says what it expects', async () => {
    const errors = await Promise.all(
      [{ capability: 'cap.pub' }, {}, { capability: 'a', tool: 'b' }, { capability: 'cap.publish', arguments: {} }].map(
        check,
      ),
    );
    assert.deepEqual(
      errors.map((one) => !one.ok && one.error.code),
      ['not_found', 'invalid_input', 'invalid_input', 'invalid_input'],
    );
    assert.match(!errors[0]!.ok ? errors[0]!.error.message : '', /did you mean `cap.publish`/);
  });
});
