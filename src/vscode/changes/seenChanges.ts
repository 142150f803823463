import { isObject, type Json, stringsIn } from '../../core/base/json';
import { isTakenBack, type PastChange } from '../../core/changes/history';
import { noneSeen, type Seen, seenWith, unseenOf } from '../../core/changes/seen';
import { changeStored, type KeyValueStore } from '../../core/ports/platform';

const key = 'changes.seen';

/** Which changes the person has looked at in this workspace. */
export class SeenChanges {
  readonly #storage: KeyValueStore;

  constructor(storage: KeyValueStore) {
    this.#storage = storage;
  }

  /** Those of all changes that they have not seen. */
  missedIn(all: readonly PastChange[]): readonly PastChange[] {
    return unseenOf(all, seenIn(this.#storage.get(key)), isTakenBack);
  }

  /** They have looked at some of all changes. */
  look(looked: readonly PastChange[], all: readonly PastChange[]): Promise<void> {
    return changeStored(this.#storage, key, (now) => {
      const { until, also } = seenWith(seenIn(now), looked, all);
      return { until, also };
    });
  }
}

function seenIn(value: Json | undefined): Seen {
  if (!isObject(value)) return noneSeen;
  const { until, also } = value;
  return {
    until: typeof until === 'number' ? until : 0,
    also: stringsIn(also),
  };
}
