import { isObject } from '../../base/json';
import { say, type Sentence } from '../../base/sentence';
import { deny } from '../../call/stepAnswer';
import type { RegisteredTool } from '../../registry/registry';
import type { StepAnswer } from '../../vocabulary/decision';
import { rateLimitExceeded } from '../../vocabulary/errors';
import type { RateLimit } from '../../vocabulary/toolDefinition';
import type { LimitSettings } from './limitSettings';
import { SlidingLog } from './slidingLog';
import { sourceKey } from '../../vocabulary/toolSource';

/** Beyond so many keys, those whose window is empty are forgotten. */
const sweepAt = 1024;
/** Of one window, at most so many times are kept over a reload. */
const mostStored = 5000;

/** One rate that a tool is held to; tools with the same key share it. */
interface Window {
  readonly key: string;
  readonly rate: RateLimit;
  readonly said: Sentence;
}

/**
 * How often. Windows slide: in no stretch of the window's length are there more calls than the limit, no call is
 * refused that would have fitted, and the time to wait is exact to the millisecond.
 */
export class RateWindows {
  #layers: readonly LimitSettings[];
  #windowsOf = new WeakMap<RegisteredTool, readonly Window[]>();
  readonly #logs = new Map<string, SlidingLog>();
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
      const wait = this.#logs.get(key)?.retryAfter(now) ?? (rate.requests <= 0 ? rate.windowMs : 0);
      if (wait > 0 && (!worst || wait > worst.wait)) worst = { wait, window };
    }
    return worst && deny('limits', rateLimitExceeded(tool.modelName, worst.window.said, worst.wait), worst.window.key);
  }

  count(tool: RegisteredTool, now: number): void {
    for (const { key, rate } of this.#windows(tool)) {
      let log = this.#logs.get(key);
      if (!log) this.#logs.set(key, (log = new SlidingLog(rate.requests, rate.windowMs)));
      log.add(now);
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
  stored(now: number, toWall: (at: number) => number): Readonly<Record<string, readonly number[]>> {
    const stored: Record<string, readonly number[]> = {};
    for (const [key, log] of this.#logs) {
      const times = log.times(now);
      if (times.length > 0) stored[key] = times.slice(-mostStored).map(toWall);
    }
    return stored;
  }

  load(stored: unknown, toMonotonic: (at: number) => number): void {
    for (const [key, times] of Object.entries(isObject(stored) ? stored : {})) {
      const [, requests, windowMs] = /\|(\d+)\|(\d+(?:\.\d+)?)$/.exec(key) ?? [];
      if (requests === undefined || windowMs === undefined || !Array.isArray(times)) continue;
      const log = new SlidingLog(Number(requests), Number(windowMs));
      const numbers = (times as readonly unknown[]).filter(
        (at): at is number => typeof at === 'number' && Number.isFinite(at),
      );
      for (const at of numbers.map(toMonotonic).sort((a, b) => a - b)) log.add(at);
      this.#logs.set(key, log);
    }
  }
}

function windowsOf(
  { id, modelName, knownAs = [], definition, source, capability }: RegisteredTool,
  layers: readonly LimitSettings[],
): readonly Window[] {
  const origin = sourceKey(source);
  const windows: Window[] = [];
  const add = (
    name: string,
    rate: RateLimit | undefined,
    said: (requests: number, window: string) => Sentence,
  ): void => {
    if (!rate) return;
    const { requests, windowMs } = rate;
    windows.push({ key: `${name}|${requests}|${windowMs}`, rate, said: said(requests, duration(windowMs)) });
  };
  const ofTool = (requests: number, window: string): Sentence => say('rate_of_tool', requests, window);
  const ofGroup = (group: string) => (requests: number, window: string) =>
    say('rate_of_group', requests, window, group);
  const ofAll = (requests: number, window: string): Sentence => say('rate_of_all', requests, window);
  add(`tool:${id}`, definition.rateLimit, ofTool);
  add(`capability:${capability.id}`, capability.limits, ofGroup(capability.id));
  const names = [id, modelName, ...knownAs, definition.name];
  layers.forEach((limits, layer) => {
    const own = names.map((name) => limits.tools[name]).find((limit) => limit !== undefined);
    add(`tool:${layer}:${id}`, own ?? limits.perTool, ofTool);
    add(
      `capability:${layer}:${capability.id}`,
      limits.capabilities[capability.id] ?? limits.perCapability,
      ofGroup(capability.id),
    );
    add(`source:${layer}:${origin}`, limits.sources[origin] ?? limits.perSource, ofGroup(origin));
    add(`all:${layer}`, limits.all, ofAll);
  });
  return windows;
}

function duration(ms: number): string {
  if (ms % 86_400_000 === 0) return `${ms / 86_400_000} d`;
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
