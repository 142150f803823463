import type { GateCall } from '../call/gateCall';
import type { ChangeOrigin } from '../ports/changes';

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
