import type { GateCall } from '../call/gateCall';
import type { ChangeOrigin } from '../ports/changes';
import { sourceKind, sourceName } from '../vocabulary/toolSource';

/** Which call a change comes from, and what identifies that in the history. */
export function originOf({ invocationId, tool, actor, profile, invocation: { prompt } }: GateCall): ChangeOrigin {
  return {
    call: invocationId,
    tool: tool.id,
    actor,
    profile: profile.id,
    ...(prompt === undefined ? {} : { prompt }),
  };
}

/** The other agent that runs a call by its own tools; undefined for every call that runs here. */
export const agentOf = ({ tool: { source } }: GateCall): string | undefined =>
  sourceKind(source).runsElsewhere ? sourceName(source) : undefined;

/** The origin of a change that is found by looking before and after the call. */
export const foundBy = (call: GateCall): ChangeOrigin => ({ ...originOf(call), isFound: true });
