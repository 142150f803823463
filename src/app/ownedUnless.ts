import { DisposableStore } from '../core/base/lifecycle';

/**
 * Makes something of parts that a store owns. Where making fails, or the signal ends it meanwhile, the parts are let go
 * of at once, and nobody waits for the rest; `make` looks at the signal where it waited, before it makes more.
 */
export async function ownedUnless<Made>(
  signal: AbortSignal,
  make: (store: DisposableStore) => Promise<Made>,
): Promise<Made> {
  signal.throwIfAborted();
  const store = new DisposableStore();
  let end = (): void => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    end = () => {
      store.dispose();
      reject(signal.reason);
    };
  });
  signal.addEventListener('abort', end);
  try {
    return await Promise.race([make(store), ended]);
  } catch (error) {
    store.dispose();
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
}
