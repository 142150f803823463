import { say, type Sentence, withTexts } from '../base/sentence';
import { reasonSaid } from '../vocabulary/ruleWords';
import { foreignLine, foreignWord } from '../base/foreignWords';
import type { Access } from '../vocabulary/access';
import { canonicalJson, type Json, ownValue } from '../base/json';
import { type Event, Emitter } from '../base/event';
import type { Disposable } from '../base/lifecycle';
import { deny } from '../call/stepAnswer';
import { errorSaid, requirementFailed } from '../vocabulary/errors';
import type { GateCall, RequirementJudge } from '../call/gateCall';
import type { PolicyEngine } from '../policy/rules/engine';
import { accessFacts } from '../policy/rules/subject';
import { changeStored, type Clock, type Crypto, type KeyValueStore } from '../ports/platform';
import type { Prober } from '../ports/prober';
import { composedOf, flattenRequires } from '../capability/composed';
import type { Delegation } from './requirement';
import { resolve } from './resolve';
import { SharedWork } from './sharedWork';
import { freshnessBudgetMs, ProbeCache } from './states';
import type { Reason, StepAnswer } from '../vocabulary/decision';
import type { Probe, Requirement, RequirementState } from '../vocabulary/requirement';
import type { Resolution } from '../vocabulary/resolution';
import type { ComposedCapability } from '../capability/capability';

/** Why a probe was not run, or what it found. */
type ProbeOutcome =
  | { readonly outcome: 'probed'; readonly isGood: boolean; readonly detail: Sentence; readonly durationMs: number }
  | { readonly outcome: 'not-run'; readonly why: Sentence };

export interface ResolverOptions {
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly storage: KeyValueStore;
  readonly prober: Prober;
  readonly policy: PolicyEngine;
  /**
   * True where probes that run a program or send a secret need no approval of their own, such as on the command line
   * with `--yes`.
   */
  readonly approvesProbes?: boolean;
  readonly onProbe?: (requirementId: string, state: RequirementState, durationMs: number) => void;
}

type States = Readonly<Record<string, RequirementState>>;
type RequirementStatus = ReturnType<ResolverService['status']>;

const approvalsKey = 'probeApprovals';

/**
 * Knows the requirements of the workspace and their states, and answers whether a capability can run now. Probes are
 * cached, run under policy, and change nothing; one that runs a program or sends a secret has to be approved once for
 * its content.
 */
export class ResolverService implements RequirementJudge, Disposable {
  readonly #options: ResolverOptions;
  readonly #cache: ProbeCache;
  readonly #changed = new Emitter<void>();
  readonly #running = new SharedWork<ProbeOutcome>();
  #requirements = new Map<string, Requirement>();
  #delegations: readonly Delegation[] = [];

  constructor(options: ResolverOptions) {
    this.#options = options;
    this.#cache = new ProbeCache(options.clock, options.storage);
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  get delegations(): readonly Delegation[] {
    return this.#delegations;
  }

  setRequirements(requirements: readonly Requirement[], delegations: readonly Delegation[] = []): void {
    this.#requirements = new Map(requirements.map((one) => [one.id, one]));
    this.#delegations = delegations;
    this.#changed.fire();
  }

  /** A record counts for the probe that made it: another probe under the same id starts unknown. */
  #key(requirement: Requirement): string {
    return `${requirement.id}#${this.#options.crypto.sha256(canonicalJson(requirement.probe ?? null)).slice(0, 16)}`;
  }

  state(id: string, capabilityHours?: number): RequirementState {
    const requirement = this.#requirements.get(id);
    return requirement
      ? this.#cache.state(this.#key(requirement), freshnessBudgetMs(requirement, capabilityHours), requirement)
      : 'unknown';
  }

  /** A requirement as people see it. */
  status(id: string, capabilityHours?: number) {
    const requirement = this.#requirements.get(id);
    const record = requirement ? this.#cache.record(this.#key(requirement)) : undefined;
    return {
      id,
      requirement,
      state: this.state(id, capabilityHours),
      detail: record?.detail,
      // Milliseconds since 1970 of the last probe.
      probedAt: record?.at ?? requirement?.lastProbe?.at,
    };
  }

