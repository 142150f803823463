import { Debounce } from '../../core/base/debounce';
import type { Event } from '../../core/base/event';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';

/** In milliseconds: how long after the last change, how long at a time, and how long others may work in between. */
const times = { after: 500, work: 8, rest: 15 };

/**
 * Reads new tools for the search a little at a time, so that neither the first search nor anything else has to wait for
 * thousands of them.
 */
export function prepareSearchInTime(parts: {
  prepareSearch(isTimeUp: () => boolean): boolean;
  readonly onDidChange: Event<void>;
}): Disposable {
  const store = new DisposableStore();
  const work = (): void => {
    const end = performance.now() + times.work;
    if (!parts.prepareSearch(() => performance.now() >= end)) next.restart();
  };
  const first = store.add(new Debounce(work, times.after));
  const next = store.add(new Debounce(work, times.rest));
  const begin = (): void => {
    next.cancel();
    first.restart();
  };
  store.add(parts.onDidChange(begin));
  begin();
  return store;
}
