import { recordChanges } from '../core/audit/changes';
import { stackOf } from '../core/base/errorText';
import { Emitter, type Event } from '../core/base/event';
import { withoutWaiting } from '../core/definitions/waitingProblems';
import { canonicalJson } from '../core/base/json';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import type { Problem } from '../core/base/problem';
import { BoundaryFiles } from '../core/policy/rules/boundaryFile';
import { boundarySettings } from '../core/policy/rules/policySources';
import type { SettingKey } from '../core/settings/settingTable';
import type { Settings } from '../core/settings/settings';
import { type ChangedSettings, SettingsInForce } from '../core/settings/settingsInForce';
import { composeAgents } from './composeAgents';
import { composeDefinitions } from './composeDefinitions';
import { composeGate } from './composeGate';
import { composePolicy } from './composePolicy';
import { composeServers } from './composeServers';
import { composeTools } from './composeTools';
import type { Agents, Definitions, Gate, Policy, Servers, Tools } from './coreParts';
import { patternProblems } from './patternProblems';
import type { Platform } from './platform';

/** The running system, in the parts of which it is made. */
export interface Core extends Disposable {
  readonly tools: Tools;
  readonly policy: Policy;
  readonly definitions: Definitions;
  readonly gate: Gate;
  readonly servers: Servers;
  readonly agents: Agents;
  settings(): Settings;
  /** True where this user trusts the workspace. */
  isTrusted(): boolean;
  /** Everything that is wrong with settings, rules, definitions, servers and profiles. */
  problems(): readonly Problem[];
  /** Tells what a surface found wrong, in place of what it told before. */
  report(surface: string, problems: readonly Problem[]): void;
  /** Fires with the keys of the settings that changed, once everything here goes by them. */
  readonly onDidChangeSettings: Event<ChangedSettings>;
  /** Fires when settings, profiles, rules or the registry changed: everything shown has to be read again. */
  readonly onDidChange: Event<void>;
  /** Resolves once everything that is read at the start has been read, such as the engine for expressions in rules. */
  readonly ready: Promise<void>;
}

/** The composition root, in order of dependency. Owns everything that it makes; disposing it lets go of all. */
export function compose(platform: Platform): Core {
  const store = new DisposableStore();
  const failed = (what: string) => (error: unknown) => platform.log.error(`${what} failed: ${stackOf(error)}`);
  const changed = store.add(new Emitter<void>(failed('a listener')));
  const isTrusted = (): boolean => platform.definitions?.trusted() ?? true;
  const boundaryReader = new BoundaryFiles();
  const settings = store.add(new SettingsInForce(platform.settings, failed('a listener')));
  const http = platform.http(() => settings.now);
  const tools: Tools = store.add(composeTools(platform, settings, () => [...servers.own(), ...definitions.own()]));
  const { profiles } = tools;
  const made = { platform, isTrusted, failed, boundaryReader, settings, http, tools };
  const policy = store.add(composePolicy(made));
  const definitions: Definitions = store.add(composeDefinitions({ ...made, router: () => gate.router }));
  const gate: Gate = store.add(composeGate({ ...made, policy, definitions: () => definitions.loader }));
  const servers: Servers = store.add(composeServers({ ...made, ports: gate.ports }));
  store.add(
    recordChanges({
      audit: platform.audit,
      clock: platform.clock,
      profiles,
      policy: policy.engine,
      grants: policy.grants,
      plans: policy.plans,
      ...(definitions.loader ? { definitions: definitions.loader } : {}),
    }),
  );
  const agents = store.add(composeAgents({ ...made, policy, servers, validator: gate.validator }));
  const reports = new Map<string, readonly Problem[]>();
  const report = (surface: string, found: readonly Problem[]): void => {
    if (canonicalJson(reports.get(surface) ?? []) === canonicalJson(found)) return;
    reports.set(surface, found);
    changed.fire();
  };
  const triedPatterns = async (): Promise<void> => {
    try {
      const found = await patternProblems(settings);
      if (found) report('redaction.patterns', found);
    } catch (error) {
      failed('reading `redaction.patterns`')(error);
    }
  };
  store.add(settings.onDidChange((keys) => void (keys.has('redaction.patterns') && triedPatterns())));
  const parts = { tools, policy, definitions, gate, servers, agents };
  store.add(follow({ platform, settings, ...parts }, () => changed.fire()));

  return {
    ...parts,
    settings: () => settings.now,
    isTrusted,
    problems: () => withoutWaiting([...problemsOf({ settings, ...parts }), ...[...reports.values()].flat()]),
    report,
    onDidChangeSettings: settings.onDidChange,
    onDidChange: changed.event,
    ready: Promise.all([start({ policy, definitions, agents }, failed), triedPatterns()]).then(() => undefined),
    dispose: () => store.dispose(),
  };
}

