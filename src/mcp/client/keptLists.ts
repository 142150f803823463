import { isObject, type Json } from '../../core/base/json';
import { changeStored, type Crypto, type KeyValueStore } from '../../core/ports/platform';
import type { McpServerSpec } from '../../core/foreign/serverSpec';

/** What is kept of a server's lists: its resources, its prompts. */
export type KeptList = 'resources' | 'prompts';

/** A longer list is not kept, so that the storage stays small; its server is started for it. In characters of JSON. */
const longest = 200_000;

/**
 * The resources and prompts that a server listed when it last ran, so that showing them starts nothing. They belong to
 * the entry as it stands: another command or address is another server.
 */
export class KeptLists {
  readonly #storage: KeyValueStore;
  readonly #crypto: Crypto;

  constructor(storage: KeyValueStore, crypto: Crypto) {
    this.#storage = storage;
    this.#crypto = crypto;
  }

  get(spec: McpServerSpec, which: KeptList): Json | undefined {
    return this.#read(spec, this.#storage.get(key(spec)))[which];
  }

  keep(spec: McpServerSpec, which: KeptList, list: Json): Promise<void> {
    return changeStored(this.#storage, key(spec), (now) => {
      const { [which]: before, ...others } = this.#read(spec, now);
      const text = JSON.stringify(list);
      if (JSON.stringify(before) === text) return now;
      const lists = text.length > longest ? others : { ...others, [which]: list };
      return { entry: this.#hash(spec), lists };
    });
  }

  async forget(spec: McpServerSpec): Promise<void> {
    if (this.#storage.get(key(spec)) !== undefined) await this.#storage.set(key(spec), undefined);
  }

  #read(spec: McpServerSpec, stored: Json | undefined): Readonly<Partial<Record<KeptList, Json>>> {
    if (!isObject(stored) || stored['entry'] !== this.#hash(spec) || !isObject(stored['lists'])) return {};
    // The storage holds JSON.
    return stored['lists'] as Partial<Record<KeptList, Json>>;
  }

  #hash(spec: McpServerSpec): string {
    return this.#crypto.sha256(spec.content).slice(0, 32);
  }
}

const key = (spec: McpServerSpec): string => `mcp.lists.${spec.name}`;