  /**
   * Resolves a capability from what is known now; nothing is probed.
   * @param more `states` replaces what the cache says.
   */
  resolve(capability: ComposedCapability, { states }: { readonly states?: States | undefined } = {}): Resolution {
    return resolve(
      capability,
      (id) => (states ? ownValue(states, id) : this.state(id, capability.freshnessBudgetHours)),
      this.#options.policy.rules(),
    );
  }

  /**
   * Probes one requirement now. Calls at the same time share one probe, which ends early only when all of them are
   * cancelled. `isManual`: a person asked for it, so rules that ask are answered; such calls share among themselves
   * only.
   */
  probe(id: string, signal: AbortSignal, isManual = false): Promise<ProbeOutcome> {
    return this.#running.run(
      `${isManual ? 'manual' : 'call'} ${id}`,
      signal,
      (shared) => this.#probe(id, shared, isManual),
      () => notRun(say('probe_cancelled', id)),
    );
  }

  async #probe(id: string, signal: AbortSignal, isManual: boolean): Promise<ProbeOutcome> {
    const requirement = this.#requirements.get(id);
    if (!requirement) return notRun(say('probe_undeclared', id));
    const { probe } = requirement;
    if (!probe) return notRun(say('probe_missing', id));
    const needed = this.#missingApproval(requirement);
    if (needed) return notRun(say(needed, id));
    const refused = this.#refusal(probe, isManual);
    if (refused) return notRun(refused);
    const { clock } = this.#options;
    const start = clock.monotonic();
    try {
      const { isGood, detail } = await this.#options.prober.probe(requirement, probe, signal);
      const durationMs = Math.max(0, clock.monotonic() - start);
      await this.#cache.set(this.#key(requirement), isGood, detail);
      this.#options.onProbe?.(id, isGood ? 'fresh' : 'red', durationMs);
      this.#changed.fire();
      return { outcome: 'probed', isGood, detail, durationMs };
    } catch (error) {
      return notRun(errorSaid(error));
    }
  }

  /**
   * Probes are under policy: a boundary that denies what a probe touches keeps it from running; one that asks does too,
   * unless a person asked.
   */
  #refusal(probe: Probe, isManual: boolean): Sentence | undefined {
    const accesses = probeAccesses(probe);
    const decision = this.#options.policy.decide({
      capabilityId: 'probe',
      capabilityAliases: [],
      sideEffects: accesses.map((one) => one.effect),
      costClass: 'free',
      riskLevel: 'low',
      actor: 'user',
      accesses: accesses.map((access) => accessFacts(access)),
      requires: [],
    });
    const { deniedBy } = decision;
    if (deniedBy) return say('denied_by_boundary', deniedBy.boundary.id, reasonSaid(deniedBy.reason));
    if (decision.effect !== 'ask' || isManual) return undefined;
    const asked = decision.reasons.map((one) => one.said);
    return say('probe_asks', asked);
  }

  /**
   * Tells whether a probe may run: one that runs a program, an editor command or sends a secret needs the user's
   * approval of its content.
   */
  isApproved(requirement: Requirement): boolean {
    return this.#missingApproval(requirement) === undefined;
  }

  #missingApproval(requirement: Requirement): NeededApproval | undefined {
    const { probe } = requirement;
    if (!probe || this.#options.approvesProbes || this.#isApproved(requirement)) return undefined;
    return neededApproval(probe);
  }

  #isApproved(requirement: Requirement): boolean {
    return approvedIn(this.#options.storage.get(approvalsKey)).includes(this.#key(requirement));
  }

  /** Approves the content of a requirement's probe; a changed probe has to be approved anew. */
  async approveProbe(id: string): Promise<void> {
    const requirement = this.#requirements.get(id);
    if (!requirement) return;
    await changeStored(this.#options.storage, approvalsKey, (now) =>
      [...new Set([...approvedIn(now), this.#key(requirement)])].slice(-500),
    );
    this.#changed.fire();
  }

  /**
   * Step 9 of the gate: red denies; stale or unknown is probed now, then judged; what stays unknown denies where it is
   * critical, else asks.
   */
  async judge(call: GateCall): Promise<StepAnswer> {
    // Most capabilities need nothing.
    if (!call.capability.composed && (call.capability.requires ?? []).length === 0) return answer([], []);
    const capability = composedOf(call.capability);
    const ids = flattenRequires(capability.requires);
    const asks: Reason[] = capability.approvalRequired
      ? [{ said: say('capability_needs_approval', foreignWord(capability.id)), rule: `approval:${capability.id}` }]
      : [];
    if (ids.length === 0) return answer(asks, []);
    const hours = capability.freshnessBudgetHours;
    const open = ids.filter((id) => ['stale', 'unknown'].includes(this.state(id, hours)));
    const outcomes = new Map<string, ProbeOutcome>();
    if (!call.isPreview) await Promise.all(open.map(async (id) => outcomes.set(id, await this.probe(id, call.signal))));
    const blocking: Blocking[] = [];
    const notes: Reason[] = [];
    for (const id of ids) {
      const status = this.status(id, hours);
      if (status.state === 'fresh') continue;
      if (status.state !== 'red' && call.isPreview && status.requirement?.probe) {
        const said = say('requirement_probed_first', foreignWord(id), say(`state_${status.state}`));
        notes.push({ said, rule: id, advisory: true });
      } else if (status.state === 'red' || status.requirement?.critical)
        blocking.push({ said: stateSaid('requirement_blocks', status, outcomes.get(id)), rule: foreignWord(id) });
      else asks.push({ said: stateSaid('requirement_state', status, outcomes.get(id)), rule: id });
    }
    if (blocking.length === 0) return answer(asks, notes);
    const words = blocking.map(({ said }) => said);
    return { ...deny('requirements', requirementFailed(call.tool.modelName, words)), reasons: blocking };
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

const answer = (asks: readonly Reason[], notes: readonly Reason[]): StepAnswer => ({
  step: 'requirements',
  effect: asks.length > 0 ? 'ask' : 'pass',
  reasons: [...asks, ...notes],
});

/** A reason that is handed to the model too. */
type Blocking = Required<Pick<Reason, 'said' | 'rule'>>;

/** Says in which state a requirement is, and why where that is known. A repository chose the id. */
function stateSaid(
  code: 'requirement_blocks' | 'requirement_state',
  status: RequirementStatus,
  outcome: ProbeOutcome | undefined,
): Sentence {
  const name = foreignWord(status.id);
  const state = say(`state_${status.state}`);
  const why = whyNot(status, outcome);
  return why ? say(`${code}_because`, name, state, why) : say(code, name, state);
}

/** What a probe found, with what is from elsewhere in a line, or why none ran. */
function whyNot({ state, detail }: RequirementStatus, outcome: ProbeOutcome | undefined): Sentence | undefined {
  if (state === 'red') return detail && withTexts(detail, foreignLine);
  return outcome?.outcome === 'not-run' ? outcome.why : undefined;
}

/** What a probe touches, for policy. */
function probeAccesses(probe: Probe): readonly Access[] {
  switch (probe.type) {
    case 'http':
      return [{ effect: 'network.http', resource: probe.url, method: probe.method }];
    case 'command':
      return [{ effect: 'system.exec', resource: [probe.command, ...probe.args].join(' ') }];
    case 'file':
      return [{ effect: 'fs.read', resource: probe.path }];
    case 'env':
      return [{ effect: 'system.env', resource: probe.name }];
    case 'vscode':
      return [{ effect: 'vscode.command', resource: probe.command }];
    case 'secret':
    case 'mcp':
    case 'channel':
      return [];
  }
}

type NeededApproval = 'probe_runs_program' | 'probe_runs_command' | 'probe_sends_secret';

/** Why a probe needs the user's approval of its content; undefined where it needs none. */
function neededApproval(probe: Probe): NeededApproval | undefined {
  if (probe.type === 'command') return 'probe_runs_program';
  if (probe.type === 'vscode') return 'probe_runs_command';
  if (probe.type === 'http' && [probe.url, ...Object.values(probe.headers)].some((value) => value.includes('${')))
    return 'probe_sends_secret';
  return undefined;
}

const approvedIn = (stored: Json | undefined): readonly Json[] => (Array.isArray(stored) ? stored : []);

const notRun = (why: Sentence): ProbeOutcome => ({ outcome: 'not-run', why });
