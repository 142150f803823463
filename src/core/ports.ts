import type { Json, JsonObject } from './base/json';
import type { Disposable } from './base/lifecycle';
import type { DiscoveryPort } from './ports/discovery';
import type { GovernancePort } from './ports/governance';
import type { BlobStore } from './ports/blobs';
import type { FileSystem } from './ports/files';
import type { DatabaseClient } from './ports/databases';
import type { CommandRunner, Notifier } from './ports/editor';
import type { HttpClient } from './ports/http';
import type { MailClient } from './ports/mail';
import type { ProgramRunner } from './ports/programs';
import type { ModuleRunner, Sandbox } from './ports/sandbox';
import type { TodoStorePort } from './ports/todos';

/** Time, so that tests can hold it still. */
export interface Clock {
  /** Milliseconds since 1970, UTC; may jump. For what people read. */
  now(): number;
  /** Milliseconds that never go backwards; counts sleep. For limits and durations. */
  monotonic(): number;
  /** The IANA name of the machine's time zone. */
  timeZone(): string;
  schedule(callback: () => void, delayMs: number): Disposable;
}

/** Diagnostics for people who look into the log; never arguments, never file contents. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/** Small values that outlive a call: per workspace or per user, in the extension's storage. */
export interface KeyValueStore {
  get(key: string): Json | undefined;
  set(key: string, value: Json | undefined): Promise<void>;
}

/** Secrets by name, from the editor's secret storage or the environment of the command line. */
export interface SecretStore {
  get(name: string): Promise<string | undefined>;
  set(name: string, value: string | undefined): Promise<void>;
  names(): Promise<readonly string[]>;
}

/** Runs heavy, pure work away from the caller's thread, with a wall limit. The task's name picks code that the worker bundle holds. */
export interface WorkerPool {
  run(
    task: string,
    input: unknown,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal; readonly memoryMb?: number },
  ): Promise<unknown>;
}

/** Random and hash functions, which core may not take from Node itself. */
export interface Crypto {
  randomId(): string;
  /** In lower-case hexadecimal digits; text is hashed as UTF-8. */
  sha256(data: string | Uint8Array): string;
  /** The same for what comes in pieces. */
  sha256Pieces(): PieceHash;
}

export interface PieceHash {
  add(piece: Uint8Array): void;
  /** To be called once, at the end. */
  digest(): string;
}

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

/** Settings for tools: plain JSON by key without the `agentCapabilities.` prefix, such as `webFetch.maxBytes`. */
export interface ToolSettings {
  get(key: string): Json | undefined;
  section(prefix: string): JsonObject;
}
