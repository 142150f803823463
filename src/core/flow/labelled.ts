import { isObject, type Json } from '../base/json';
import { type FlowSource, flowKinds, flowLabels } from '../vocabulary/flow';
import { fewest } from './origins';

/** What was written by a session with labels. */
interface Labelled {
  /** The beginning of the SHA-256 of the content; undefined where only the place is known. */
  readonly hash?: string;
  readonly sources: readonly FlowSource[];
  readonly at: number;
}

const mostKept = 500;
const mostSources = 6;
const lifetimeMs = 30 * 24 * 3600 * 1000;

/** Files by their path and content, notes and tasks by their name: what is kept of a session with labels. */
export class LabelledThings {
  readonly #things = new Map<string, Labelled>();
  readonly #byHash = new Map<string, string>();

  get size(): number {
    return this.#things.size;
  }

  put(key: string, sources: readonly FlowSource[], at: number, hash?: string): void {
    this.remove(key);
    this.#things.set(key, { sources: few(sources), at, ...(hash === undefined ? {} : { hash }) });
    if (hash !== undefined) this.#byHash.set(hash, key);
    const oldest = this.#things.keys().next();
    if (this.#things.size > mostKept && oldest.value !== undefined) this.remove(oldest.value);
  }

  /**
   * What stands behind a file or notes. By content where both sides know it: what somebody else changed since is
   * theirs; and a copy is what was copied.
   */
  sourcesOf(key: string, hash?: string): readonly FlowSource[] {
    const known = this.#things.get(key);
    const isOther = known?.hash !== undefined && hash !== undefined && !hash.startsWith(known.hash);
    if (known && !isOther) return known.sources;
    const same = hash === undefined ? undefined : this.#byHash.get(hash);
    return same === undefined ? [] : (this.#things.get(same)?.sources ?? []);
  }

  /** What lies below a folder. */
  below(folder: string): readonly FlowSource[] {
    const start = folder === '.' || folder === '' ? 'file:' : `file:${folder}/`;
    return [...this.#things].flatMap(([key, { sources }]) => (key.startsWith(start) ? sources : []));
  }

  has(key: string): boolean {
    return this.#things.has(key);
  }

  remove(key: string): void {
    const known = this.#things.get(key);
    if (known?.hash !== undefined) this.#byHash.delete(known.hash);
    this.#things.delete(key);
  }

  /** Takes a label from things; what has none left is forgotten. */
  clear(keys: Iterable<string>, label: FlowSource['label']): void {
    for (const key of keys) {
      const known = this.#things.get(key);
      if (!known) continue;
      const left = known.sources.filter((one) => one.label !== label);
      this.remove(key);
      if (left.length > 0) this.put(key, left, known.at, known.hash);
    }
  }

  toJson(): Json {
    return [...this.#things].map(([key, { hash, sources, at }]) => ({
      key,
      at,
      sources: sources.map((one) => ({ ...one })),
      ...(hash === undefined ? {} : { hash }),
    }));
  }

  /** Reads what was kept; what cannot be read, and what is older than a month, is left out. */
  load(stored: unknown, now: number): void {
    for (const row of Array.isArray(stored) ? stored : []) {
      if (!isObject(row)) continue;
      const { key, at, hash, sources } = row;
      if (typeof key !== 'string' || typeof at !== 'number' || now - at > lifetimeMs) continue;
      this.put(key, readSources(sources), at, typeof hash === 'string' ? hash : undefined);
    }
  }
}

/** The same number of each label, so that the one does not push out the other. */
function few(sources: readonly FlowSource[]): readonly FlowSource[] {
  return flowLabels.flatMap((label) =>
    fewest(
      sources.filter((one) => one.label === label),
      mostSources,
    ),
  );
}

/** Sources from a store; what is none is left out. */
export function readSources(raw: unknown): readonly FlowSource[] {
  return (Array.isArray(raw) ? raw : []).flatMap((one: unknown): FlowSource[] => {
    if (!isObject(one)) return [];
    const { resource, tool, at, through, origin } = one;
    const label = flowLabels.find((known) => known === one['label']);
    const kind = flowKinds.find((known) => known === one['kind']);
    if (!label || !kind || typeof resource !== 'string' || typeof tool !== 'string' || typeof at !== 'number')
      return [];
    const from = typeof origin === 'string' ? { origin } : {};
    return [{ label, kind, resource, tool, at, ...from, ...(typeof through === 'string' ? { through } : {}) }];
  });
}
