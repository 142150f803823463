import type { ToolContext } from '../../core/tool';

const pauseMs = 200;

/** Reports how far a long call is, at once and then at most five times a second; the message is made only when it is shown. */
export function progressOf(context: ToolContext): (message: () => string) => void {
  const { clock } = context.ports;
  let last = -Infinity;
  return (message) => {
    const now = clock.monotonic();
    if (now - last < pauseMs) return;
    last = now;
    context.report({ message: message() });
  };
}
