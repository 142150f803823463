import { noteChange } from '../core/audit/noteChange';
import type { AuditEvent, AuditSink } from '../core/audit/event';
import { lazy } from '../core/base/lazy';
import { say } from '../core/base/sentence';
import { namingPolicy } from '../core/gate/records';
import type { GovernanceParts } from '../core/explain/governance';
import { DisposableStore } from '../core/base/lifecycle';
import { createValidator } from '../core/base/validator';
import { type ResolverSetup, setUpResolver } from '../core/explain/resolverSetup';
import type { CallFlow } from '../core/call/gateCall';
import type { FlowSettings } from '../core/flow/places';
import type { GateDependencies } from '../core/gate/dependencies';
import { ToolRouter } from '../core/gate/router';
import type { ResolvedProfile } from '../core/profiles/profile';
import type { Redaction } from '../core/gate/redaction';
import { withoutOwnSecrets } from '../core/ports/ownSecrets';
import type { ToolPorts } from '../core/ports/toolPorts';
import type { Settings } from '../core/settings/settings';
import { TodoStore } from '../core/todos/store';
import { type ChangesPlatform, composeChanges } from './composeChanges';
import { composeFlow } from './composeFlow';
import type { Gate, MadeFrom } from './coreParts';

type GateOptions = MadeFrom<
  'boundaryReader' | 'http' | 'isTrusted' | 'policy' | 'settings' | 'tools',
  | 'approvesProbes'
  | 'audit'
  | 'blobs'
  | 'boundaryFiles'
  | 'extras'
  | 'prober'
  | 'resolverFiles'
  | 'secrets'
  | 'storage'
  | 'versions'
  | 'worker'
  | keyof ChangesPlatform
> & { readonly definitions: NonNullable<GovernanceParts['definitions']> };

export function composeGate(options: GateOptions): Gate {
  const { platform, settings, tools, policy } = options;
  const { profiles, registry } = tools;
  const store = new DisposableStore();
  const todos = store.add(new TodoStore({ storage: platform.storage, clock: platform.clock, log: platform.log }));
  const resolver: ResolverSetup = store.add(
    composeResolver(
      options,
      () => router,
      () => ports,
    ),
  );
  const changes = composeChanges(platform, settings);
  if (changes) store.add(changes);
  const ports: ToolPorts = { ...toolPorts(options, todos, resolver), ...(changes ? { changes: changes.port } : {}) };
  const flow = store.add(
    composeFlow({
      platform,
      settings: () => flowSettings(settings.now),
      isTrusted: options.isTrusted,
      loaded: (tracker) => (parts.flow = tracker),
    }),
  );
  const validator = createValidator(
    async () => (await import('virtual:validators')).validators,
    async () => (await import('../core/base/runtimeAjv')).createCompiler(),
  );
  const { redaction, audit } = composeRedaction(options, ports);
  const parts: Omit<GateDependencies, 'flow'> & { flow: CallFlow } = {
    registry,
    ports,
    validator,
    profile: () => profiles.active(),
    boundaries: policy.engine,
    ...refreshing(platform),
    plans: policy.plans,
    requirements: resolver.resolver,
    limits: policy.limits,
    approvals: policy.approvals,
    ...(changes ? { changes: changes.keeper } : {}),
    stakes: lateStakes(ports, platform.versions),
    redaction,
    audit: namingPolicy(audit, policy.revision),
    flow: flow.judge,
    confirmationTimeoutSeconds: () => settings.now.get('confirmation.timeoutSeconds'),
  };
  const router = new ToolRouter(parts);
  return {
    router,
    previewAs: (profile) => previewAs(profile, parts),
    ports,
    validator,
    resolver,
    todos,
    flow,
    hidden: async () => (await redaction()).shown,
    ...(changes ? { changes } : {}),
    dispose: () => store.dispose(),
  };
}

const flowSettings = (settings: Settings): FlowSettings => ({
  privatePaths: settings.get('flow.privatePaths'),
  publicPaths: settings.get('flow.publicPaths'),
  trustedHosts: settings.get('flow.trustedHosts'),
});

