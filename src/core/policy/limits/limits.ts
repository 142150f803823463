import { canonicalJson, isObject, type Json } from '../../base/json';
import type { Disposable } from '../../base/lifecycle';
import {
  budgetExceeded,
  circuitOpen,
  type ErrorCode,
  rateLimitExceeded,
  toolError,
  type ToolError,
} from '../../vocabulary/errors';
import type { GateCall, LimitJudge } from '../../call/gateCall';
import { shortHash } from '../../vocabulary/names';
import type { PayloadText } from '../../base/payloadText';
import type { Clock, KeyValueStore } from '../../ports/platform';
import type { RegisteredTool } from '../../registry/registry';
import { type RateLimit, sourceKey } from '../../vocabulary/toolDefinition';
import type { ToolResult } from '../../vocabulary/toolResult';
import { defaultLimits, type EffectiveLimits } from './limitSettings';
import { SlidingLog } from './slidingLog';
import type { Reason, StepAnswer } from '../../vocabulary/decision';

const storeKey = 'limits';
const saveDelayMs = 2000;
/** Beyond so many keys, those whose window is empty are forgotten. */
const sweepAt = 1024;

/** Failures that say something about the tool's health; a wrong path or a refused host say nothing. */
const unhealthy: ReadonlySet<ErrorCode> = new Set([
  'internal_error',
  'timeout',
  'network_error',
  'mcp_error',
  'process_error',
  'sandbox_error',
  'database_error',
  'email_error',
  'invalid_output',
]);

interface Circuit {
  failures: number;
  openUntil: number;
  isTrying: boolean;
}

/** The last call of an actor and what came of it: its text while few and short texts are kept, else a digest. */
interface Repeat {
  readonly callKey: string;
  readonly length: number;
  readonly whole?: string;
  readonly digest?: string;
  times: number;
}

/** The last answers of so many actors are kept as they are, each up to so many characters. */
const mostKept = 16;
const longestKept = 300_000;

interface Running {
  readonly toolId: string;
  readonly callKey: string | undefined;
}

export interface CallLimitsOptions {
  readonly clock: Clock;
  /** Keeps the windows and circuits over a reload. */
  readonly storage?: KeyValueStore;
  readonly limits?: EffectiveLimits;
  readonly onError?: (error: unknown) => void;
  /** A short text that stands for a long one; long answers are compared by it. */
  readonly digest?: (text: string) => string;
  readonly payloadText?: PayloadText;
}

/** What the session has used up, for the tree and `why`. */
export interface SessionUse {
  readonly calls: number;
  readonly seconds: number;
  readonly megabytes: number;
  readonly running: number;
  /** Sliding windows that are held in memory. */
  readonly windows: number;
}

/**
 * Judges how often, how much and how many at once. Windows slide: in no stretch of the window's length are there more
 * calls than the limit, no call is refused that would have fitted, and the time to wait is exact to the millisecond.
 * Refused calls do not count.
 */
export class CallLimits implements LimitJudge, Disposable {
  readonly #clock: Clock;
  readonly #digest: (text: string) => string;
  readonly #payloadText: PayloadText;
  readonly #storage: KeyValueStore | undefined;
  readonly #onError: (error: unknown) => void;
  #limits: EffectiveLimits;
  #windowsOf = new WeakMap<RegisteredTool, readonly Window[]>();
  #logs = new Map<string, SlidingLog>();
  #sweepAt = sweepAt;
  readonly #running = new Map<string, Running>();
  readonly #runningPerTool = new Map<string, number>();
  readonly #circuits = new Map<string, Circuit>();
  readonly #repeats = new Map<string, Repeat>();
  #use = { calls: 0, ms: 0, bytes: 0 };
  #latest = Number.NEGATIVE_INFINITY;
  #saving: { dispose(): void } | undefined;
  #isDisposed = false;

  constructor(options: CallLimitsOptions) {
    this.#clock = options.clock;
    this.#storage = options.storage;
    this.#limits = options.limits ?? { layers: [defaultLimits] };
    this.#onError = options.onError ?? (() => {});
    this.#digest = options.digest ?? shortHash;
    this.#payloadText = options.payloadText ?? JSON.stringify;
    this.#load();
  }

  /** Replaces the limits; what was counted stays counted where a window keeps its length. */
  setLimits(limits: EffectiveLimits): void {
    this.#limits = limits;
    this.#windowsOf = new WeakMap();
  }

