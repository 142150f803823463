import { isToolError } from '../vocabulary/errors';
import type { StopSign } from '../base/stopSign';
import type { Clock } from '../ports/platform';
import type { GateCall } from '../call/gateCall';
import { passingFault, type Retries } from './retries';

/** What a running handler is held by: its signal, and a way to stop its clock while a person is being asked. */
export interface RunControl {
  /** Aborts at the timeout, when the caller cancels, and when the call is over, so that work left behind ends too. */
  readonly signal: AbortSignal;
  /** The same for who only looks. */
  readonly stopped: StopSign;
  /** The time that the call has left, in milliseconds. */
  left(): number;
  pause<W>(wait: Promise<W>): Promise<W>;
}

/**
 * Step 12: runs a handler under the tool's timeout and the caller's cancellation, and tries a fault of the system that
 * may pass again where the tool is idempotent; all tries share the tool's time. A tool error is the handler's answer. A
 * handler that ignores its signal is abandoned: its late answer is dropped. `pause` stops the timeout while a person is
 * being asked.
 */
export async function runHandler<T>(
  call: GateCall,
  clock: Clock,
  retries: () => Retries,
  run: (control: RunControl) => Promise<T>,
): Promise<T> {
  let left = call.tool.definition.timeoutMs;
  for (let tried = 1; ; tried++) {
    const attempt = new Run<T>(call, clock, left);
    try {
      return await attempt.start(run);
    } catch (error) {
      const passing = isToolError(error) ? undefined : passingFault(error);
      const failedAt = clock.monotonic();
      left = attempt.left();
      if (!passing || !(await retries().again(tried, passing, left, call.signal))) throw error;
      left -= clock.monotonic() - failedAt;
    }
  }
}

/**
 * Tells work that a handler left behind that its call is over. One object for all calls: making one takes as long as
 * the rest of this step.
 */
const finished = Object.freeze({ name: 'AbortError', message: 'finished' });

/**
 * One attempt. The signal is made when the handler first asks for it: most handlers never do, and making one costs more
 * than they do.
 */
class Run<T> implements RunControl, StopSign {
  readonly stopped: StopSign = this;
  readonly #call: GateCall;
  readonly #clock: Clock;
  #controller: AbortController | undefined;
  /** Why the signal is aborted, or undefined while the handler runs. */
  #ended: unknown;
  #timer: { dispose(): void } | undefined;
  #left: number;
  #since: number;
  #waiting = 0;
  #reject: (error: unknown) => void = () => undefined;

  constructor(call: GateCall, clock: Clock, left: number) {
    this.#call = call;
    this.#clock = clock;
    this.#left = left;
    this.#since = clock.monotonic();
  }

  get aborted(): boolean {
    return this.#ended !== undefined;
  }

  get reason(): unknown {
    return this.#ended;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#ended !== undefined) this.#controller.abort(this.#ended);
    }
    return this.#controller.signal;
  }

  left(): number {
    return this.#waiting > 0 ? this.#left : this.#left - (this.#clock.monotonic() - this.#since);
  }

  async pause<W>(wait: Promise<W>): Promise<W> {
    if (this.#waiting++ === 0) {
      this.#timer?.dispose();
      this.#left -= this.#clock.monotonic() - this.#since;
    }
    try {
      return await wait;
    } finally {
      if (--this.#waiting === 0 && this.#ended === undefined) {
        this.#since = this.#clock.monotonic();
        this.#startTimer();
      }
    }
  }

  start(run: (control: RunControl) => Promise<T>): Promise<T> {
    const { signal } = this.#call;
    return new Promise<T>((resolve, reject) => {
      this.#reject = reject;
      if (signal.aborted) this.#onAbort();
      else {
        signal.addEventListener('abort', this.#onAbort, { once: true });
        this.#startTimer();
      }
      const failed = (error: unknown): void => {
        this.#end(finished);
        reject(error);
      };
      try {
        run(this).then((value) => {
          this.#end(finished);
          resolve(value);
        }, failed);
      } catch (error) {
        failed(error);
      }
    });
  }

  #startTimer(): void {
    this.#timer = this.#clock.schedule(
      () => this.#fail(new DOMException('timed out', 'TimeoutError')),
      Math.max(1, this.#left),
    );
  }

  readonly #onAbort = (): void => this.#fail(new DOMException('cancelled', 'AbortError'));

  #fail(error: Error): void {
    if (this.#ended !== undefined) return;
    this.#end(error);
    this.#reject(error);
  }

  /** Ends the attempt once: a late answer changes nothing, and nothing of it stays behind. */
  #end(why: unknown): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    this.#timer?.dispose();
    this.#call.signal.removeEventListener('abort', this.#onAbort);
    this.#controller?.abort(why);
  }
}
