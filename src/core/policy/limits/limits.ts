import { isObject, type Json } from '../../base/json';
import type { Disposable } from '../../base/lifecycle';
import { messageOf } from '../../base/errorText';
import { say } from '../../base/sentence';
import { deny } from '../../call/stepAnswer';
import { refusal } from '../../vocabulary/errors';
import type { GateCall, LimitJudge } from '../../call/gateCall';
import { type Clock, type KeyValueStore, updateStored } from '../../ports/platform';
import type { StepAnswer } from '../../vocabulary/decision';
import { shortHash } from '../../vocabulary/names';
import type { ToolResult } from '../../vocabulary/toolResult';
import { SessionBudget } from './budget';
import { CircuitBreakers } from './circuit';
import { RunningCalls } from './concurrency';
import { defaultLimits, type LimitSettings } from './limitSettings';
import { RateWindows } from './rates';
import { callKey, Repetitions } from './repetition';

const storeKey = 'limits';
const saveDelayMs = 2000;
/** So far in the future a time is none of a clock that was set back, in milliseconds. */
const slackMs = 1000;

interface CallLimitsOptions {
  readonly clock: Clock;
  /** Keeps the windows and circuits over a reload, and lets all processes that share it count together. */
  readonly storage?: KeyValueStore;
  /** True for a process that ends with its call: what others counted loosely would never come to it. */
  readonly isBrief?: boolean;
  readonly limits?: readonly LimitSettings[];
  readonly onError?: (error: unknown) => void;
  /** A short text that stands for a long one; long answers are compared by it. */
  readonly digest?: (text: string) => string;
}

/**
 * Judges how often (`rates.ts`), how much (`budget.ts`) and how many at once (`concurrency.ts`), lets a failing tool
 * rest (`circuit.ts`) and asks where an agent goes in circles (`repetition.ts`). Refused calls do not count.
 */
export class CallLimits implements LimitJudge, Disposable {
  readonly #options: CallLimitsOptions;
  #layers: readonly LimitSettings[];
  readonly #rates: RateWindows;
  readonly #budget = new SessionBudget();
  readonly #running = new RunningCalls();
  readonly #circuits = new CircuitBreakers();
  readonly #repetitions: Repetitions;
  #latest = Number.NEGATIVE_INFINITY;
  #saving: { dispose(): void } | undefined;
  /** True where something is to be stored. */
  #isUnsaved = false;
  /** What was stored when it was looked at last. */
  #seen: Json | undefined;
  #isDisposed = false;

  constructor(options: CallLimitsOptions) {
    this.#options = options;
    this.#layers = options.limits ?? [defaultLimits];
    this.#rates = new RateWindows(this.#layers);
    this.#repetitions = new Repetitions(options.digest ?? shortHash);
    const stored = options.storage?.get(storeKey);
    this.#take(stored);
    if (isObject(stored)) this.#circuits.load(stored['circuits'], this.#layers, this.#now(), options.clock.now());
  }

  /** Replaces the limits; what was counted stays counted where a window keeps its length. */
  setLimits(layers: readonly LimitSettings[]): void {
    this.#layers = layers;
    this.#rates.setLayers(layers);
  }

  /** What is counted, and how much is held in memory. */
  get use(): { readonly calls: number; readonly running: number; readonly windows: number } {
    return { calls: this.#budget.calls, running: this.#running.size, windows: this.#rates.size };
  }

  /** Time never goes backwards here, whatever the clock does. */
  #now(): number {
    this.#latest = Math.max(this.#latest, this.#options.clock.monotonic());
    return this.#latest;
  }

