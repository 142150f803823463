import { isObject, type Json } from '../base/json';
import { changeStored, type KeyValueStore } from '../ports/platform';

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
    return textsIn(this.#storage.get(key)).get(file);
  }

  keep(file: string, text: string): Promise<void> {
    return changeStored(this.#storage, key, (now) => {
      const all = textsIn(now);
      if (all.get(file) === text) return now;
      all.delete(file);
      all.set(file, text);
      let size = [...all.values()].reduce((sum, one) => sum + one.length, 0);
      for (const [oldest, one] of all) {
        if (size <= mostCharacters) break;
        all.delete(oldest);
        size -= one.length;
      }
      return Object.fromEntries(all);
    });
  }

  forget(file: string): Promise<void> {
    return changeStored(this.#storage, key, (now) => {
      const all = textsIn(now);
      return all.delete(file) ? Object.fromEntries(all) : now;
    });
  }
}

function textsIn(value: Json | undefined): Map<string, string> {
  return new Map(
    Object.entries(isObject(value) ? value : {}).filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
}
