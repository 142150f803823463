import { isObject, type Json } from '../base/json';
import { type FlowSource, flowKinds, flowLabels } from '../vocabulary/flow';
import { fewest } from './origins';

/** What was written by a session with labels. */
interface Labelled {
  /** The beginning of the SHA-256 of the content; undefined where only the place is known. */
  readonly hash?: string;
  /** The content that was known before it became uncertain: a copy of that is still what was copied. */
  readonly formerly?: string;
  readonly sources: readonly FlowSource[];
  readonly at: number;
}

const mostKept = 500;
const mostSources = 6;
const lifetimeMs = 30 * 24 * 3600 * 1000;

/** Files by their path and content, notes and tasks by their name: what is kept of a session with labels. */
export class LabelledThings {
  readonly #things = new Map<string, Labelled>();

  get size(): number {
    return this.#things.size;
  }

  /** @param hash undefined where it is not known what stands there now. */
  put(key: string, sources: readonly FlowSource[], at: number, hash?: string): void {
    const known = this.#things.get(key);
    const formerly = known?.hash ?? known?.formerly;
    const content = hash !== undefined ? { hash } : formerly !== undefined ? { formerly } : {};
    // What was written last stands last.
    this.remove(key);
    this.#things.set(key, { sources: few(sources), at, ...content });
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
    if (hash === undefined) return [];
    return [...this.#things.values()].flatMap((one) => (one.hash === hash || one.formerly === hash ? one.sources : []));
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
    this.#things.delete(key);
  }

  /** Takes a label from things; what has none left is forgotten. */
  clear(keys: Iterable<string>, label: FlowSource['label']): void {
    for (const key of keys) {
      const known = this.#things.get(key);
      if (!known) continue;
      const left = known.sources.filter((one) => one.label !== label);
      if (left.length === 0) this.remove(key);
      else this.#things.set(key, { ...known, sources: left });
    }
  }

  toJson(): Json {
    return [...this.#things].map(([key, { sources, ...rest }]) => ({
      key,
      ...rest,
      sources: sources.map((one) => ({ ...one })),
    }));
  }

  /** Reads what was kept; what cannot be read, and what is older than a month, is left out. */
  load(stored: unknown, now: number): void {
    for (const row of Array.isArray(stored) ? stored : []) {
      if (!isObject(row)) continue;
      const { key, at, hash, formerly, sources } = row;
      if (typeof key !== 'string' || typeof at !== 'number' || now - at > lifetimeMs) continue;
      const content = typeof hash === 'string' ? { hash } : typeof formerly === 'string' ? { formerly } : {};
      this.#things.set(key, { sources: few(readSources(sources)), at, ...content });
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
