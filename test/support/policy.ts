import type { Access } from '../../src/core/vocabulary/access';
import type { BoundaryScope } from '../../src/core/vocabulary/boundary';
import type { Effect } from '../../src/core/vocabulary/decision';
import { PolicyEngine } from '../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../src/core/policy/rules/parse';
import { presetBoundaries } from '../../src/core/policy/rules/presets';
import { fakeCall } from './gateCall';

export const write = (resource: string): Access => ({ effect: 'fs.write', resource });
export const read = (resource: string): Access => ({ effect: 'fs.read', resource });

export function engine(
  raw: unknown,
  scope: BoundaryScope = 'user',
  preset?: 'strict' | 'balanced' | 'open',
): PolicyEngine {
  return new PolicyEngine([...(preset ? presetBoundaries(preset) : []), ...parseBoundaries(raw, scope).value]);
}

export function effect(
  policy: PolicyEngine,
  accesses: readonly Access[],
  more: Parameters<typeof fakeCall>[0] = {},
): Effect {
  return judgeCall(policy, { ...more, accesses }).effect;
}

export function judgeCall(policy: PolicyEngine, options: Parameters<typeof fakeCall>[0] = {}) {
  const call = fakeCall(options);
  return policy.judge(call, call.accesses);
}
