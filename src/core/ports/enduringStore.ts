import type { Json } from '../base/json';
import type { KeyValueStore } from './platform';

/**
 * A store that never fails who writes: what cannot be stored holds for as long as this process lives, and that is told
 * once. Everything that the program keeps goes through one of these, so that a full disk ends no command and no call.
 * What must not happen without being stored goes by `update`, which throws.
 * @param tell hears of the first failure.
 */
export function enduringStore(store: KeyValueStore, tell: (error: unknown) => void): KeyValueStore {
  /** The newest value of each key that could not be stored. */
  const unsaved = new Map<string, Json | undefined>();
  /** The newest attempt to store each key: an older one that fails later says nothing of what stands there. */
  const attempts = new Map<string, symbol>();
  let isTold = false;
  const { update } = store;
  return {
    get: (key) => (unsaved.has(key) ? unsaved.get(key) : store.get(key)),
    async set(key, value) {
      const attempt = Symbol(key);
      attempts.set(key, attempt);
      try {
        await store.set(key, value);
        if (attempts.get(key) === attempt) unsaved.delete(key);
      } catch (error) {
        if (attempts.get(key) === attempt) unsaved.set(key, value);
        if (!isTold) tell(error);
        isTold = true;
      }
    },
    ...(update
      ? {
          update(key, change) {
            // While the disk was full nobody else stored anything either.
            const answer = update(key, (now) => change(unsaved.has(key) ? unsaved.get(key) : now));
            unsaved.delete(key);
            return answer;
          },
        }
      : {}),
  };
}
