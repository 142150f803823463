import path from 'node:path';
import type { AuditSink, PolicyRevision } from '../core/audit/event';
import { policyRevision } from '../core/audit/policyRevision';
import { lazy } from '../core/base/lazy';
import { DisposableStore } from '../core/base/lifecycle';
import type { CallApprover, CallChanges, GateCall, Invocation } from '../core/call/gateCall';
import { changesFile } from '../core/vocabulary/access';
import { pass } from '../core/call/stepAnswer';
import { say } from '../core/base/sentence';
import type { Reason, StepAnswer } from '../core/vocabulary/decision';
import { changesOutside } from '../core/changes/changesOutside';
import type { LooksBetween } from '../core/changes/looksBetween';
import { whyUnasked } from '../core/gate/hookCall';
import { namingPolicy } from '../core/gate/records';
import type { GateDependencies } from '../core/gate/dependencies';
import { ToolRouter } from '../core/gate/router';
import { hostTools } from '../core/hooks/hostTools';
import { CallLimits } from '../core/policy/limits/limits';
import { FrozenPlans } from '../core/policy/plans/plans';
import { PolicyEngine } from '../core/policy/rules/engine';
import { placesOf } from '../core/policy/rules/placedPatterns';
import { ownFileBoundaries } from '../core/policy/rules/ownFiles';
import { BoundarySources } from '../core/policy/rules/policySources';
import type { KeyValueStore, Log } from '../core/ports/platform';
import type { ToolPorts } from '../core/ports/toolPorts';
import type { Profile, ResolvedProfile } from '../core/profiles/profile';
import { CapabilityRegistry } from '../core/registry/registry';
import { readSettings } from '../core/settings/readSettings';
import type { Settings, SettingsLayers } from '../core/settings/settings';
import { ownPlaces } from '../node/files/ownPlaces';
import { repositoryTakesOurName } from '../node/hooks/repositoryServers';
import { memoryStore } from '../node/memory';
import { NodeFileSystem } from '../node/nodeFileSystem';
import { PolicyFolder } from '../node/policyFolder';
import { nodeCrypto, systemClock } from '../node/system';
import { limitsInForce } from './limitsInForce';

export interface SoloOptions {
  /** The workspace. */
  readonly folder: string;
  readonly layers: SettingsLayers;
  readonly mode: Profile['mode'];
  /** Keeps rates and budgets from one hook to the next. */
  readonly limits: KeyValueStore;
  /** The program's own folders, which are closed. */
  readonly own: readonly string[];
  readonly audit: AuditSink;
  readonly log: Log;
  /** The files of which is kept what stands there before a call; left out where nothing is. */
  readonly keeps?: {
    readonly privateFolder: string;
    /** The folders, as far as they are known by then. */
    readonly roots: () => readonly string[];
    /** The one that is looked at as a whole, and how long that may take, in milliseconds. */
    readonly look?: { readonly root: string; readonly mostMs: number };
  };
  /** What others say about a call that the rules here let pass or ask about. */
  readonly beside?: (call: GateCall) => Promise<StepAnswer>;
}

export interface SoloGate {
  readonly router: ToolRouter;
  /** Keeps what stands in the files that a call names, which its agent asks its own user about. */
  keep(invocation: Invocation): Promise<void>;
  /** Records what a call did that began so. */
  end(invocation: Invocation): Promise<void>;
  /** True for a rule that the workspace brings. */
  isOwnRule(id: string | undefined): boolean;
  /** The reasons, with the file of the workspace in the place of those that come of its broken rules. */
  named(reasons: readonly Reason[]): readonly Reason[];
  /** True once something was to be asked that needs the admin token: no other program may ask it. */
  readonly needsAdmin: () => boolean;
  close(): Promise<void>;
}

