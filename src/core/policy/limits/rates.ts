import { isObject } from '../../base/json';
import { say, type Sentence } from '../../base/sentence';
import { deny } from '../../call/stepAnswer';
import type { RegisteredTool } from '../../registry/registry';
import type { StepAnswer } from '../../vocabulary/decision';
import { rateLimitExceeded } from '../../vocabulary/errors';
import type { RateLimit } from '../../vocabulary/toolDefinition';
import type { LimitSettings } from './limitSettings';
import { namesOfTool, toolNames } from '../rules/subject';
import { SlidingLog } from './slidingLog';
import { sourceKey } from '../../vocabulary/toolSource';

/** Beyond so many keys, those whose window is empty are forgotten. */
const sweepAt = 1024;
/** Of one window, at most so many times are kept over a reload; of more calls several share one. */
const mostStored = 5000;

/** From so many calls in a millisecond on, a rate is a brake: nobody counts on its number. */
const looseFrom = 600 / 60_000;

/** When a call was made, or the last of several in a row, with their number. */
type StoredTime = number | readonly [at: number, calls: number];

/** One rate that a tool is held to. */
interface Window {
  /**
   * Names the log that counts the calls: what is counted and for how long, not which scope limits it to what number.
   * Tools and scopes share it, and no change of limits makes it forget.
   */
  readonly key: string;
  readonly rate: RateLimit;
  readonly said: Sentence;
  readonly rule: string;
}

/**
 * How often. Windows slide: in no stretch of the window's length are there more calls than the limit, no call is
 * refused that would have fitted, and the time to wait is exact to the millisecond.
 */
export class RateWindows {
  #layers: readonly LimitSettings[];
  #windowsOf = new WeakMap<RegisteredTool, readonly Window[]>();
  #logs = new Map<string, SlidingLog>();
  /** The calls that nobody has stored yet, by log. */
  readonly #unsaved = new Map<string, number[]>();
  #sweepAt = sweepAt;

  constructor(layers: readonly LimitSettings[]) {
    this.#layers = layers;
  }

  /** What was counted stays counted where a window keeps its length. */
  setLayers(layers: readonly LimitSettings[]): void {
    this.#layers = layers;
    this.#windowsOf = new WeakMap();
  }

  /** Sliding windows that are held in memory. */
  get size(): number {
    return this.#logs.size;
  }

  /** Names the window that keeps the call waiting longest. */
  denial(tool: RegisteredTool, now: number): StepAnswer | undefined {
    let worst: { wait: number; window: Window } | undefined;
    for (const window of this.#windows(tool)) {
      const { key, rate } = window;
      const log = this.#logs.get(key) ?? new SlidingLog(rate.windowMs);
      const wait = log.retryAfter(now, rate.requests);
      if (wait > 0 && (!worst || wait > worst.wait)) worst = { wait, window };
    }
    return worst && deny('limits', rateLimitExceeded(tool.modelName, worst.window.said, worst.wait), worst.window.rule);
  }

  /** What a tool is held to: a number that somebody counts on, or only so many a second that nobody means them. */
  holds(tool: RegisteredTool): 'nothing' | 'loosely' | 'exactly' {
    const windows = this.#windows(tool);
    if (windows.length === 0) return 'nothing';
    return windows.every(({ rate }) => rate.requests / rate.windowMs >= looseFrom) ? 'loosely' : 'exactly';
  }

