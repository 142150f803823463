import type { Settings } from '../settings/settings';
import type { DiscoveryPort } from './discovery';
import type { GovernancePort } from './governance';
import type { ChangesPort } from './changes';
import type { BlobStore } from './blobs';
import type { FileSystem } from './files';
import type { DatabaseClient } from './databases';
import type { CommandRunner, Notifier } from './editor';
import type { HttpClient } from './http';
import type { MailClient } from './mail';
import type { ProgramRunner } from './programs';
import type { ModuleRunner, Sandbox } from './sandbox';
import type { TodoStorePort } from './todos';
import type { Clock, Crypto, KeyValueStore, Log, SecretStore, WorkerPool } from './platform';

/** Everything outside core that a tool's handler may use. A handler that needs something else names a new port here. */
export interface ToolPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly crypto: Crypto;
  readonly files: FileSystem;
  readonly http: HttpClient;
  /** Bytes that can be got again; without it nothing is cached. */
  readonly blobs?: BlobStore;
  readonly worker: WorkerPool;
  readonly secrets: SecretStore;
  /** Kept per workspace and user, keyed by the caller. */
  readonly storage: KeyValueStore;
  /** The todo lists of all profiles; compose makes one store that the user's view shows too. */
  readonly todos: TodoStorePort;
  /** What may be done and why, for tools that tell agents about it. */
  readonly governance: GovernancePort;
  /** What capabilities and tools there are. */
  readonly discovery: DiscoveryPort;
  /** The `agentCapabilities.*` settings that tools read, after scopes are merged. */
  readonly settings: ToolSettings;
  /** What calls changed, and what was there before; left out where nothing of it is kept. */
  readonly changes?: ChangesPort;
  // What only some surfaces have; `need` of `ports/need.ts` answers a typed error where one is absent.
  readonly programs?: ProgramRunner;
  readonly commands?: CommandRunner;
  readonly notifier?: Notifier;
  readonly databases?: DatabaseClient;
  readonly mail?: MailClient;
  readonly sandbox?: Sandbox;
  /** Files that the user trusted to run outside the sandbox. */
  readonly trustedModules?: ModuleRunner;
}

/** Settings for tools, each with the type that its declaration gives it. */
export type ToolSettings = Pick<Settings, 'get'>;