/** Reads the rules of the workspace again before a call is judged, where they can be. */
function refreshing({
  boundaryFiles,
  resolverFiles,
}: GateOptions['platform']): Pick<GateDependencies, 'refreshPolicy'> {
  const sources = [boundaryFiles, resolverFiles].filter((one) => one?.refresh !== undefined);
  if (sources.length === 0) return {};
  return { refreshPolicy: async () => void (await Promise.all(sources.map((one) => one?.refresh?.()))) };
}

/** What a call puts at stake; what finds it is loaded with the first question. */
const lateStakes = (
  ports: ToolPorts,
  versions: GateOptions['platform']['versions'],
): NonNullable<GateDependencies['stakes']> => ({
  of: async (...asked) =>
    new (await import('../core/stakes/stakeFinder')).StakeFinder({ ports, versions }).of(...asked),
});

/** The preview of a gate by another profile, and by the rules as they were read last. */
function previewAs(
  profile: ResolvedProfile,
  { refreshPolicy: _once, ...parts }: GateDependencies,
): ToolRouter['preview'] {
  const other = new ToolRouter({ ...parts, profile: () => profile });
  return (invocation) => other.preview(invocation);
}

/**
 * What is hidden from models, and from the record with what is known to be secret by then; its rules are loaded with
 * the first call that ends.
 */
function composeRedaction(
  { platform, settings, isTrusted }: GateOptions,
  ports: ToolPorts,
): { readonly redaction: () => Promise<Redaction>; readonly audit: AuditSink } {
  const { clock, crypto, files, log, audit } = platform;
  const told = (did: 'note_secret_allowed' | 'note_secret_withdrawn') => (id: string, placeholder: string) =>
    noteChange({ audit, clock }, 'secret', id, say(did, placeholder));
  const secrets = withoutOwnSecrets(platform.secrets);
  let loaded: Redaction | undefined;
  const load = async (): Promise<Redaction> => {
    const [{ Redaction: Loaded }, { SessionSources }, { ShownOnce: Shown }] = await Promise.all([
      import('../core/gate/redaction'),
      import('../core/secrets/sessionSources'),
      import('../core/secrets/shownOnce'),
    ]);
    const shown = new Shown({
      now: () => clock.monotonic(),
      isTrusted,
      onAllowed: told('note_secret_allowed'),
      onWithdrawn: told('note_secret_withdrawn'),
    });
    const sources = new SessionSources({ files, secrets, clock, crypto, log, settings: () => settings.now });
    return (loaded = new Loaded({ ports, session: (near) => sources.session(near), known: sources.latest, shown }));
  };
  const record = (event: AuditEvent): void => audit.record(loaded?.hideInEvent(event) ?? event);
  return { redaction: lazy(load), audit: { record } };
}

function composeResolver(
  { platform, tools: { registry, profiles }, policy, http, boundaryReader, definitions }: GateOptions,
  router: () => ToolRouter,
  ports: () => ToolPorts,
): ResolverSetup {
  const { audit, clock, crypto, storage } = platform;
  return setUpResolver(
    {
      clock,
      crypto,
      storage,
      policy: policy.engine,
      registry,
      profile: () => profiles.active(),
      ports,
      definitions,
      preview: (invocation) => router().preview(invocation),
      onProbe: (requirementId, state, durationMs) =>
        audit.record({ type: 'probe', time: clock.now(), requirementId, state, durationMs }),
      ...(platform.prober ? { prober: platform.prober(http) } : {}),
      ...(platform.approvesProbes ? { approvesProbes: true } : {}),
    },
    platform.resolverFiles,
    boundaryReader,
    (invocation) => router().describe(invocation),
  );
}

/** Everything outside core that handlers may use here. */
function toolPorts(
  { platform, settings, tools, http }: GateOptions,
  todos: TodoStore,
  { governance }: ResolverSetup,
): ToolPorts {
  const { clock, log, crypto, files, worker, blobs, secrets, storage } = platform;
  return {
    clock,
    log,
    crypto,
    files,
    http,
    worker,
    ...(blobs ? { blobs } : {}),
    secrets: withoutOwnSecrets(secrets),
    storage,
    todos,
    discovery: tools.discovery,
    governance,
    settings: { get: (key) => settings.now.get(key) },
    ...platform.extras,
  };
}
