import type { Json } from '../base/json';
import type { KeyValueStore } from './platform';

/**
 * A store that never fails who writes: what cannot be stored holds for as long as this process lives and nobody else
 * stores something in its place, and that is told once. Everything that the program keeps goes through one of these, so
 * that a full disk ends no command and no call. What must not happen without being stored goes by `update`, which
 * throws.
 * @param tell hears of the first failure.
 */
export function enduringStore(store: KeyValueStore, tell: (error: unknown) => void): KeyValueStore {
  /** The newest value of each key that could not be stored, with what stood there, as text. */
  const unsaved = new Map<string, { readonly value: Json | undefined; readonly over: string | undefined }>();
  /** The newest attempt to store each key: an older one that fails later says nothing of what stands there. */
  const attempts = new Map<string, symbol>();
  let isTold = false;
  const { update } = store;
  const textOf = (value: Json | undefined): string | undefined => JSON.stringify(value);
  const valueOver = (key: string, stored: Json | undefined): Json | undefined => {
    const own = unsaved.get(key);
    if (own && own.over === textOf(stored)) return own.value;
    unsaved.delete(key);
    return stored;
  };
  return {
    get: (key) => valueOver(key, store.get(key)),
    async set(key, value) {
      const attempt = Symbol(key);
      attempts.set(key, attempt);
      try {
        await store.set(key, value);
        if (attempts.get(key) === attempt) unsaved.delete(key);
      } catch (error) {
        if (attempts.get(key) === attempt) unsaved.set(key, { value, over: textOf(store.get(key)) });
        if (!isTold) tell(error);
        isTold = true;
      }
    },
    ...(update
      ? {
          update(key, change) {
            const answer = update(key, (now) => change(valueOver(key, now)));
            unsaved.delete(key);
            return answer;
          },
        }
      : {}),
  };
}
