import type { JsonObject } from '../base/json';

/** Bytes with a few facts about them. */
export interface Blob {
  readonly facts: JsonObject;
  readonly body: Uint8Array;
}

/**
 * A bounded store of things that can be got again, such as fetched pages; in the extension's storage, never in the
 * repository. What was used longest ago goes first. A store that cannot read or write behaves as if it were empty:
 * nothing here throws.
 */
export interface BlobStore {
  get(key: string): Promise<Blob | undefined>;
  set(key: string, blob: Blob): Promise<void>;
  delete(key: string): Promise<void>;
}
