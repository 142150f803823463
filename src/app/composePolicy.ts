import { plainWords } from '../core/base/translate';
import { Emitter } from '../core/base/event';
import { isObject } from '../core/base/json';
import type { PolicyRevision } from '../core/audit/event';
import { policyRevision } from '../core/audit/policyRevision';
import { DisposableStore } from '../core/base/lifecycle';
import type { Problem } from '../core/base/problem';
import type { CallApprover } from '../core/call/gateCall';
import type { ReaderApprovals } from '../core/policy/approvals/readerApprovals';
import { AdminToken } from '../core/policy/approvals/adminToken';
import { ApprovalQueue } from '../core/policy/approvals/approvals';
import { GrantStore } from '../core/policy/grants/grants';
import { CallLimits } from '../core/policy/limits/limits';
import { unknownInLimits } from '../core/policy/limits/unknownNames';
import { FrozenPlans } from '../core/policy/plans/plans';
import { PolicyEngine } from '../core/policy/rules/engine';
import { placesOf } from '../core/policy/rules/placedPatterns';
import { ownFileBoundaries } from '../core/policy/rules/ownFiles';
import { BoundarySources } from '../core/policy/rules/policySources';
import { describeApproval } from '../core/present/approvalText';
import type { SecondReader } from '../core/ports/secondReader';
import { withoutWords } from '../core/vocabulary/ruleWords';
import { limitsInForce } from './limitsInForce';
import type { MadeFrom, Policy } from './coreParts';

type PolicyOptions = MadeFrom<
  'boundaryReader' | 'failed' | 'isTrusted' | 'settings' | 'tools',
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

export function composePolicy(options: PolicyOptions): Policy {
  const { settings, tools, failed } = options;
  const { clock, crypto, storage, userStorage, secrets, tokenHasher } = options.platform;
  const store = new DisposableStore();
  const engine = store.add(new PolicyEngine([], undefined, placesOf(options.platform.files)));
  const limits = store.add(
    new CallLimits({
      clock,
      storage,
      limits: limitsInForce(settings.now).value,
      onError: failed('keeping the limits'),
      digest: (text) => crypto.sha256(text),
    }),
  );
  const plans = store.add(
    new FrozenPlans({
      clock,
      crypto,
      storage,
      find: (reference) => tools.registry.tool(reference),
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
  options: PolicyOptions,
  { engine, revision, ...kept }: Pick<Policy, 'engine' | 'grants' | 'admin' | 'plans' | 'revision'>,
  store: DisposableStore,
): Pick<Policy, 'queue' | 'approvals' | 'reader'> {
  const { platform, settings, failed } = options;
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
        const { lasting } = describeApproval(request, plainWords);
        return lasting === 'now' || (lasting === 'read' && hasRead);
      },
      confirmer: approvals.confirmer,
      clock,
      timeoutSeconds: () => settings.now.get('confirmation.timeoutSeconds'),
      onError: failed('a confirmation'),
    }),
  );
  if (!approvals.reader) return { queue, reader: undefined, approvals: queue };
  return { queue, ...secondReader(approvals.reader, options, { engine, revision, queue }, store) };
}

/** A model that reads questions before the person does, while `approvals.reader` names one. */
function secondReader(
  model: () => Promise<SecondReader>,
  { platform, settings, failed }: PolicyOptions,
  { engine, revision, queue }: Pick<Policy, 'engine' | 'revision'> & { readonly queue: ApprovalQueue },
  store: DisposableStore,
): Pick<Policy, 'approvals' | 'reader'> {
  const onError = failed('the second reader');
  let loaded: ReaderApprovals | undefined;
  // Loaded with the first question.
  const load = async (): Promise<ReaderApprovals> => {
    const [{ ReaderApprovals: Loaded }, reader] = await Promise.all([
      import('../core/policy/approvals/readerApprovals'),
      model(),
    ]);
    return (loaded ??= new Loaded({
      reader,
      person: queue,
      clock: platform.clock,
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
  return { reader, approvals: { covering, ask, coming: queue.coming } };
}

/** Brings the engine and the limits up to what every scope says. */
function rulesInForce(
  { platform, settings, tools, boundaryReader, isTrusted }: PolicyOptions,
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
    problems() {
      const { layers } = settings.now;
      const servers = [layers.managed, layers.user, layers.workspace].map((layer) => layer['mcp.servers']);
      const hasServers = servers.some((one) => isObject(one) && Object.keys(one).length > 0);
      return [...problems, ...unknownInLimits(limitsInForce(settings.now).value, tools.registry, hasServers)];
    },
  };
}
