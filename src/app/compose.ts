import { builtinCapabilities } from '../capabilities/index';
import { describeApproval } from '../core/present/approvalText';
import { recordChanges } from '../core/audit/changes';
import type { AuditSink } from '../core/audit/event';
import { Emitter, type Event } from '../core/base/event';
import { canonicalJson } from '../core/base/json';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import { createValidator } from '../core/base/validator';
import type { Capability } from '../core/capability/capability';
import type { DefinitionApprover } from '../core/definitions/approval';
import { ChannelPoller } from '../core/definitions/channelPoller';
import { refreshThrough } from '../core/gate/channelRefresh';
import { ChannelFetcher, readChannelSettings } from '../core/definitions/channels';
import type { DefinitionWatcher } from '../core/definitions/files';
import { DefinitionLoader } from '../core/definitions/loader';
import { portsOf, worksInSession } from '../core/files/root';
import { withoutOwnSecrets } from '../core/ports/ownSecrets';
import type { ApprovalDesk } from '../core/call/gateCall';
import { ToolRouter } from '../core/gate/router';
import { AdminToken, type TokenHasher } from '../core/policy/approvals/adminToken';
import { ApprovalQueue, type Confirmer } from '../core/policy/approvals/approvals';
import { PolicyEngine } from '../core/policy/rules/engine';
import { GrantStore } from '../core/policy/grants/grants';
import { CallLimits } from '../core/policy/limits/limits';
import { effectiveLimits, parseLimits, parseManagedLimits } from '../core/policy/limits/limitSettings';
import { FrozenPlans } from '../core/policy/plans/plans';
import { ownFileBoundaries, type OwnPlaces } from '../core/policy/rules/ownFiles';
import { withoutWords } from '../core/vocabulary/ruleWords';
import { BoundaryFiles } from '../core/policy/rules/boundaryFile';
import { boundarySettings, BoundarySources, type PolicyFileSource } from '../core/policy/rules/policySources';
import { type PayloadText, rememberedText } from '../core/base/payloadText';
import type { FoundTools } from '../core/registry/foundTools';
import { Discovery } from '../core/profiles/discovery';
import type { Clock, Crypto, KeyValueStore, Log, SecretStore, WorkerPool } from '../core/ports/platform';
import type { BlobStore } from '../core/ports/blobs';
import type { FileSystem } from '../core/ports/files';
import type { HttpClient } from '../core/ports/http';
import { nobody, type ServerUser } from '../core/foreign/serverUser';
import type { Problem } from '../core/base/problem';
import { ProfileChecks } from '../core/profiles/profileChecks';
import { ProfileStore } from '../core/profiles/profileStore';
import { type AgentOfProfile, ownAgent } from '../core/agent/ownAgent';
import { PromptFiles, type PromptWatch } from '../core/agent/promptFiles';
import { judgePrompt } from '../core/agent/promptJudge';
import { basePromptOf } from '../core/profiles/promptText';
import { CapabilityRegistry } from '../core/registry/registry';
import { buildRuntimeAgent, type RuntimeAgent } from '../core/profiles/runtimeAgent';
import { type ResolverSetup, setUpResolver } from '../core/explain/resolverSetup';
import type { Prober } from '../core/ports/prober';
import type { SettingKey } from '../core/settings/declarations/settingTable';
import type { Settings } from '../core/settings/settings';
import { type ChangedSettings, SettingsInForce, type SettingsSource } from '../core/settings/settingsInForce';
import { TodoStore } from '../core/todos/store';
import { McpServers } from '../mcp/client/servers';
import type { ToolPorts } from '../core/ports/toolPorts';
import { sourceKey, sourceKind } from '../core/vocabulary/toolSource';

/** Who answers a confirmation: a person through a queue, or (on the command line) the way the command was started. */
export type ApprovalSurface =
  { readonly type: 'person'; readonly confirmer: Confirmer } | { readonly type: 'preset'; readonly desk: ApprovalDesk };

