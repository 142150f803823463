import { Emitter, type Event } from '../core/base/event';
import type { PolicyRevision } from '../core/audit/event';
import { policyRevision } from '../core/audit/policyRevision';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import type { PayloadText } from '../core/base/payloadText';
import type { Problem } from '../core/base/problem';
import type { CallApprover } from '../core/call/gateCall';
import type { ReaderApprovals, ReaderStatus } from '../core/policy/approvals/readerApprovals';
import { AdminToken } from '../core/policy/approvals/adminToken';
import { ApprovalQueue } from '../core/policy/approvals/approvals';
import { GrantStore } from '../core/policy/grants/grants';
import { CallLimits } from '../core/policy/limits/limits';
import { FrozenPlans } from '../core/policy/plans/plans';
import type { BoundaryFiles } from '../core/policy/rules/boundaryFile';
import { PolicyEngine } from '../core/policy/rules/engine';
import { ownFileBoundaries } from '../core/policy/rules/ownFiles';
import { BoundarySources } from '../core/policy/rules/policySources';
import { describeApproval } from '../core/present/approvalText';
import type { CapabilityRegistry } from '../core/registry/registry';
import type { SettingsInForce } from '../core/settings/settingsInForce';
import { withoutWords } from '../core/vocabulary/ruleWords';
import { limitsInForce } from './limitsInForce';
import type { Platform } from './platform';

/** What decides whether a call may run: rules, grants, approvals, limits and frozen plans. */
export interface Policy extends Disposable {
  readonly engine: PolicyEngine;
  readonly grants: GrantStore;
  readonly plans: FrozenPlans;
  readonly limits: CallLimits;
  readonly admin: AdminToken;
  /** The queue of confirmations; undefined on the command line, where nobody waits. */
  readonly queue: ApprovalQueue | undefined;
  /** Who answers a confirmation: the queue, or the way in which the command was started. */
  readonly approvals: CallApprover;
  /** What the second reader did; without a status while it did nothing in this window. */
  readonly reader: { status(): ReaderStatus | undefined; readonly onDidChange: Event<void> } | undefined;
  /** Names the rules and limits in force, for the record. */
  revision(): PolicyRevision;
  /** Reads the rules and limits of every scope again. */
  apply(): void;
  /** What is wrong with the rules and limits that were read last. */
  problems(): readonly Problem[];
}

interface PolicyOptions {
  readonly platform: Pick<
    Platform,
    | 'approvals'
    | 'boundaryFiles'
    | 'clock'
    | 'crypto'
    | 'files'
    | 'ownPlaces'
    | 'secrets'
    | 'storage'
    | 'tokenHasher'
    | 'userStorage'
  >;
  readonly settings: SettingsInForce;
  readonly registry: Pick<CapabilityRegistry, 'tool'>;
  readonly boundaryReader: BoundaryFiles;
  readonly payloadText: PayloadText;
  readonly isTrusted: () => boolean;
  /** Makes a listener that logs what fails. */
  readonly failed: (what: string) => (error: unknown) => void;
}

export function composePolicy(options: PolicyOptions): Policy {
  const { settings, registry, payloadText, failed } = options;
  const { clock, crypto, storage, userStorage, secrets, tokenHasher } = options.platform;
  const store = new DisposableStore();
  const engine = store.add(new PolicyEngine());
  const limits = store.add(
    new CallLimits({
      clock,
      storage,
      onError: failed('keeping the limits'),
      digest: (text) => crypto.sha256(text),
      payloadText,
    }),
  );
  const plans = store.add(
    new FrozenPlans({
      clock,
      crypto,
      storage,
      find: (reference) => registry.tool(reference),
      requireFrozenSpec: () => settings.now.get('policy.requireFrozenSpec'),
      onError: failed('keeping the frozen plans'),
    }),
  );
  const grants = store.add(
    new GrantStore({ clock, crypto, workspace: storage, user: userStorage, onError: failed('keeping the grants') }),
  );
  const admin = new AdminToken({ secrets, hasher: tokenHasher, clock });
  const rules = rulesInForce(options, { engine, limits });
  const answered = answering(options, { engine, grants, admin, plans, revision: rules.revision }, store);
  rules.apply();
  return { engine, grants, plans, limits, admin, ...answered, ...rules, dispose: () => store.dispose() };
}

