import type { Json } from '../base/json';
import type { Disposable } from '../base/lifecycle';

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

/**
 * Runs heavy, pure work away from the caller's thread, with a wall limit. The task's name picks code that the worker
 * bundle holds.
 */
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

interface PieceHash {
  add(piece: Uint8Array): void;
  /** To be called once, at the end. */
  digest(): string;
}