  /**
   * A call that a number is counted for is stored before it is allowed, so that no other process and nobody who comes
   * after a kill allows it again. Denies where it cannot be, and says why.
   */
  judge(call: GateCall): StepAnswer {
    const { storage, isBrief } = this.#options;
    if (call.isPreview) {
      this.#take(storage?.get(storeKey));
      return this.#judge(call);
    }
    const held = this.#rates.holds(call.tool);
    if (held === 'exactly' || (held === 'loosely' && isBrief)) {
      try {
        return this.#together(() => this.#judge(call));
      } catch (error) {
        this.#running.finished(call.invocationId);
        this.#options.onError?.(error);
        return deny('limits', refusal('not_available', say('limits_uncounted', messageOf(error))));
      }
    }
    const answer = this.#judge(call);
    if (this.#rates.isUnsaved) this.#saveSoon();
    return answer;
  }

  #judge(call: GateCall): StepAnswer {
    const now = this.#now();
    const { tool } = call;
    const layers = this.#layers;
    const denied =
      this.#circuits.denial(tool, now) ??
      this.#budget.denial(layers) ??
      this.#running.denial(tool, layers) ??
      this.#rates.denial(tool, now);
    if (denied) return denied;
    const reasons = this.#repetitions.reasons(call, layers);
    if (!call.isPreview) this.#count(call, now);
    return { step: 'limits', effect: reasons.length > 0 ? 'ask' : 'pass', reasons };
  }

  #count(call: GateCall, now: number): void {
    this.#rates.count(call.tool, now);
    this.#budget.started();
    this.#circuits.started(call.tool.id);
    this.#running.started(call.invocationId, { toolId: call.tool.id, callKey: callKey(call) });
  }

  finished(call: GateCall, result: ToolResult): void {
    const running = this.#running.finished(call.invocationId);
    if (!running) return;
    const text = result.success
      ? (JSON.stringify(result.payload) ?? '')
      : `${result.error.code} ${result.error.message}`;
    this.#budget.finished(result.durationMs, text.length);
    if (this.#circuits.finished(running.toolId, result, this.#layers, this.#now())) this.#saveSoon();
    if (running.callKey !== undefined) this.#repetitions.remember(call.actor.id, running.callKey, text);
  }

  #saveSoon(): void {
    if (!this.#options.storage) return this.#rates.saved();
    this.#isUnsaved = true;
    if (this.#saving || this.#isDisposed) return;
    this.#saving = this.#options.clock.schedule(() => {
      this.#saving = undefined;
      void this.save();
    }, saveDelayMs);
  }

  /** Keeps what is still to be kept, and lets go of the timer. */
  dispose(): void {
    this.#isDisposed = true;
    if (this.#saving) void this.save();
  }

  /** Stores what is not stored yet. */
  async save(): Promise<void> {
    this.#saving?.dispose();
    this.#saving = undefined;
    try {
      if (this.#isUnsaved) this.#together(() => undefined);
    } catch (error) {
      this.#options.onError?.(error);
    }
  }

  /**
   * Works on what all processes have counted by now, and stores what comes of it before anything else happens:
   * windows and circuits, as times since 1970, because the monotonic clock starts anew with each process.
   */
  #together<T>(work: () => T): T {
    const { storage, clock, onError = () => {} } = this.#options;
    const change = (stored: Json | undefined): { readonly value: Json | undefined; readonly answer: T } => {
      this.#take(stored);
      const answer = work();
      if (!this.#isUnsaved && !this.#rates.isUnsaved) return { value: stored, answer };
      const [now, wall] = [this.#now(), clock.now()];
      const toWall = (at: number): number => wall + (at - now);
      const logs = this.#rates.stored(now, toWall);
      return { value: { logs, circuits: this.#circuits.stored(toWall) }, answer };
    };
    const { answer, stored } = storage
      ? updateStored(storage, storeKey, change, onError)
      : { answer: work(), stored: undefined };
    this.#seen = stored;
    this.#rates.saved();
    this.#isUnsaved = false;
    return answer;
  }

  #take(stored: Json | undefined): void {
    if (stored === this.#seen) return;
    this.#seen = stored;
    const [now, wall] = [this.#now(), this.#options.clock.now()];
    // A clock that was set back makes times lie in the future; they count as just now, which is the strict reading, and
    // are stored so: else each process would count them as its own now until the old time comes.
    this.#rates.load(isObject(stored) ? stored['logs'] : undefined, (at) => {
      this.#isUnsaved ||= at > wall + slackMs;
      return now - Math.max(0, wall - at);
    });
  }
}
