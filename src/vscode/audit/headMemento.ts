import { isObject, parsedJson } from '../../core/base/json';
import type { KeyValueStore } from '../../core/ports/platform';
import { type Head, type HeadKeeper, headLine, parseHead } from '../../core/audit/head';

/** So many segments are looked after here; older ones are vouched for by the windows that came after them. */
const mostKept = 64;

/**
 * Keeps the heads of the audit in the editor's storage of this user, where somebody who edits the folder of the log
 * does not come by. Windows share that storage and may write over one another's newest entry; an older head of the same
 * segment still holds.
 */
export function headMemento(store: KeyValueStore, key: string): HeadKeeper {
  const read = (): ReadonlyMap<string, Head> => {
    const kept = store.get(key);
    const heads = new Map<string, Head>();
    for (const text of Array.isArray(kept) ? kept : []) {
      const segment: unknown = typeof text === 'string' ? segmentOf(text) : undefined;
      const head = typeof text === 'string' && typeof segment === 'string' ? parseHead(text, segment) : undefined;
      if (head) heads.set(head.segment, head);
    }
    return heads;
  };
  const write = (heads: ReadonlyMap<string, Head>): void => {
    const newest = [...heads.values()].sort((a, b) => (a.segment < b.segment ? -1 : 1)).slice(-mostKept);
    void store.set(key, newest.map(headLine));
  };
  return {
    heads: () => [...read().values()],
    keep: (head) => write(new Map(read()).set(head.segment, head)),
    forget(segments) {
      const heads = read();
      const gone = new Set(segments);
      if (segments.some((segment) => heads.has(segment)))
        write(new Map([...heads].filter(([segment]) => !gone.has(segment))));
    },
  };
}

function segmentOf(text: string): unknown {
  const value = parsedJson(text);
  return isObject(value) ? value['segment'] : undefined;
}