/**
 * The gate for one call of another agent, in a process that lives as long as that call and asks nobody: the same
 * settings, rules and limits, without tools of ours, profiles' capabilities and grants. It shares no function with
 * `composePolicy` and `composeGate`: a hook loads its files before every call, and what both wire alike is
 * constructors, each given another store, other settings and somebody else to ask.
 */
export async function composeSoloGate(options: SoloOptions): Promise<SoloGate> {
  const { folder, layers, log } = options;
  const store = new DisposableStore();
  const settings = readSettings(layers);
  const files = new NodeFileSystem({
    folders: () => [{ name: path.basename(folder), path: folder, scheme: 'file' }],
    isAlone: true,
  });
  const policy = store.add(new PolicyFolder(folder));
  const engine = store.add(new PolicyEngine([], undefined, placesOf(files)));
  const own = ownFileBoundaries(ownPlaces(files.folders(), options.own), files);
  engine.setRules(new BoundarySources().gather(settings, policy.boundaryFiles.read(), own).boundaries);
  await engine.ready.catch((error: unknown) => log.error(String(error)));
  const limits = store.add(
    new CallLimits({
      clock: systemClock,
      storage: options.limits,
      isBrief: true,
      limits: limitsInForce(settings).value,
    }),
  );
  const registry = new CapabilityRegistry(
    hostTools(
      () => files,
      (agent, folders) => Promise.resolve(repositoryTakesOurName(agent, folders)),
      async (name, folders) => (await import('../node/hooks/skillFiles')).skillTexts(name, folders),
    ),
  );
  const file = path.join(folder, '.vscode', 'capabilities', 'boundaries.json');
  const isBroken = (rule: string | undefined): boolean =>
    engine.boundaries.some(({ id, scope, faults = [] }) => id === rule && scope === 'workspace' && faults.length > 0);
  const named = (reasons: readonly Reason[]): readonly Reason[] =>
    reasons.map((one) => (isBroken(one.rule) ? { ...one, said: say('rules_broken', file) } : one));
  const approvals = nobodyToAsk(named);
  const keeping = options.keeps && soloKeeping(options.keeps, files, settings);
  let revision: PolicyRevision | undefined;
  const gate: GateDependencies = {
    registry,
    ports: soloPorts(files, settings, log),
    validator: { validate: async () => [] },
    profile: () => soloProfile(options.mode),
    boundaries: engine,
    plans: new FrozenPlans({
      clock: systemClock,
      crypto: nodeCrypto,
      storage: memoryStore(),
      find: (reference) => registry.tool(reference),
      requireFrozenSpec: () => settings.get('policy.requireFrozenSpec'),
    }),
    requirements: { judge: async () => pass('requirements') },
    limits,
    approvals,
    ...(keeping ? { changes: besideThem(keeping.changes, options.beside) } : {}),
    audit: namingPolicy(options.audit, () => (revision ??= policyRevision(engine.boundaries, settings, nodeCrypto))),
    confirmationTimeoutSeconds: () => settings.get('confirmation.timeoutSeconds'),
  };
  const router = new ToolRouter(gate);
  return {
    router,
    async keep(invocation) {
      const call = await router.describe(invocation);
      if (call) await keeping?.keep({ ...call, invocationId: invocation.invocationId ?? call.invocationId });
    },
    end: async ({ invocationId = '' }) => keeping?.changes.endNamed?.(invocationId),
    isOwnRule: (rule) => engine.boundaries.some(({ id, scope }) => id === rule && scope === 'workspace'),
    named,
    needsAdmin: () => approvals.needsAdmin,
    async close() {
      await keeping?.ended();
      await limits.save();
      store.dispose();
    },
  };
}

/** Who keeps what calls change, after what others say. */
const besideThem = (changes: CallChanges, beside: SoloOptions['beside']): CallChanges => ({
  ...changes,
  async judge(call) {
    const said = (await beside?.(call)) ?? pass('boundaries');
    const kept = said.effect === 'deny' ? said : await changes.judge(call);
    if (kept.effect === 'deny' || kept.effect === said.effect)
      return { ...kept, reasons: [...said.reasons, ...kept.reasons] };
    return said;
  },
});

