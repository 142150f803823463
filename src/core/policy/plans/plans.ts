import { messageOf } from '../../base/errorText';
import { saidBy, say, type Sentence } from '../../base/sentence';
import { canonicalJson, defined, isObject, isStrings, type Json, ownValue } from '../../base/json';
import { got } from '../../base/jsonReader';
import { type Event, Emitter } from '../../base/event';
import { type LinearRegexEngine, loadLinearRegex } from '../../base/linearRegex';
import type { Disposable } from '../../base/lifecycle';
import { isReadOnly } from '../../vocabulary/access';
import { refusal } from '../../vocabulary/errors';
import { deny, pass } from '../../call/stepAnswer';
import type { Coverage, GateCall, PlanJudge } from '../../call/gateCall';
import { changeStored, type Clock, type Crypto, type KeyValueStore, updateStored } from '../../ports/platform';
import { type Parsed, type Problem, problem } from '../../base/problem';
import type { RegisteredTool } from '../../registry/registry';
import type { Access } from '../../vocabulary/access';
import type { ArgumentMatcher } from '../../vocabulary/boundary';
import { toolBindings } from '../grants/grantBinding';
import { argumentMatcher } from '../rules/clauses';
import type { OtherApproval } from '../approvals/approvals';
import type { Reason, StepAnswer } from '../../vocabulary/decision';
import { argumentTest } from '../rules/argumentTest';
import { type FrozenPlan, revokedIn, together, withUsed } from './frozenPlan';
import { planId } from './planId';
import { describeCall, type PlannedCall } from './plannedCall';

export type RequireFrozenSpec = 'never' | 'critical' | 'high';

/**
 * Reads a plan's calls: `[{ "tool": "write_file", "arguments": { "path": { "glob": "src/**" }, "content": { "exists":
 * true } }, "count": 2 }]`.
 */
export function parsePlannedCalls(raw: unknown): Parsed<readonly PlannedCall[]> {
  const problems: Problem[] = [];
  const report = (pointer: string, fault: Sentence): void => {
    problems.push(problem({ severity: 'error', said: say('invalid_plan', pointer, fault), pointer }));
  };
  if (!Array.isArray(raw)) {
    report('', say('calls_no_array', got(raw)));
    return { value: [], problems };
  }
  const value = raw.flatMap((item: unknown, index): PlannedCall[] => {
    const wrong = (at: string, fault: Sentence): PlannedCall[] => {
      report(`/${index}/${at}`, fault);
      return [];
    };
    if (!isObject(item) || typeof item['tool'] !== 'string' || item['tool'] === '')
      return wrong('tool', say('names_no_tool'));
    const count = item['count'] ?? 1;
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 1)
      return wrong('count', say('count_no_whole', JSON.stringify(count)));
    const args = item['arguments'] ?? item['input'] ?? {};
    if (!isObject(args)) return wrong('arguments', say('must_be', say('an_object'), got(args)));
    const matchers: Record<string, ArgumentMatcher> = {};
    for (const [name, one] of Object.entries(args)) {
      try {
        matchers[name] = argumentMatcher(one);
      } catch (error) {
        return wrong(`arguments/${name}`, saidBy(error));
      }
    }
    return [{ tool: item['tool'], arguments: matchers, count }];
  });
  return { value, problems };
}

const storeKey = 'plans';
/** So many revoked plans are remembered. */
const mostRevoked = 200;

interface PlansOptions {
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly storage?: KeyValueStore;
  /** Finds a tool by id, name or alias, so that a plan may use any of them. */
  readonly find: (reference: string) => RegisteredTool | undefined;
  readonly requireFrozenSpec: () => RequireFrozenSpec;
  readonly onError?: (error: unknown) => void;
}

/**
 * Keeps the frozen plans of the workspace. While one is active, a call that changes something must be in it;
 * where policy demands a plan for a risk level, such a call needs one in any case.
 */