/** What differs between the editor and the command line. */
export interface Platform {
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly log: Log;
  readonly files: FileSystem;
  /** Made after the settings are read, which decide on private hosts. */
  readonly http: (settings: () => Settings) => HttpClient;
  readonly worker: WorkerPool;
  /** Keeps fetched pages; nothing is cached where it is left out. */
  readonly blobs?: BlobStore;
  readonly secrets: SecretStore;
  readonly tokenHasher: TokenHasher;
  /** Kept for this workspace and user. */
  readonly storage: KeyValueStore;
  /** Kept for this user in every workspace. */
  readonly userStorage: KeyValueStore;
  readonly settings: SettingsSource;
  /**
   * `.vscode/capabilities/boundaries.json` of every folder. Boundaries only tighten, so they count in an untrusted
   * workspace too.
   */
  readonly boundaryFiles: PolicyFileSource;
  /**
   * What the resolver reads of `.vscode/capabilities`: `requirements.json`, `grants.json`, `boundaries.json` and
   * `*.capability.json`; none where nothing is to be resolved.
   */
  readonly resolverFiles?: PolicyFileSource;
  /** Runs probes, over the http client that tools use; nothing is probed where it is left out. */
  readonly prober?: (http: HttpClient) => Prober;
  /** Probes that run a program or send a secret need no approval of their own. */
  readonly approvesProbes?: boolean;
  /** Capabilities of one's own from the workspace; none are loaded where it is left out. */
  readonly definitions?: {
    readonly watcher: DefinitionWatcher;
    readonly approver: DefinitionApprover;
    /** False in an untrusted workspace, where nothing of it acts. */
    readonly trusted: () => boolean;
  };
  /** What only some surfaces have: programs, databases, mail, the sandbox, the editor's commands and notifications. */
  readonly extras?: Pick<
    ToolPorts,
    'programs' | 'commands' | 'notifier' | 'databases' | 'mail' | 'sandbox' | 'trustedModules'
  >;
  readonly approvals: ApprovalSurface;
  readonly audit: AuditSink;
  /** Where the program keeps what is its own, which no tool may touch; asked again whenever the rules are gathered. */
  readonly ownPlaces?: () => OwnPlaces;
  /** Tells when base prompts that stand in files of the workspace may have changed; without it they are read once. */
  readonly prompts?: PromptWatch;
  /**
   * Answers what MCP servers ask: to act, to have their tools approved, to know something. Nobody answers where it is
   * left out.
   */
  readonly serverUser?: ServerUser;
  /** The environment from which servers inherit what they need to run; empty where it is left out. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Every object of the running system, made once and in order of dependency. */
export interface Core extends Disposable {
  readonly registry: CapabilityRegistry;
  readonly profiles: ProfileStore;
  readonly router: ToolRouter;
  /** The tools that searches found, for profiles that offer search instead of all. */
  readonly found: FoundTools;
  readonly policy: PolicyEngine;
  readonly limits: CallLimits;
  readonly plans: FrozenPlans;
  readonly grants: GrantStore;
  readonly admin: AdminToken;
  /** The queue of confirmations; undefined on the command line, where nobody waits. */
  readonly queue: ApprovalQueue | undefined;
  readonly todos: TodoStore;
  /** The MCP servers of the settings; they start when their tools are called, or by `discover`. */
  readonly servers: McpServers;
  /** The definitions of the workspace; undefined where none are loaded. */
  readonly definitions: DefinitionLoader | undefined;
  /** Refreshes what channels recommend while somebody watches. */
  readonly channelPoller: ChannelPoller;
  /** True for an MCP server that runs; undefined where none has this name. */
  serverState(name: string): boolean | undefined;
  /**
   * True for a channel whose tools exist, false for one that is named and not loaded; undefined where none has this
   * name.
   */
  channelState(name: string): boolean | undefined;
  /** Asks every channel of the settings for its manifest again. */
  reloadChannels(): Promise<void>;
  /** The resolver over the workspace's files, `why`, `resolve` and `validate`. */
  readonly resolver: ResolverSetup;
  readonly ports: ToolPorts;
  settings(): Settings;
  runtimeAgent(profileId?: string): RuntimeAgent;
  /** Base prompts that stand in files of the workspace, and which of their texts were accepted. */
  readonly prompts: PromptFiles;
  /** The base prompt of the active profile, read from its file where it stands in one. */
  basePrompt(): string;
  problems(): readonly Problem[];
  /**
   * The agent of a profile as the user's own parts make it, as if no workspace were open; undefined where the user has
   * no such profile.
   */
  ownAgent(profileId: string): AgentOfProfile | undefined;
  /** True where this user trusts the workspace. */
  isTrusted(): boolean;
  /** Tells what a surface found wrong, in place of what it told before. */
  report(surface: string, problems: readonly Problem[]): void;
  /** Writes the payload of a result as JSON, once. */
  readonly payloadText: PayloadText;
  /** Does a part of what the next search would otherwise have to; true where nothing is left to do. */
  prepareSearch(isTimeUp: () => boolean): boolean;
  /** Fires with the keys of the settings that changed, once everything here goes by them. */
  readonly onDidChangeSettings: Event<ChangedSettings>;
  /** Fires when settings, profiles, rules or the registry changed: everything shown has to be read again. */
  readonly onDidChange: Event<void>;
  /** Resolves once everything that is read at the start has been read, such as the engine for expressions in rules. */
  readonly ready: Promise<void>;
}

/** The composition root. Owns everything that it makes; disposing it lets go of all. */
export function compose(platform: Platform): Core {
  const { clock, crypto, log, storage } = platform;
  const store = new DisposableStore();
  const secrets = withoutOwnSecrets(platform.secrets);
  const failed = (what: string) => (error: unknown) =>
    log.error(`${what} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const changed = store.add(new Emitter<void>(failed('a listener')));
  const trusted = (): boolean => platform.definitions?.trusted() ?? true;

  const settings = store.add(new SettingsInForce(platform.settings, failed('a listener')));
  const registry = new CapabilityRegistry();
  store.add(registry);
  for (const capability of builtinCapabilities) store.add(registry.register(capability));
  const ownServers = (): readonly string[] =>
    servers
      .list()
      .filter((server) => server.origin !== 'workspace' && server.state !== 'disabled')
      .map((server) => server.capabilityId);
  // Whoever approved a definition wants its tools, as with a server of one's own; a profile that names it says more
  // exactly.
  const ownDefinitions = (): readonly string[] =>
    (definitions?.definitions() ?? []).filter((one) => one.state === 'active').map((one) => one.capabilityId);
  const own = (): readonly string[] => [...ownServers(), ...ownDefinitions()];
  const profiles = store.add(new ProfileStore({ registry, settings: () => settings.now, storage, crypto, own }));
  const discovery = store.add(new Discovery(registry, profiles));
  const todos = store.add(new TodoStore({ storage, clock, log }));

  const policy = store.add(new PolicyEngine());
  const payloadText = rememberedText();
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
    new GrantStore({
      clock,
      crypto,
      workspace: storage,
      user: platform.userStorage,
      onError: failed('keeping the grants'),
    }),
  );
  const admin = new AdminToken({ secrets: platform.secrets, hasher: platform.tokenHasher, clock });
  const timeoutSeconds = (): number => settings.now.get('confirmation.timeoutSeconds');
  const queue =
    platform.approvals.type === 'person'
      ? store.add(
          new ApprovalQueue({
            isShownWhole: (request) => !describeApproval(request).truncated,
            confirmer: platform.approvals.confirmer,
            grants,
            clock,
            admin,
            plans,
            timeoutSeconds,
            onError: failed('a confirmation'),
          }),
        )
      : undefined;
  const desk: ApprovalDesk = platform.approvals.type === 'preset' ? platform.approvals.desk : (queue as ApprovalQueue);

  const http = platform.http(() => settings.now);
  const ports: ToolPorts = {
    clock,
    log,
    crypto,
    files: platform.files,
    http,
    worker: platform.worker,
    ...(platform.blobs ? { blobs: platform.blobs } : {}),
    secrets,
    storage,
    todos,
    // Asked through the setup that is made below, because it judges with the gate that these ports go into.
    discovery,
    governance: {
      resolve: (id) => resolver.governance.resolve(id),
      why: (tool, input) => resolver.governance.why(tool, input),
    },
    settings: { get: (key) => settings.now.get(key) },
    ...platform.extras,
  };
  const channels = new ChannelFetcher({
    http,
    settings: (problems) => [
      ...readChannelSettings(settings.now.layers.user['channels'], 'user', problems),
      ...readChannelSettings(settings.now.layers.workspace['channels'], 'workspace', problems),
    ],
  });
  const definitions =
    platform.definitions &&
    store.add(
      new DefinitionLoader({
        registry,
        files: platform.files,
        storage,
        userStorage: platform.userStorage,
        crypto,
        clock,
        log,
        ...platform.definitions,
        enabled: () => settings.now.get('definitions.enabled'),
        channels,
      }),
    );
  // The rules of the workspace are read once, for the gate and for the resolver.
  const boundaryReader = new BoundaryFiles();
  const resolver: ResolverSetup = store.add(
    setUpResolver(
      {
        clock,
        crypto,
        storage,
        policy,
        registry,
        profile: () => profiles.active(),
        preview: (invocation) => router.preview(invocation),
        onProbe: (requirementId, state, durationMs) =>
          platform.audit.record({ type: 'probe', time: clock.now(), requirementId, state, durationMs }),
        ...(platform.prober ? { prober: platform.prober(http) } : {}),
        ...(platform.approvesProbes ? { approvesProbes: true } : {}),
      },
      platform.resolverFiles,
      boundaryReader,
    ),
  );

  const validator = createValidator(
    async () => (await import('virtual:validators')).validators,
    async () => (await import('../core/base/runtimeAjv')).createCompiler(),
  );
  const sources = [platform.boundaryFiles, platform.resolverFiles].filter((one) => one?.refresh !== undefined);
  const router: ToolRouter = new ToolRouter({
    registry,
    ports,
    validator,
    profile: () => profiles.active(),
    boundaries: policy,
    ...(sources.length > 0
      ? { refreshPolicy: async () => void (await Promise.all(sources.map((one) => one?.refresh?.()))) }
      : {}),
    plans,
    requirements: resolver.resolver,
    limits,
    approvals: desk,
    audit: platform.audit,
    security: () => ({ requireAuth: definitions?.security().requireAuth === true }),
    confirmationTimeoutSeconds: timeoutSeconds,
  });

  const channelPoller = store.add(
    new ChannelPoller({ clock, invoke: refreshThrough(() => router), polling: () => definitions?.polling() ?? [] }),
  );
  let policyProblems: readonly Problem[] = [];
  const boundarySources = new BoundarySources(boundaryReader);
  const applyPolicy = (): void => {
    const { layers } = settings.now;
    const own = platform.ownPlaces ? ownFileBoundaries(platform.ownPlaces(), platform.files) : [];
    const gathered = boundarySources.gather(settings.now, platform.boundaryFiles.read(), own);
    const managedLimits = layers.managed['limits'];
    const user =
      managedLimits === undefined ? parseLimits(layers.user['limits'] ?? {}) : parseManagedLimits(managedLimits);
    const effective = effectiveLimits(user.value, layers.workspace['limits']);
    policyProblems = [...gathered.problems, ...user.problems, ...effective.problems];
    limits.setLimits(effective.value);
    policy.setRules(trusted() ? gathered.boundaries : withoutWords(gathered.boundaries));
  };
  applyPolicy();

  store.add(resolver.onDidChange(() => changed.fire()));
  const servers = store.add(
    new McpServers({
      registry,
      clock,
      crypto,
      log,
      secrets,
      tokens: platform.secrets,
      files: platform.files,
      http,
      rooted: () => portsOf(ports, profiles.active()).files,
      trusted,
      storage,
      settings: () => settings.now,
      user: platform.serverUser ?? nobody,
      audit: platform.audit,
      environment: platform.environment ?? {},
    }),
  );
  store.add(
    recordChanges({
      audit: platform.audit,
      clock,
      profiles,
      policy,
      grants,
      plans,
      ...(definitions ? { definitions } : {}),
    }),
  );
  store.add(registry.onDidChange(() => profiles.refresh()));
  if (definitions)
    store.add(
      definitions.onDidChange(() => {
        channelPoller.refresh();
        if (!profiles.refresh()) changed.fire();
      }),
    );
  store.add(servers.onDidChange(() => changed.fire()));
  const reported = new Map<string, readonly Problem[]>();
  const workspaceServers = (): ReadonlySet<string> =>
    new Set(servers.list().flatMap((server) => (server.origin === 'workspace' ? [server.capabilityId] : [])));
  /** What says nothing of where it comes from counts as a repository's. */
  const isOwn = ({ id, source, provenance }: Capability): boolean => {
    if (provenance) return provenance.by === 'user';
    return sourceKind(source).isUsers && !workspaceServers().has(id);
  };
  const prompts = store.add(
    new PromptFiles({
      files: platform.files,
      crypto,
      storage,
      trusted,
      judge: (accesses, { id }) => judgePrompt(policy, registry, accesses, profiles.resolve(id) ?? profiles.active()),
      onDidChangeRules: policy.onDidChange,
      ...(platform.prompts ? { watch: platform.prompts } : {}),
    }),
  );
  const ownAgentOf = (id: string): AgentOfProfile | undefined =>
    ownAgent(id, { registry, layers: settings.now.layers, storage, crypto, own: ownServers, isOwn });
  const ownPrompt = { isTrusted: trusted, text: (id: string) => ownAgentOf(id)?.profile.profile.systemPrompt ?? '' };
  const runtimeAgent = (profileId?: string): RuntimeAgent => {
    const resolved = (profileId === undefined ? undefined : profiles.resolve(profileId)) ?? profiles.active();
    return buildRuntimeAgent(resolved, basePromptOf(resolved.profile, prompts, ownPrompt));
  };
  const checks = store.add(
    new ProfileChecks({ registry, profiles, validator, agent: runtimeAgent, onError: failed('checking a profile') }),
  );
  store.add(checks.onDidChange(() => changed.fire()));
  // A root is made when it is first needed, not for being compared.
  const sessionNow = (): string | undefined => {
    const profile = profiles.active();
    return worksInSession(ports, profile) ? profile.id : undefined;
  };
  let session = sessionNow();
  const followSession = (): void => {
    const before = session;
    session = sessionNow();
    if (session !== before) servers.foldersChanged();
  };
  store.add(
    profiles.onDidChange(() => {
      followSession();
      changed.fire();
    }),
  );
  // Each part hears of its own settings alone: a click in the tree changes profiles, and no rule, server or definition.
  store.add(
    settings.onDidChange((keys) => {
      const concerns = (own: readonly SettingKey[]): boolean => own.some((key) => keys.has(key));
      if (concerns([...boundarySettings, 'limits'])) applyPolicy();
      if (concerns(['mcp.servers'])) servers.refresh();
      // An address that was refused may be allowed now.
      if (concerns(['definitions.enabled', 'channels', 'network.allowedPrivateHosts'])) void definitions?.reload();
      const isTold = profiles.refresh();
      followSession();
      if (!isTold) changed.fire();
    }),
  );
  store.add(prompts.onDidChange(() => changed.fire()));
  // A workspace that is trusted now may give its rules' reasons and start its servers; the rules name its folders.
  if (platform.prompts)
    store.add(
      platform.prompts.onDidChangePlaces(() => {
        applyPolicy();
        servers.refresh();
        changed.fire();
      }),
    );
  store.add(
    platform.boundaryFiles.onDidChange(() => {
      applyPolicy();
      changed.fire();
    }),
  );

  return {
    registry,
    profiles,
    router,
    found: discovery.found,
    policy,
    limits,
    plans,
    grants,
    admin,
    queue,
    todos,
    servers,
    definitions,
    channelPoller,
    serverState: (name) => {
      const server = servers.list().find((one) => one.name === name);
      return server && server.state === 'running';
    },
    channelState: (name) => {
      const key = sourceKey({ type: 'channel', channel: name });
      if (registry.capabilities().some(({ source }) => sourceKey(source) === key)) return true;
      const named = [
        ...Object.keys(Object(settings.now.layers.user['channels'])),
        ...Object.keys(Object(settings.now.layers.workspace['channels'])),
      ];
      return named.includes(name) ? false : undefined;
    },
    reloadChannels: async () => {
      channels.refresh();
      await definitions?.reload();
    },
    resolver,
    ports,
    settings: () => settings.now,
    runtimeAgent,
    basePrompt: () => basePromptOf(profiles.active().profile, prompts, ownPrompt).text,
    prompts,
    problems: () => [
      ...settings.now.problems,
      ...policyProblems,
      ...resolver.rows().problems,
      ...(definitions?.problems() ?? []),
      ...servers.problems(),
      ...profiles.problems(),
      ...checks.problems(),
      ...[...reported.values()].flat(),
    ],
    ownAgent: ownAgentOf,
    isTrusted: trusted,
    report: (surface, found) => {
      if (canonicalJson(reported.get(surface) ?? []) === canonicalJson(found)) return;
      reported.set(surface, found);
      changed.fire();
    },
    payloadText,
    prepareSearch: (isTimeUp) => discovery.prepare(isTimeUp),
    onDidChangeSettings: settings.onDidChange,
    onDidChange: changed.event,
    ready: Promise.all([policy.ready.catch(failed('loading the engine for expressions')), definitions?.reload()]).then(
      async () => {
        // Asking for the agent is what makes its prompt be read.
        runtimeAgent();
        await Promise.all([checks.check(), prompts.settled()]);
      },
    ),
    dispose: () => store.dispose(),
  };
}