/** Denies what would be asked, and remembers whether the admin token was needed for any of it. */
function nobodyToAsk(named: SoloGate['named']): CallApprover & { readonly needsAdmin: boolean } {
  let needsAdmin = false;
  return {
    get needsAdmin() {
      return needsAdmin;
    },
    covering: () => undefined,
    async ask(request) {
      needsAdmin ||= request.needsAdmin;
      return { outcome: 'denied', by: 'unavailable', why: whyUnasked(named(request.reasons)), waitedMs: 0 };
    },
  };
}

interface SoloKeeping {
  readonly changes: CallChanges;
  /** Keeps what stands in the files of a call that runs without coming back here. */
  keep(call: GateCall): Promise<void>;
  /** Resolves once the look at the end of a call is over. */
  ended(): Promise<void>;
}

/**
 * Keeps what calls of other agents change; what does so is loaded only where it is needed: a hook runs before every
 * call.
 */
function soloKeeping(
  keeps: NonNullable<SoloOptions['keeps']>,
  judged: NodeFileSystem,
  settings: Settings,
): SoloKeeping {
  const hostFiles = lazy(async () => (await import('./soloChanges')).soloChanges({ ...keeps, judged, settings }));
  const looks = lazy(async () =>
    keeps.look && settings.get('changes.checkpoints')
      ? (await import('./soloLooks')).soloLooks({ ...keeps.look, privateFolder: keeps.privateFolder, settings })
      : undefined,
  );
  const looksFor = async (call: GateCall): Promise<LooksBetween | undefined> =>
    changesOutside(call) ? (await looks())?.between : undefined;
  const begin = async (call: GateCall): Promise<void> => {
    if (call.accesses.some(changesFile)) await (await hostFiles()).begin(call);
  };
  const endLook = async (id: string): Promise<void> => {
    const known = await looks();
    await known?.between.end(id);
    await known?.drop();
  };
  let ending: Promise<void> | undefined;
  return {
    changes: {
      judge: async (call) => (await looksFor(call))?.judge(call) ?? pass('boundaries'),
      undoOf: async () => undefined,
      keep: () => Promise.reject(new Error('a hook runs no tool')),
      keepNamed: begin,
      endNamed: async (id) => (await hostFiles()).end(id),
      watchElsewhere: async (call, mayLose) => (await looksFor(call))?.begin(call, mayLose),
      endedElsewhere: (id) => (ending = endLook(id)),
    },
    async keep(call) {
      // Its user is asked by the agent, and runs it without a look where none can be taken.
      await (await looksFor(call))?.begin(call, true);
      await begin(call);
    },
    ended: async () => ending,
  };
}

/** What a tool of another agent needs to tell what it touches; it runs nowhere here, so all else is missing. */
function soloPorts(files: ToolPorts['files'], settings: ToolPorts['settings'], log: Log): ToolPorts {
  const missing = (): never => {
    throw new Error('a hook runs no tool');
  };
  return {
    clock: systemClock,
    log,
    crypto: nodeCrypto,
    files,
    settings,
    http: { send: missing },
    worker: { run: missing },
    secrets: { get: missing, set: missing, names: missing },
    storage: memoryStore(),
    get todos() {
      return missing();
    },
    get governance() {
      return missing();
    },
    get discovery() {
      return missing();
    },
  };
}

function soloProfile(mode: Profile['mode']): ResolvedProfile {
  const profile: Profile = {
    id: 'hook',
    name: 'Hook',
    description: '',
    systemPrompt: '',
    mode,
    capabilities: [],
    origin: 'shipped',
  };
  return {
    profile,
    id: profile.id,
    entries: [],
    kept: [],
    carriers: [],
    tools: [],
    scopes: new Set(),
    mode,
    problems: [],
    isToolEnabled: () => false,
    config: () => ({}),
  };
}
