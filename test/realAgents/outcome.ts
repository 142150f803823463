/** How one agent went: as expected, otherwise, or not at all, and why not. */
export type Outcome = 'right' | 'wrong' | { readonly skipped: string };

/** npm's code where a registry cannot be reached or has trouble of its own. What it refuses is a fault of ours. */
const outOfReach =
  /^(?:ENOTFOUND|ECONN(?:REFUSED|RESET|ABORTED)|E(?:IDLE|SOCKET)?TIMEDOUT|EIDLETIMEOUT|EAI_AGAIN|E(?:NET|HOST)(?:UNREACH|DOWN)|EPIPE|EPROTO|ENOTCACHED|ERR_SOCKET_TIMEOUT|ERR_INVALID_PROTOCOL|FETCH_ERROR|UND_ERR_\w+|E5\d\d)$/;

/**
 * Why the registry cannot be reached, by what npm said; undefined where it failed for another reason.
 * @param text all that was said, with the line that names npm's code.
 */
export function whyOutOfReach(text: string): string | undefined {
  if (/ended with SIGTERM\b/.test(text)) return 'the registry was too slow';
  const code = /^npm (?:error|ERR!) (?:code|errno) (\S+)$/m.exec(text)?.[1] ?? '';
  return outOfReach.test(code) ? `the registry said ${code}` : undefined;
}

/**
 * Whether a run counts as one that went well, and what is said at its end.
 * @param mayWant true for the part of `npm test`, which has no network everywhere: what was skipped says so and is no
 *   failure. Who runs the agents themselves wants to know that they all ran.
 */
export function judged(
  outcomes: readonly { readonly name: string; readonly outcome: Outcome }[],
  mayWant: boolean,
): { readonly isRight: boolean; readonly lines: readonly string[] } {
  const skipped = outcomes.flatMap(({ name, outcome }) =>
    typeof outcome === 'object' ? [`  ${name}: ${outcome.skipped}`] : [],
  );
  const isComplete = mayWant || (skipped.length === 0 && outcomes.length > 0);
  return {
    isRight: isComplete && outcomes.every(({ outcome }) => outcome !== 'wrong'),
    lines: isComplete
      ? []
      : [`NOT RUN: ${skipped.length} of ${outcomes.length} agents, so nothing is known of them here`, ...skipped],
  };
}
