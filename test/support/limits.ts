import { strict as assert } from 'node:assert';
import type { GateCall } from '../../src/core/call/gateCall';
import { CallLimits } from '../../src/core/policy/limits/limits';
import { effectiveLimits, parseLimits } from '../../src/core/policy/limits/limitSettings';
import type { ToolResult } from '../../src/core/vocabulary/toolResult';
import { type FakeCall, fakeCall } from './gateCall';
import { FakeClock, type MemoryStore } from './toolContext';

/** The limits that a setting without a mistake makes, and no others. */
export function limitsOf(raw: unknown, clock = new FakeClock(), storage?: MemoryStore): CallLimits {
  const base = {
    tools: {},
    capabilities: {},
    sources: {},
    budget: {},
    concurrency: {},
    repetition: 0,
    circuit: { failures: 0, cooldownSeconds: 60 },
  };
  const { value, problems } = parseLimits(raw, base);
  assert.deepEqual(problems, []);
  return new CallLimits({ clock, limits: [value], ...(storage ? { storage } : {}) });
}

/** What a call comes to that ended well. */
export const ok = (call: GateCall, payload: unknown = 'x', durationMs = 1): ToolResult => ({
  success: true,
  invocationId: call.invocationId,
  toolId: call.tool.id,
  payload: payload as never,
  declaredSideEffects: [],
  durationMs,
});

/** What a call comes to that failed. */
export const failed = (call: GateCall, code: 'internal_error' | 'not_found'): ToolResult => ({
  success: false,
  invocationId: call.invocationId,
  toolId: call.tool.id,
  error: { code, message: code, retryable: false },
  declaredSideEffects: [],
  durationMs: 1,
});

/** Judges a call, and ends it unless it was refused. */
export function runOnce(limits: CallLimits, options: FakeCall = {}, result?: (call: GateCall) => ToolResult) {
  const call = fakeCall(options);
  const answer = limits.judge(call);
  if (answer.effect !== 'deny') limits.finished(call, (result ?? ok)(call));
  return answer;
}

/** The limits in force where a user and further scopes set some. */
export const layersOf = (user: unknown, ...others: readonly unknown[]) =>
  effectiveLimits(parseLimits(user).value, undefined, others).value;

/** How many calls of a person pass, one after the other, until one is refused or so many have passed. */
export function passing(limits: CallLimits, most = 10): number {
  let passed = 0;
  while (passed < most && runOnce(limits, { actor: { type: 'user', id: 'u' } }).effect === 'pass') passed++;
  return passed;
}