type Composed = Pick<Core, 'tools' | 'policy' | 'definitions' | 'gate' | 'servers' | 'agents'> & {
  readonly platform: Pick<Platform, 'boundaryFiles' | 'prompts'>;
  readonly settings: SettingsInForce;
};

/** What the parts themselves found wrong. */
const problemsOf = ({
  settings,
  tools,
  policy,
  definitions,
  gate,
  servers,
  agents,
}: Omit<Composed, 'platform'>): readonly Problem[] => [
  ...settings.now.problems,
  ...policy.problems(),
  ...gate.resolver.rows().problems,
  ...(definitions.loader?.problems() ?? []),
  ...servers.list.problems(),
  ...tools.profiles.problems(),
  ...agents.checks.problems(),
];

/** Who hears of which change. `changed` tells those who show something. */
function follow(
  { platform, settings, tools: { profiles }, policy, definitions, gate, servers, agents }: Composed,
  changed: () => void,
): Disposable {
  const store = new DisposableStore();
  store.add(gate.resolver.onDidChange(changed));
  if (definitions.loader)
    store.add(
      definitions.loader.onDidChange(() => {
        definitions.poller.refresh();
        if (!profiles.refresh()) changed();
      }),
    );
  store.add(servers.list.onDidChange(changed));
  store.add(agents.checks.onDidChange(changed));
  servers.followFiles();
  store.add(
    profiles.onDidChange(() => {
      servers.followFiles();
      changed();
    }),
  );
  // Each part hears of its own settings alone: a click in the tree changes profiles, and no rule, server or definition.
  store.add(
    settings.onDidChange((keys) => {
      const concerns = (own: readonly SettingKey[]): boolean => own.some((key) => keys.has(key));
      if (concerns([...boundarySettings, 'limits'])) policy.apply();
      if (concerns(['mcp.servers', 'policy.bundles'])) servers.list.refresh();
      // An address that was refused may be allowed now.
      if (concerns(['definitions.enabled', 'channels', 'policy.bundles', 'network.allowedPrivateHosts']))
        void definitions.loader?.reload();
      const isTold = profiles.refresh();
      servers.followFiles();
      if (!isTold) changed();
    }),
  );
  store.add(agents.prompts.onDidChange(changed));
  // A workspace that is trusted now may give its rules' reasons and start its servers; the rules name its folders.
  if (platform.prompts)
    store.add(
      platform.prompts.onDidChangePlaces(() => {
        policy.apply();
        servers.list.refresh();
        changed();
      }),
    );
  store.add(
    platform.boundaryFiles.onDidChange(() => {
      policy.apply();
      changed();
    }),
  );
  return store;
}

/** Reads what is read at the start. */
async function start(
  { policy, definitions, agents }: Pick<Core, 'policy' | 'definitions' | 'agents'>,
  failed: (what: string) => (error: unknown) => void,
): Promise<void> {
  await Promise.all([
    policy.engine.ready.catch(failed('loading the engine for expressions')),
    definitions.loader?.reload(),
  ]);
  // Asking for the agent is what makes its prompt be read.
  agents.runtimeAgent();
  await Promise.all([agents.checks.check(), agents.prompts.settled()]);
}