  count(tool: RegisteredTool, now: number): void {
    for (const { key, rate } of this.#windows(tool)) {
      let log = this.#logs.get(key);
      if (!log) this.#logs.set(key, (log = new SlidingLog(rate.windowMs)));
      log.add(now);
      const unsaved = this.#unsaved.get(key);
      if (unsaved) unsaved.push(now);
      else this.#unsaved.set(key, [now]);
    }
    if (this.#logs.size > this.#sweepAt) this.#sweep(now);
  }

  /**
   * Forgets windows that are empty, each time the number of keys has doubled, so that memory follows what is in use.
   */
  #sweep(now: number): void {
    for (const [key, log] of this.#logs) if (log.count(now) === 0) this.#logs.delete(key);
    this.#sweepAt = Math.max(sweepAt, this.#logs.size * 2);
  }

  /** The windows of a tool, worked out once for each tool and set of limits. */
  #windows(tool: RegisteredTool): readonly Window[] {
    const known = this.#windowsOf.get(tool);
    if (known) return known;
    const windows = windowsOf(tool, this.#layers);
    this.#windowsOf.set(tool, windows);
    return windows;
  }

  /** The times of all windows as `toWall` turns them. */
  stored(now: number, toWall: (at: number) => number): Readonly<Record<string, readonly StoredTime[]>> {
    const stored: Record<string, readonly StoredTime[]> = {};
    for (const [key, log] of this.#logs) {
      const times = log.times(now);
      if (times.length > 0) stored[key] = folded(times.map(toWall));
    }
    return stored;
  }

  /** True where something was counted here that is not stored yet. */
  get isUnsaved(): boolean {
    return this.#unsaved.size > 0;
  }

  saved(): void {
    this.#unsaved.clear();
  }

  /** Takes what is stored in the place of what is known, and adds what was counted here and is not stored yet. */
  load(stored: unknown, toMonotonic: (at: number) => number): void {
    const lists = new Map<string, readonly number[]>();
    for (const [key, times] of Object.entries(isObject(stored) ? stored : {}))
      if (Array.isArray(times)) lists.set(key, (times as readonly unknown[]).flatMap(readTimes).map(toMonotonic));
    for (const [key, times] of this.#unsaved) lists.set(key, [...(lists.get(key) ?? []), ...times]);
    this.#logs = new Map();
    for (const [key, times] of lists) {
      const windowMs = Number(key.split(' ', 1)[0]);
      if (!(windowMs > 0)) continue;
      const log = new SlidingLog(windowMs);
      for (const at of [...times].sort((a, b) => a - b)) log.add(at);
      this.#logs.set(key, log);
    }
  }
}

/** As many calls in fewer times. One that takes the time of a later call counts for longer, never for shorter. */
function folded(times: readonly number[]): readonly StoredTime[] {
  const each = Math.ceil(times.length / mostStored);
  if (each <= 1) return times;
  const folds: StoredTime[] = [];
  for (let start = 0; start < times.length; start += each) {
    const calls = Math.min(each, times.length - start);
    folds.push([times[start + calls - 1] ?? 0, calls]);
  }
  return folds;
}

/** The times of what was stored as one; none for what cannot be read. */
function readTimes(stored: unknown): readonly number[] {
  const [at, calls]: readonly unknown[] = Array.isArray(stored) ? stored : [stored, 1];
  if (typeof at !== 'number' || !Number.isFinite(at) || typeof calls !== 'number') return [];
  return calls >= 1 && calls <= mostStored ? Array.from({ length: calls }, () => at) : [];
}

const keyOf = (name: string, windowMs: number): string => `${windowMs} ${name}`;

/** The windows of a tool; where several scopes limit the same, the lowest of their numbers. */
function windowsOf(tool: RegisteredTool, layers: readonly LimitSettings[]): readonly Window[] {
  const { id, definition, source, capability } = tool;
  const origin = sourceKey(source);
  const windows = new Map<string, Window>();
  const add = (
    name: string,
    rate: RateLimit | undefined,
    said: (requests: number, window: string) => Sentence,
  ): void => {
    if (!rate) return;
    const { requests, windowMs } = rate;
    const key = keyOf(name, windowMs);
    if (requests >= (windows.get(key)?.rate.requests ?? Number.POSITIVE_INFINITY)) return;
    const rule = `${name}|${requests}|${windowMs}`;
    windows.set(key, { key, rate, said: said(requests, duration(windowMs)), rule });
  };
  const ofTool = (requests: number, window: string): Sentence => say('rate_of_tool', requests, window);
  const ofGroup = (group: string) => (requests: number, window: string) =>
    say('rate_of_group', requests, window, group);
  const ofAll = (requests: number, window: string): Sentence => say('rate_of_all', requests, window);
  add(`tool:${id}`, definition.rateLimit, ofTool);
  add(`capability:${capability.id}`, capability.limits, ofGroup(capability.id));
  const named = namesOfTool(tool);
  for (const limits of layers) {
    const limitOf = (loosens: boolean): RateLimit | undefined =>
      toolNames(named, loosens).flatMap((name) => limits.tools[name] ?? [])[0];
    const own = limitOf(true);
    add(`tool:${id}`, own ?? limits.perTool, ofTool);
    // One for a bare name that it shares with ours holds beside the common one.
    if (!own) add(`tool:${id}`, limitOf(false), ofTool);
    add(
      `capability:${capability.id}`,
      limits.capabilities[capability.id] ?? limits.perCapability,
      ofGroup(capability.id),
    );
    add(`source:${origin}`, limits.sources[origin] ?? limits.perSource, ofGroup(origin));
    add('all', limits.all, ofAll);
  }
  return [...windows.values()];
}

function duration(ms: number): string {
  if (ms % 86_400_000 === 0) return `${ms / 86_400_000} d`;
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
