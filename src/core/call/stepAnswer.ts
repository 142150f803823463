import type { ToolError } from '../vocabulary/errors';
import type { GateStep, Reason, StepAnswer } from '../vocabulary/decision';

export const pass = (step: GateStep, reasons: readonly Reason[] = []): StepAnswer => ({
  step,
  effect: 'pass',
  reasons,
});

export const ask = (step: GateStep, reasons: readonly Reason[]): StepAnswer => ({ step, effect: 'ask', reasons });

export const deny = (step: GateStep, error: ToolError, rule?: string): StepAnswer => ({
  step,
  effect: 'deny',
  reasons: [{ said: error.said, ...(rule ? { rule } : {}) }],
  error: error.data,
  said: error.said,
});
