import { validators } from 'virtual:validators';
import { builtinCapabilities } from './capabilities/index';
import type { AuditSink } from './core/audit/event';
import { Emitter, type Event } from './core/base/event';
import { type Disposable, DisposableStore } from './core/base/lifecycle';
import { createValidator } from './core/base/validator';
import type { ApprovalDesk, BoundaryJudge, LimitJudge, PlanJudge, RequirementJudge } from './core/gate/types';
import { pass } from './core/gate/steps';
import { ToolRouter } from './core/invocation';
import type { Clock, Crypto, KeyValueStore, Log, SecretStore, ToolPorts, WorkerPool } from './core/ports';
import type { FileSystem } from './core/ports/files';
import type { HttpClient } from './core/ports/http';
import type { Problem } from './core/problem';
import { ProfileStore } from './core/profileStore';
import { CapabilityRegistry } from './core/registry';
import { buildRuntimeAgent, type RuntimeAgent } from './core/runtimeAgent';
import { readSettings, type Settings, type SettingsLayers } from './core/settings';
import { TodoStore } from './core/todos/store';

/** What differs between the editor and the command line. */
export interface Platform {
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly log: Log;
  readonly files: FileSystem;
  readonly http: HttpClient;
  readonly worker: WorkerPool;
  readonly secrets: SecretStore;
  /** Kept for this workspace and user. */
  readonly storage: KeyValueStore;
  readonly settings: { read(): SettingsLayers; readonly onDidChange: Event<void> };
  readonly approvals: ApprovalDesk;
  readonly audit: AuditSink;
}

/** Every object of the running system, made once and in order of dependency. */
export interface Core extends Disposable {
  readonly registry: CapabilityRegistry;
  readonly profiles: ProfileStore;
  readonly router: ToolRouter;
  readonly ports: ToolPorts;
  /** The todo lists, for the view; the tools reach the same store through the ports. */
  readonly todos: TodoStore;
  settings(): Settings;
  runtimeAgent(profileId?: string): RuntimeAgent;
  problems(): readonly Problem[];
  /** Fires when settings, profiles or the registry changed: everything shown has to be read again. */
  readonly onDidChange: Event<void>;
}

/** The composition root. Owns everything that it makes; disposing it lets go of all. */
export function compose(platform: Platform): Core {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<void>((error) => platform.log.error(`a listener failed: ${String(error)}`)));

  let settings = readSettings(platform.settings.read());
  const registry = new CapabilityRegistry();
  store.add(registry);
  for (const capability of builtinCapabilities) store.add(registry.register(capability));
  const profiles = store.add(new ProfileStore({ registry, settings: () => settings, storage: platform.storage, crypto: platform.crypto }));

  const todos = store.add(new TodoStore({ storage: platform.storage, clock: platform.clock, log: platform.log }));

  const ports: ToolPorts = {
    clock: platform.clock,
    log: platform.log,
    crypto: platform.crypto,
    files: platform.files,
    http: platform.http,
    worker: platform.worker,
    secrets: platform.secrets,
    storage: platform.storage,
    todos,
    settings: { get: (key) => settings.get(key), section: (prefix) => settings.section(prefix) },
  };
  const boundaries: BoundaryJudge = { judge: () => pass('boundaries') };
  const plans: PlanJudge = { judge: () => pass('plan'), consume: () => undefined };
  const requirements: RequirementJudge = { judge: async () => pass('requirements') };
  const limits: LimitJudge = { judge: () => pass('limits'), finished: () => undefined };

  const router = new ToolRouter({
    registry,
    ports,
    validator: createValidator(validators, async () => (await import('./core/base/runtimeAjv')).createCompiler()),
    profile: () => profiles.active(),
    boundaries,
    plans,
    requirements,
    limits,
    approvals: platform.approvals,
    audit: platform.audit,
    security: () => ({ requireAuth: false }),
    confirmationTimeoutSeconds: () => settings.number('confirmation.timeoutSeconds'),
  });

  store.add(registry.onDidChange(() => profiles.refresh()));
  store.add(profiles.onDidChange(() => changed.fire()));
  store.add(
    platform.settings.onDidChange(() => {
      settings = readSettings(platform.settings.read());
      profiles.refresh();
    }),
  );

  return {
    registry,
    profiles,
    router,
    ports,
    todos,
    settings: () => settings,
    runtimeAgent: (profileId) =>
      buildRuntimeAgent((profileId === undefined ? undefined : profiles.resolve(profileId)) ?? profiles.active()),
    problems: () => [...settings.problems, ...profiles.problems()],
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
