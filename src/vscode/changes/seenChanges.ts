import { isObject, stringsIn } from '../../core/base/json';
import { isTakenBack, type PastChange } from '../../core/changes/history';
import { noneSeen, type Seen, seenWith, unseenOf } from '../../core/changes/seen';
import type { KeyValueStore } from '../../core/ports/platform';

const key = 'changes.seen';

/** Which changes the person has looked at in this workspace. */
export class SeenChanges {
  readonly #storage: KeyValueStore;

  constructor(storage: KeyValueStore) {
    this.#storage = storage;
  }

  /** Those of all changes that they have not seen. */
  missedIn(all: readonly PastChange[]): readonly PastChange[] {
    return unseenOf(all, this.#seen, isTakenBack);
  }

  /** They have looked at some of all changes. */
  async look(looked: readonly PastChange[], all: readonly PastChange[]): Promise<void> {
    const { until, also } = seenWith(this.#seen, looked, all);
    await this.#storage.set(key, { until, also });
  }

  get #seen(): Seen {
    const value = this.#storage.get(key);
    if (!isObject(value)) return noneSeen;
    const { until, also } = value;
    return {
      until: typeof until === 'number' ? until : 0,
      also: stringsIn(also),
    };
  }
}
