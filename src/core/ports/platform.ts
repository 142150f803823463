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
  /** What stands there now, whoever wrote it last. */
  get(key: string): Json | undefined;
  set(key: string, value: Json | undefined): Promise<void>;
  /**
   * Changes a value by what stands there now, while no other process changes any; all of it has happened once this
   * returns. The same value again writes nothing. Throws where it cannot be done. Left out where the store knows of
   * no other process.
   */
  update?<T>(key: string, change: StoredChange<T>): T;
}

/** What a value becomes, and what its change answers. */
export type StoredChange<T> = (now: Json | undefined) => { readonly value: Json | undefined; readonly answer: T };

/**
 * Changes a stored value by what stands there now; while no other process does, where the store can see to that.
 * Answers also what stands there by this change, as the next `get` gives it for as long as nobody else changes it.
 */
export function updateStored<T>(
  store: KeyValueStore,
  key: string,
  change: StoredChange<T>,
  onError: (error: unknown) => void,
): { readonly answer: T; readonly stored: Json | undefined } {
  if (store.update) {
    return store.update(key, (now) => {
      const { value, answer } = change(now);
      return { value, answer: { answer, stored: value } };
    });
  }
  const now = store.get(key);
  const { value, answer } = change(now);
  if (value !== now) store.set(key, value).catch(onError);
  // The editor keeps a copy of what it is given.
  return { answer, stored: store.get(key) };
}

/** The same for who waits until it is stored; rejects where it cannot be. */
export async function changeStored(
  store: KeyValueStore,
  key: string,
  change: (now: Json | undefined) => Json | undefined,
): Promise<void> {
  try {
    if (store.update) return store.update(key, (now) => ({ value: change(now), answer: undefined }));
  } catch {
    // What the store makes of what it cannot write is said by its `set`.
  }
  const now = store.get(key);
  const value = change(now);
  if (value !== now) await store.set(key, value);
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