  get use(): SessionUse {
    return {
      calls: this.#use.calls,
      seconds: this.#use.ms / 1000,
      megabytes: this.#use.bytes / 1_000_000,
      running: this.#running.size,
      windows: this.#logs.size,
    };
  }

  /** Time never goes backwards here, whatever the clock does. */
  #now(): number {
    this.#latest = Math.max(this.#latest, this.#clock.monotonic());
    return this.#latest;
  }

  judge(call: GateCall): StepAnswer {
    const now = this.#now();
    const denied = this.#circuitDenial(call, now) ?? this.#budgetDenial() ?? this.#concurrencyDenial(call);
    if (denied) return denied;
    const windows = this.#windows(call);
    let worst: { wait: number; words: string; key: string } | undefined;
    for (const { key, rate, words } of windows) {
      const wait = this.#logs.get(key)?.retryAfter(now) ?? (rate.requests <= 0 ? rate.windowMs : 0);
      if (wait > 0 && (!worst || wait > worst.wait)) worst = { wait, words, key };
    }
    if (worst) return deny(rateLimitExceeded(call.tool.modelName, worst.words, worst.wait), worst.key);
    const reasons = this.#repetition(call);
    if (!call.isPreview) this.#count(call, windows, now);
    return { step: 'limits', effect: reasons.length > 0 ? 'ask' : 'pass', reasons };
  }

  #count(call: GateCall, windows: readonly Window[], now: number): void {
    for (const { key, rate } of windows) {
      let log = this.#logs.get(key);
      if (!log) this.#logs.set(key, (log = new SlidingLog(rate.requests, rate.windowMs)));
      log.add(now);
    }
    if (this.#logs.size > this.#sweepAt) this.#sweep(now);
    this.#use.calls++;
    const circuit = this.#circuits.get(call.tool.id);
    if (circuit && circuit.openUntil > 0) circuit.isTrying = true;
    this.#running.set(call.invocationId, { toolId: call.tool.id, callKey: callKey(call) });
    this.#runningPerTool.set(call.tool.id, (this.#runningPerTool.get(call.tool.id) ?? 0) + 1);
    this.#saveSoon();
  }

  /**
   * Forgets windows that are empty, each time the number of keys has doubled, so that memory follows what is in use.
   */
  #sweep(now: number): void {
    for (const [key, log] of this.#logs) if (log.count(now) === 0) this.#logs.delete(key);
    this.#sweepAt = Math.max(sweepAt, this.#logs.size * 2);
  }

  finished(call: GateCall, result: ToolResult): void {
    const running = this.#running.get(call.invocationId);
    if (!running) return;
    this.#running.delete(call.invocationId);
    const left = (this.#runningPerTool.get(running.toolId) ?? 1) - 1;
    if (left > 0) this.#runningPerTool.set(running.toolId, left);
    else this.#runningPerTool.delete(running.toolId);
    const text = result.success
      ? (this.#payloadText(result.payload) ?? '')
      : `${result.error.code} ${result.error.message}`;
    this.#use.ms += Math.max(0, result.durationMs);
    this.#use.bytes += text.length;
    this.#rememberCircuit(running.toolId, result);
    if (running.callKey !== undefined) this.#rememberRepeat(call, running.callKey, text);
    this.#saveSoon();
  }

  /** The windows of a tool, worked out once for each tool and set of limits. */
  #windows({ tool }: GateCall): readonly Window[] {
    const known = this.#windowsOf.get(tool);
    if (known) return known;
    const windows = this.#makeWindows(tool);
    this.#windowsOf.set(tool, windows);
    return windows;
  }

  #makeWindows(tool: RegisteredTool): readonly Window[] {
    const { id, modelName, definition, source, capability } = tool;
    const origin = sourceKey(source);
    const out: Window[] = [];
    const add = (name: string, rate: RateLimit | undefined, words: string): void => {
      if (rate)
        out.push({
          key: `${name}|${rate.requests}|${rate.windowMs}`,
          rate,
          words: `${rate.requests} calls per ${duration(rate.windowMs)}${words}`,
        });
    };
    add(`tool:${id}`, definition.rateLimit, '');
    add(`capability:${capability.id}`, capability.limits, ` for all tools of \`${capability.id}\``);
    this.#limits.layers.forEach((limits, layer) => {
      add(
        `tool:${layer}:${id}`,
        limits.tools[id] ?? limits.tools[modelName] ?? limits.tools[definition.name] ?? limits.perTool,
        '',
      );
      add(
        `capability:${layer}:${capability.id}`,
        limits.capabilities[capability.id] ?? limits.perCapability,
        ` for all tools of \`${capability.id}\``,
      );
      add(`source:${layer}:${origin}`, limits.sources[origin] ?? limits.perSource, ` for all tools of \`${origin}\``);
      add(`all:${layer}`, limits.all, ' for all tools together');
    });
    return out;
  }

  #circuitDenial(call: GateCall, now: number): StepAnswer | undefined {
    const circuit = this.#circuits.get(call.tool.id);
    if (!circuit || circuit.openUntil === 0) return undefined;
    if (now < circuit.openUntil)
      return deny(circuitOpen(call.tool.modelName, circuit.openUntil - now), 'limit.circuit');
    // One call at a time tries whether the tool works again.
    return circuit.isTrying ? deny(circuitOpen(call.tool.modelName, 1000), 'limit.circuit') : undefined;
  }

  #budgetDenial(): StepAnswer | undefined {
    for (const { budget } of this.#limits.layers) {
      if (budget.calls !== undefined && this.#use.calls >= budget.calls)
        return deny(budgetExceeded('calls', String(budget.calls)), 'limit.budget');
      if (budget.seconds !== undefined && this.#use.ms >= budget.seconds * 1000)
        return deny(budgetExceeded('seconds', String(budget.seconds)), 'limit.budget');
      if (budget.megabytes !== undefined && this.#use.bytes >= budget.megabytes * 1_000_000)
        return deny(budgetExceeded('megabytes', String(budget.megabytes)), 'limit.budget');
    }
    return undefined;
  }

  #concurrencyDenial(call: GateCall): StepAnswer | undefined {
    const { modelName, id } = call.tool;
    for (const { concurrency } of this.#limits.layers) {
      if (concurrency.perTool !== undefined && (this.#runningPerTool.get(id) ?? 0) >= concurrency.perTool)
        return deny(tooManyCalls(`\`${modelName}\``, concurrency.perTool), 'limit.concurrency');
      if (concurrency.all !== undefined && this.#running.size >= concurrency.all)
        return deny(tooManyCalls('all tools', concurrency.all), 'limit.concurrency');
    }
    return undefined;
  }

  #repetition(call: GateCall): readonly Reason[] {
    const limit = Math.min(
      ...this.#limits.layers.map((one) => (one.repetition > 0 ? one.repetition : Number.POSITIVE_INFINITY)),
    );
    const last = this.#repeats.get(call.actor.id);
    if (!last || last.times < limit || callKey(call) !== last.callKey) return [];
    return [
      {
        text: `the same call gave the same result ${last.times} times in a row, so the agent may be going in circles`,
        rule: 'limit.repetition',
      },
    ];
  }

  #rememberRepeat(call: GateCall, key: string, result: string): void {
    const last = this.#repeats.get(call.actor.id);
    if (last?.callKey === key && this.#isSameResult(last, result)) last.times++;
    else {
      // Few actors exist; the oldest goes where somebody makes up many.
      if (this.#repeats.size > 1000) this.#repeats.delete(this.#repeats.keys().next().value ?? '');
      // Most calls differ from the one before, and for them a digest would be made in vain.
      const isKept = result.length <= longestKept && this.#repeats.size < mostKept;
      this.#repeats.set(call.actor.id, {
        callKey: key,
        length: result.length,
        ...this.#inShort(result, isKept),
        times: 1,
      });
    }
  }

  #inShort(result: string, isKept: boolean): Pick<Repeat, 'whole' | 'digest'> {
    return isKept ? { whole: result } : { digest: this.#digest(result) };
  }

  #isSameResult(last: Repeat, result: string): boolean {
    if (last.length !== result.length) return false;
    return last.whole === undefined ? last.digest === this.#digest(result) : last.whole === result;
  }

  #rememberCircuit(toolId: string, result: ToolResult): void {
    const rules = this.#limits.layers.map((one) => one.circuit).filter((one) => one.failures > 0);
    if (rules.length === 0) return;
    const circuit = this.#circuits.get(toolId) ?? { failures: 0, openUntil: 0, isTrying: false };
    if (result.success || !unhealthy.has(result.error.code)) {
      // A call that was refused or cancelled says nothing about the tool; it only gives the trial back.
      if (result.success || !gateCodes.has(result.error.code)) this.#circuits.delete(toolId);
      else circuit.isTrying = false;
      return;
    }
    circuit.failures++;
    circuit.isTrying = false;
    this.#circuits.set(toolId, circuit);
    const tripped = rules.filter((one) => circuit.failures >= one.failures);
    if (tripped.length > 0)
      circuit.openUntil = this.#now() + Math.max(...tripped.map((one) => one.cooldownSeconds)) * 1000;
  }

  #saveSoon(): void {
    if (!this.#storage || this.#saving || this.#isDisposed) return;
    this.#saving = this.#clock.schedule(() => {
      this.#saving = undefined;
      void this.save();
    }, saveDelayMs);
  }

  /** Keeps what is still to be kept, and lets go of the timer. */
  dispose(): void {
    this.#isDisposed = true;
    if (this.#saving) void this.save();
  }

  /**
   * Writes windows and circuits to storage, as times since 1970, because the monotonic clock starts anew with each
   * process.
   */
  async save(): Promise<void> {
    this.#saving?.dispose();
    this.#saving = undefined;
    const now = this.#now();
    const wall = this.#clock.now();
    const logs: Record<string, readonly number[]> = {};
    for (const [key, log] of this.#logs) {
      const times = log.times(now);
      if (times.length > 0) logs[key] = times.slice(-5000).map((at) => wall - (now - at));
    }
    const circuits: Record<string, Json> = {};
    for (const [id, one] of this.#circuits)
      circuits[id] = { failures: one.failures, openUntil: one.openUntil === 0 ? 0 : wall + (one.openUntil - now) };
    try {
      await this.#storage?.set(storeKey, { logs, circuits });
    } catch (error) {
      this.#onError(error);
    }
  }

  #load(): void {
    const stored = this.#storage?.get(storeKey);
    if (!isObject(stored)) return;
    const now = this.#now();
    const wall = this.#clock.now();
    // A clock that was set back makes times lie in the future; they count as just now, which is the strict reading.
    const toMonotonic = (at: number): number => now - Math.max(0, wall - at);
    for (const [key, times] of Object.entries(isObject(stored['logs']) ? stored['logs'] : {})) {
      const [, requests, windowMs] = /\|(\d+)\|(\d+(?:\.\d+)?)$/.exec(key) ?? [];
      if (requests === undefined || windowMs === undefined || !Array.isArray(times)) continue;
      const log = new SlidingLog(Number(requests), Number(windowMs));
      const numbers = (times as readonly unknown[]).filter(
        (at): at is number => typeof at === 'number' && Number.isFinite(at),
      );
      for (const at of numbers.map(toMonotonic).sort((a, b) => a - b)) log.add(at);
      this.#logs.set(key, log);
    }
    for (const [id, one] of Object.entries(isObject(stored['circuits']) ? stored['circuits'] : {})) {
      if (!isObject(one) || typeof one['failures'] !== 'number' || typeof one['openUntil'] !== 'number') continue;
      const longest = Math.max(...this.#limits.layers.map((layer) => layer.circuit.cooldownSeconds)) * 1000;
      const openUntil = one['openUntil'] === 0 ? 0 : now + Math.min(longest, Math.max(0, one['openUntil'] - wall));
      this.#circuits.set(id, { failures: one['failures'], openUntil, isTrying: false });
    }
  }
}

interface Window {
  readonly key: string;
  readonly rate: RateLimit;
  readonly words: string;
}

/** Codes of calls that never reached the tool. */
const gateCodes: ReadonlySet<ErrorCode> = new Set([
  'declined',
  'approval_timeout',
  'approval_unavailable',
  'cancelled',
  'denied_by_policy',
  'permission_denied',
]);

/** What makes two calls equal; undefined for people and for tools whose repetition means nothing. */
function callKey(call: GateCall): string | undefined {
  const { definition } = call.tool;
  if (
    call.actor.type !== 'agent' ||
    definition.repeatable ||
    definition.kind === 'state' ||
    definition.kind === 'status'
  )
    return undefined;
  const text = canonicalJson(call.input);
  return `${call.tool.id} ${text.length <= 500 ? text : `${text.length}:${shortHash(text)}`}`;
}

function deny(error: ToolError, rule: string): StepAnswer {
  return { step: 'limits', effect: 'deny', reasons: [{ text: error.data.message, rule }], error: error.data };
}

export const tooManyCalls = (what: string, limit: number): ToolError =>
  toolError('too_many_calls', `${limit} calls of ${what} are running already; wait for one to finish`, {
    retryable: true,
  });

function duration(ms: number): string {
  if (ms % 86_400_000 === 0) return `${ms / 86_400_000} d`;
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms % 1000 === 0 ? `${ms / 1000} s` : `${ms} ms`;
}
