import { isObject } from '../base/json';
import type { KeyValueStore } from '../ports/platform';

const key = 'definitions.lastGood';
/** All kept texts together; the oldest go first. In characters. */
const mostCharacters = 2_000_000;

/**
 * The last text without a mistake of each definition file, kept over restarts, so that a damaged file does not switch
 * its tools off.
 */
export class LastGood {
  readonly #storage: KeyValueStore;

  constructor(storage: KeyValueStore) {
    this.#storage = storage;
  }

  get(file: string): string | undefined {
    return this.#all().get(file);
  }

  async keep(file: string, text: string): Promise<void> {
    const all = this.#all();
    if (all.get(file) === text) return;
    all.delete(file);
    all.set(file, text);
    let size = [...all.values()].reduce((sum, one) => sum + one.length, 0);
    for (const [oldest, one] of all) {
      if (size <= mostCharacters) break;
      all.delete(oldest);
      size -= one.length;
    }
    await this.#storage.set(key, Object.fromEntries(all));
  }

  async forget(file: string): Promise<void> {
    const all = this.#all();
    if (all.delete(file)) await this.#storage.set(key, Object.fromEntries(all));
  }

  #all(): Map<string, string> {
    const value = this.#storage.get(key);
    return new Map(
      Object.entries(isObject(value) ? value : {}).filter((one): one is [string, string] => typeof one[1] === 'string'),
    );
  }
}
