import { stringsIn } from '../../base/json';
import type { Disposable } from '../../base/lifecycle';
import type { ApprovalAnswer, ApprovalRequest, CallApprover } from '../../call/gateCall';
import { changeStored, type Clock, type KeyValueStore } from '../../ports/platform';
import type { SecondReader } from '../../ports/secondReader';
import { placesOf, readerBar, type ReaderFacts } from './readerClass';
import { readerQuestion, readerSays } from './readerQuestion';

interface ReaderOptions {
  readonly reader: SecondReader;
  /** Who is asked about everything else. */
  readonly person: Pick<CallApprover, 'ask'>;
  readonly clock: Clock;
  /** Kept for this workspace and user. */
  readonly storage: KeyValueStore;
  readonly rules: ReaderFacts['rules'];
  /** The hash of the rules in force, for the record. */
  readonly policyRevision: () => string;
  /** `approvals.reader`: the model; empty for none. Read anew for each request. */
  readonly choice: () => string;
  /** `approvals.readerPerHour`. */
  readonly perHour: () => number;
  readonly onError: (error: unknown) => void;
}

/** The model, how many calls it let through in this window, and how many questions of this hour are left. */
export interface ReaderStatus {
  readonly model: string;
  /** True once it was looked for and there was none of this name. */
  readonly isMissing: boolean;
  readonly yes: number;
  readonly left: number;
}

const hourMs = 3_600_000;
const answerWithinMs = 5000;
const storeKey = 'reader.known';
const mostKnown = 2000;

/**
 * Lets a model say yes to what `readerBar` leaves to it, and asks the person about all else: also where the model says
 * no, says nothing within 5 s, fails, or its questions of the hour are used up. Denials never come here.
 */
export class ReaderApprovals {
  readonly #options: ReaderOptions;
  /** When it was asked, on the clock that never goes back. */
  #asked: number[] = [];
  #yes = 0;
  /** The choice that named no model when it was looked for last. */
  #missing: string | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Undefined while it is switched off. */
  status(): ReaderStatus | undefined {
    const { choice, perHour } = this.#options;
    if (choice() === '') return undefined;
    const left = Math.max(0, perHour() - this.#count());
    return { model: choice(), isMissing: choice() === this.#missing, yes: this.#yes, left };
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const start = this.#options.clock.monotonic();
    const read = await this.#read(request, signal);
    if (read && !signal.aborted) return { ...read, waitedMs: this.#options.clock.monotonic() - start };
    const answer = await this.#options.person.ask(request, signal);
    if (answer.outcome === 'allowed' && answer.by === 'user') this.#remember(request);
    return answer;
  }

  async #read(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer | undefined> {
    const { reader, rules, clock, choice, perHour, policyRevision, onError } = this.#options;
    const chosen = choice();
    const known = new Set(stringsIn(this.#options.storage.get(storeKey)));
    const bar = readerBar(request, { rules, isKnown: (place) => known.has(place) });
    if (chosen === '' || bar !== undefined || signal.aborted || this.#count() >= perHour()) return undefined;
    this.#asked.push(clock.monotonic());
    const revision = policyRevision();
    try {
      const said = await this.#inTime(signal, (stop) => reader.ask(chosen, readerQuestion(request), stop));
      if (said) this.#missing = said === 'no-model' ? chosen : undefined;
      if (!said || said === 'no-model') return undefined;
      const { isYes, words } = readerSays(said.text);
      // A choice that was taken back meanwhile, or rules that are others now, leave it to the person.
      if (!isYes || choice() !== chosen || policyRevision() !== revision) return undefined;
      this.#yes++;
      const note = { model: said.model, words, policyRevision: revision };
      return { outcome: 'allowed', by: 'reader', reader: note, waitedMs: 0 };
    } catch (error) {
      onError(error);
      return undefined;
    }
  }

  /** What was answered; undefined after 5 s and once the call has ended. */
  async #inTime<T>(signal: AbortSignal, ask: (stop: AbortSignal) => Promise<T>): Promise<T | undefined> {
    const stop = new AbortController();
    let timer: Disposable | undefined;
    const late = new Promise<undefined>((resolve) => {
      const end = (): void => {
        stop.abort();
        resolve(undefined);
      };
      timer = this.#options.clock.schedule(end, answerWithinMs);
      signal.addEventListener('abort', end, { once: true, signal: stop.signal });
    });
    try {
      const answered = ask(stop.signal);
      // Nobody waits for what comes too late, nor for its failure.
      answered.catch(() => undefined);
      return await Promise.race([answered, late]);
    } finally {
      timer?.dispose();
      stop.abort();
    }
  }

  #count(): number {
    const from = this.#options.clock.monotonic() - hourMs;
    this.#asked = this.#asked.filter((at) => at > from);
    return this.#asked.length;
  }

  /** The oldest are forgotten, and asked about anew. */
  #remember(request: ApprovalRequest): void {
    changeStored(this.#options.storage, storeKey, (now) =>
      [...new Set([...stringsIn(now), ...placesOf(request)])].slice(-mostKnown),
    ).catch(this.#options.onError);
  }
}