/** Who answers confirmations here. */
function answering(
  { platform, settings, failed }: PolicyOptions,
  { engine, revision, ...kept }: Pick<Policy, 'engine' | 'grants' | 'admin' | 'plans' | 'revision'>,
  store: DisposableStore,
): Pick<Policy, 'queue' | 'approvals' | 'reader'> {
  const { approvals, clock } = platform;
  if (approvals.type === 'preset') {
    const { approver } = approvals;
    const covering: CallApprover['covering'] = (...call) => kept.plans.covering(...call) ?? approver.covering(...call);
    return {
      queue: undefined,
      reader: undefined,
      approvals: { covering, ask: (request, signal) => approver.ask(request, signal) },
    };
  }
  const queue = store.add(
    new ApprovalQueue({
      ...kept,
      isShownWhole: (request, hasRead) => {
        const { lasting } = describeApproval(request);
        return lasting === 'now' || (lasting === 'read' && hasRead);
      },
      confirmer: approvals.confirmer,
      clock,
      timeoutSeconds: () => settings.now.get('confirmation.timeoutSeconds'),
      onError: failed('a confirmation'),
    }),
  );
  const model = approvals.reader;
  if (!model) return { queue, reader: undefined, approvals: queue };
  const onError = failed('the second reader');
  let loaded: ReaderApprovals | undefined;
  // Loaded with the first question while `approvals.reader` names a model.
  const load = async (): Promise<ReaderApprovals> => {
    const [{ ReaderApprovals: Loaded }, reader] = await Promise.all([
      import('../core/policy/approvals/readerApprovals'),
      model(),
    ]);
    return (loaded ??= new Loaded({
      reader,
      person: queue,
      clock,
      storage: platform.storage,
      rules: (id) => engine.rules().flatMap(({ boundary }) => (boundary.id === id ? [boundary] : [])),
      policyRevision: () => revision().hash.slice(0, 16),
      choice: () => settings.now.get('approvals.reader').trim(),
      perHour: () => settings.now.get('approvals.readerPerHour'),
      onError,
    }));
  };
  const read = store.add(new Emitter<void>());
  const ask: CallApprover['ask'] = async (request, signal) => {
    if (settings.now.get('approvals.reader') === '') return queue.ask(request, signal);
    const reader = await load().catch(onError);
    const answer = await (reader ?? queue).ask(request, signal);
    read.fire();
    return answer;
  };
  const covering: CallApprover['covering'] = (...call) => queue.covering(...call);
  const reader = { status: () => loaded?.status(), onDidChange: read.event };
  return { queue, reader, approvals: { covering, ask } };
}

/** Brings the engine and the limits up to what every scope says. */
function rulesInForce(
  { platform, settings, boundaryReader, isTrusted }: PolicyOptions,
  { engine, limits }: Pick<Policy, 'engine' | 'limits'>,
): Pick<Policy, 'apply' | 'problems' | 'revision'> {
  const sources = new BoundarySources(boundaryReader);
  let problems: readonly Problem[] = [];
  let revision: PolicyRevision | undefined;
  return {
    revision: () => (revision ??= policyRevision(engine.boundaries, settings.now, platform.crypto)),
    apply() {
      revision = undefined;
      const own = platform.ownPlaces ? ownFileBoundaries(platform.ownPlaces(), platform.files) : [];
      const gathered = sources.gather(settings.now, platform.boundaryFiles.read(), own);
      const limited = limitsInForce(settings.now);
      problems = [...gathered.problems, ...limited.problems];
      limits.setLimits(limited.value);
      engine.setRules(isTrusted() ? gathered.boundaries : withoutWords(gathered.boundaries));
    },
    problems: () => problems,
  };
}
