import type { AuditEvent } from '../audit/event';
import type { Json } from '../base/json';
import type { GateCall } from '../call/gateCall';
import type { ToolResult } from '../vocabulary/toolResult';
import type { GateDependencies } from './dependencies';
import type { Progress } from './progress';
import { effectsOf, factsOf } from './records';

/** How a call ended that another program ran. */
export interface RanElsewhere {
  readonly outcome: 'success' | 'tool_error';
  /** What went wrong, in that program's words. */
  readonly errorMessage?: string;
  /** Zero where the program does not tell. */
  readonly durationMs: number;
  readonly payload?: Json;
  /** What the model gets, where that program tells; it is looked at and not recorded. */
  readonly output?: Json;
}

/** The answer to a call that may run, and that another program runs. */
export function admitted(call: GateCall, { invocationId }: Progress): ToolResult {
  return {
    success: true,
    invocationId,
    toolId: call.tool.id,
    declaredSideEffects: effectsOf(call.accesses),
    durationMs: 0,
    payload: {},
  };
}

/** The record of the end of such a call. */
export function elsewhereRecord({ ports }: GateDependencies, call: GateCall, ran: RanElsewhere): AuditEvent {
  return {
    ...factsOf(call),
    type: 'invocation.finished',
    time: ports.clock.now(),
    outcome: ran.outcome,
    durationMs: ran.durationMs,
    accesses: call.accesses,
    withheld: 0,
    steps: [],
    declaredSideEffects: effectsOf(call.accesses),
    input: call.input,
    ...(ran.errorMessage === undefined ? {} : { errorCode: 'extension_error', errorMessage: ran.errorMessage }),
    ...(ran.payload === undefined ? {} : { payload: ran.payload }),
  };
}