export class FrozenPlans implements PlanJudge, OtherApproval, Disposable {
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;
  readonly #plans = new Map<string, FrozenPlan>();
  /** What was revoked here, and when, so that no other process keeps it. */
  readonly #revoked = new Map<string, number>();
  readonly #options: PlansOptions;
  readonly #bindingOf: (tool: RegisteredTool) => string;
  #active: string | undefined;
  #regex: LinearRegexEngine | undefined;

  constructor(options: PlansOptions) {
    this.#options = options;
    this.#bindingOf = toolBindings(options.crypto);
    this.#load();
  }

  /** The plan that calls are held against. */
  get active(): FrozenPlan | undefined {
    return this.#active === undefined ? undefined : this.#plans.get(this.#active);
  }

  list(): readonly FrozenPlan[] {
    return [...this.#plans.values()];
  }

  /** The hash that binds a list of calls: SHA-256 of its canonical JSON. */
  hashOf(calls: readonly PlannedCall[]): string {
    return this.#options.crypto.sha256(canonicalJson(calls));
  }

  /** Freezes a list of calls, tools by their ids, and makes it the active plan. */
  freeze(title: string, planned: readonly PlannedCall[]): FrozenPlan {
    const calls = planned.map((call) => ({ ...call, tool: this.#options.find(call.tool)?.id ?? call.tool }));
    const hash = this.hashOf(calls);
    const plan: FrozenPlan = {
      hash,
      title,
      calls,
      // Later than it was revoked, also where the clock stands or was set back.
      frozenAt: Math.max(this.#options.clock.now(), 1 + this.#lastOf(hash)),
      isApproved: false,
      used: calls.map(() => 0),
    };
    this.#plans.set(plan.hash, plan);
    this.#active = plan.hash;
    this.#loadRegexFor(calls);
    this.#save();
    return plan;
  }

  /** When a plan was last frozen or revoked, as far as it is known here; -1 where it never was. */
  #lastOf(hash: string): number {
    const revoked = revokedIn(this.#options.storage?.get(storeKey))[hash] ?? -1;
    return Math.max(revoked, this.#revoked.get(hash) ?? -1, this.#plans.get(hash)?.frozenAt ?? -1);
  }

  /** Allows all calls of a plan at once; false where there is no such plan. */
  approve(hash: string): boolean {
    const plan = this.#plans.get(hash);
    if (!plan) return false;
    const tools = plan.calls.map(({ tool }) => this.#options.find(tool));
    const bindings = tools.map((tool) => (tool ? this.#bindingOf(tool) : ''));
    this.#plans.set(hash, { ...plan, isApproved: true, bindings });
    this.#save();
    return true;
  }

  revoke(hash: string): boolean {
    const plan = this.#plans.get(hash);
    if (!plan) return false;
    this.#plans.delete(hash);
    // The clock may have been set back since it was frozen.
    this.#revoked.set(hash, Math.max(plan.frozenAt, this.#options.clock.now()));
    if (this.#active === hash) this.#active = undefined;
    this.#save();
    return true;
  }

  /** Makes a plan the active one, or with undefined none. */
  activate(hash: string | undefined): void {
    this.#active = hash !== undefined && this.#plans.has(hash) ? hash : undefined;
    this.#save();
  }

  judge(call: GateCall): StepAnswer {
    const { definition, modelName } = call.tool;
    const required = this.#options.requireFrozenSpec();
    const needed =
      required !== 'never' &&
      (definition.riskLevel === 'critical' || (required === 'high' && definition.riskLevel === 'high'));
    const plan = this.active;
    if (!plan && !needed) return pass('plan');
    if (!plan)
      return deny('plan', refusal('plan_required', say('plan_required', modelName, definition.riskLevel)), 'plan');
    const line = this.#lineOf(plan, call);
    if (line !== undefined)
      return pass('plan', [{ said: say('listed_in_plan', line + 1, plan.title), rule: planId(plan), advisory: true }]);
    const onlyReads = call.accesses.every(isReadOnly);
    if (!needed && onlyReads) return pass('plan');
    const left = this.allowed(plan);
    const allowed = left.length === 0 ? say('plan_used_up') : say('content', left);
    return deny('plan', refusal('outside_plan', say('outside_plan', modelName, allowed)), planId(plan));
  }

  /** What is left of a plan, line by line. */
  allowed(plan: FrozenPlan): readonly Sentence[] {
    return plan.calls.flatMap((call, index) => {
      const left = call.count - (plan.used[index] ?? 0);
      const said = describeCall(call);
      return left > 0 ? [left > 1 ? say('planned_times', said, left) : said] : [];
    });
  }

  /** Denies also where the count cannot be stored: another process would let the same line pass once more. */
  consume(call: GateCall): StepAnswer {
    const { storage, onError = () => {} } = this.#options;
    const before = this.active;
    if (!before) return this.judge(call);
    try {
      if (!storage) return this.#take(call);
      const change = (now: Json | undefined): { readonly value: Json | undefined; readonly answer: StepAnswer } => {
        const stored = this.#plansIn(now);
        const plan = withUsed(before, stored);
        this.#plans.set(plan.hash, plan);
        const after = stored.find(({ hash, frozenAt }) => hash === plan.hash && frozenAt > plan.frozenAt);
        if (after || (revokedIn(now)[plan.hash] ?? -1) >= plan.frozenAt)
          return { value: now, answer: this.#end(call, plan, after) };
        const answer = this.#take(call);
        return { value: this.active === plan ? now : this.#stored(now), answer };
      };
      return updateStored(storage, storeKey, change, onError).answer;
    } catch (error) {
      this.#plans.set(before.hash, before);
      onError(error);
      return deny('plan', refusal('not_available', say('plan_uncounted', messageOf(error))), planId(before));
    } finally {
      this.#changed.fire();
    }
  }

  /** Answers a call of a plan that ended elsewhere as one of which nothing is left, and goes on with the new one. */
  #end(call: GateCall, plan: FrozenPlan, after?: FrozenPlan): StepAnswer {
    this.#plans.set(plan.hash, { ...plan, isApproved: false, used: plan.calls.map(({ count }) => count) });
    const answer = this.judge(call);
    if (after) this.#plans.set(plan.hash, after);
    return answer.effect === 'deny' ? deny('plan', refusal('outside_plan', say('plan_ended')), planId(plan)) : answer;
  }

  #take(call: GateCall): StepAnswer {
    const answer = this.judge(call);
    const plan = this.active;
    const line = plan && this.#lineOf(plan, call);
    if (answer.effect !== 'deny' && plan && line !== undefined)
      this.#plans.set(plan.hash, { ...plan, used: plan.used.map((one, index) => (index === line ? one + 1 : one)) });
    return answer;
  }

  /**
   * A plan that was approved as a batch answers every question about its calls except one for the admin token, and one
   * about what the session read where the plan leaves open what the call sends: nobody saw that.
   */
  covering(call: GateCall, _accesses: readonly Access[], reasons: readonly Reason[]): Coverage | undefined {
    const plan = this.active;
    const line = plan && this.#lineOf(plan, call);
    if (!plan?.isApproved || reasons.some((one) => one.admin) || line === undefined) return undefined;
    if (reasons.some(({ story }) => story) && !namesAll(plan.calls[line])) return undefined;
    if (plan.bindings?.[line] !== this.#bindingOf(call.tool)) return undefined;
    return { id: planId(plan), by: 'plan', use: () => true };
  }

  /** The first line that lists a call and is not used up. */
  #lineOf(plan: FrozenPlan, call: GateCall): number | undefined {
    const found = plan.calls.findIndex(
      (line, index) =>
        (plan.used[index] ?? 0) < line.count &&
        this.#options.find(line.tool)?.id === call.tool.id &&
        this.#fits(line, call),
    );
    return found < 0 ? undefined : found;
  }

  #fits(line: PlannedCall, call: GateCall): boolean {
    const input = isObject(call.input) ? call.input : {};
    const { properties } = call.tool.definition.inputSchema;
    try {
      for (const [name, value] of Object.entries(input)) {
        if (Object.hasOwn(line.arguments, name) || value === undefined) continue;
        const standard = ownValue(properties, name)?.default;
        if (standard === undefined || canonicalJson(standard) !== canonicalJson(value)) return false;
      }
      return Object.entries(line.arguments).every(([name, matcher]) =>
        argumentTest(matcher, this.#regex)(Object.hasOwn(input, name) ? input[name] : undefined),
      );
    } catch {
      return false;
    }
  }

  /** Until the engine for expressions is there, an argument that is compared by one matches nothing. */
  #loadRegexFor(calls: readonly PlannedCall[]): void {
    if (this.#regex || !calls.some((call) => Object.values(call.arguments).some(({ regex }) => regex !== undefined)))
      return;
    loadLinearRegex().then(
      (regex) => {
        this.#regex = regex;
        this.#changed.fire();
      },
      (error: unknown) => this.#options.onError?.(error),
    );
  }

  /**
   * Stores what this process knows beside what others stored meanwhile, of each line what was used of it at most. Which
   * plans there are here, and which one is active, is this process's own: a command beside it ends and replaces none.
   */
  #save(): void {
    const { storage, onError } = this.#options;
    if (storage)
      changeStored(storage, storeKey, (now) => this.#stored(now)).catch((error: unknown) => onError?.(error));
    this.#changed.fire();
  }

  #stored(now: Json | undefined): Json {
    const revoked = { ...revokedIn(now), ...Object.fromEntries(this.#revoked) };
    const plans = new Map(this.#plansIn(now).map((one) => [one.hash, one]));
    for (const [hash, mine] of this.#plans) plans.set(hash, together(mine, plans.get(hash)));
    const left = [...plans.values()].filter(({ hash, frozenAt }) => (revoked[hash] ?? -1) < frozenAt);
    const kept = Object.fromEntries(Object.entries(revoked).slice(-mostRevoked));
    return defined({ plans: left, active: this.#active, revoked: kept });
  }

  #load(): void {
    const stored = this.#options.storage?.get(storeKey);
    for (const plan of this.#plansIn(stored)) {
      this.#loadRegexFor(plan.calls);
      this.#plans.set(plan.hash, plan);
    }
    const active = isObject(stored) ? stored['active'] : undefined;
    if (typeof active === 'string' && this.#plans.has(active)) this.#active = active;
  }

  /** Stored plans; one whose calls no longer have its hash was tampered with and is void. */
  #plansIn(stored: unknown): readonly FrozenPlan[] {
    const plans: FrozenPlan[] = [];
    if (!isObject(stored) || !Array.isArray(stored['plans'])) return plans;
    for (const item of stored['plans'] as readonly unknown[]) {
      if (
        !isObject(item) ||
        typeof item['hash'] !== 'string' ||
        typeof item['title'] !== 'string' ||
        typeof item['frozenAt'] !== 'number'
      )
        continue;
      const { value: calls, problems } = parsePlannedCalls(item['calls']);
      const used: readonly unknown[] = Array.isArray(item['used']) ? item['used'] : [];
      if (problems.length > 0 || this.hashOf(calls) !== item['hash']) continue;
      plans.push({
        hash: item['hash'],
        title: item['title'],
        calls,
        frozenAt: item['frozenAt'],
        isApproved: item['isApproved'] === true,
        // A count that cannot be read is taken as used up.
        used: calls.map((call, index) => (typeof used[index] === 'number' ? used[index] : call.count)),
        ...(isStrings(item['bindings']) ? { bindings: item['bindings'] } : {}),
      });
    }
    return plans;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** Whether a line says each argument by its value. */
const namesAll = (line: PlannedCall | undefined): boolean =>
  line !== undefined &&
  Object.values(line.arguments).every((one) => 'equals' in one || one.oneOf !== undefined || one.exists === false);
