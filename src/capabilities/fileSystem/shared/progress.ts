import { pause } from '../../../core/base/pause';
import { checkCancelled } from './target';
import type { AccessContext, ToolContext } from '../../../core/capability/tool';

const pauseMs = 200;

/**
 * Reports how far a long call is, at once and then at most five times a second; the message is made only when it is
 * shown.
 */
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

const sliceMs = 15;

/**
 * Lets everything else in the process have its turn, and ends the work where the call has been cancelled; to be awaited
 * between two pieces of work that take long together. Most of the time it does nothing.
 */
export function breaksOf(context: Pick<AccessContext, 'ports' | 'signal'>): () => Promise<void> {
  const { clock } = context.ports;
  let since = clock.monotonic();
  return async () => {
    if (clock.monotonic() - since < sliceMs) return;
    await pause(0, context.signal, clock);
    checkCancelled(context.signal);
    since = clock.monotonic();
  };
}
