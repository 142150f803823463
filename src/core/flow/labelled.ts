import { setLast } from '../base/maps';
import { inputGlob } from '../base/pathGlob';
import { isObject, type Json, stringsIn } from '../base/json';
import { type FlowSource, flowKinds, flowLabels } from '../vocabulary/flow';
import { fewest } from './origins';

/** What was written by a session with labels. */
interface Labelled {
  /** The beginning of the SHA-256 of the content; undefined where only the place is known. */
  readonly hash?: string;
  readonly sources: readonly FlowSource[];
  readonly at: number;
}

/** Content that a session with labels wrote: a copy of it is what was copied, wherever the copied file is by now. */
interface LabelledContent {
  /** Where it stood. */
  readonly keys: readonly string[];
  readonly sources: readonly FlowSource[];
  readonly at: number;
}

const mostKept = 500;
const mostSources = 6;
const mostKeys = 10;
/** The SHA-256 of nothing, which every empty file has. */
const nothing = 'e3b0c44298fc1c14';
const lifetimeMs = 30 * 24 * 3600 * 1000;

/** Files by their path and content, notes and tasks by their name: what is kept of a session with labels. */
export class LabelledThings {
  readonly #things = new Map<string, Labelled>();
  /** By their hash, longer than the files: what was copied may be written anew or go, and the copy stays. */
  readonly #contents = new Map<string, LabelledContent>();

  get size(): number {
    return this.#things.size + this.#contents.size;
  }

  /** @param hash undefined where it is not known what stands there now. */
  put(key: string, sources: readonly FlowSource[], at: number, hash?: string): void {
    const kept = few(sources);
    this.#set(key, { sources: kept, at, ...(hash === undefined ? {} : { hash }) });
    if (hash === undefined || hash === nothing) return;
    const known = this.#contents.get(hash);
    const keys = [...new Set([...(known?.keys ?? []), key])].slice(-mostKeys);
    setLast(this.#contents, hash, { keys, sources: few([...(known?.sources ?? []), ...kept]), at }, mostKept);
  }

  /** A file or folder has another path now: what is known of it, and of what lies in it, is known there. */
  move(from: string, to: string): void {
    for (const [key, known] of [...this.#things])
      if (key === from || key.startsWith(`${from}/`)) {
        const next = `${to}${key.slice(from.length)}`;
        this.remove(key);
        this.#set(next, known);
        const content = known.hash === undefined ? undefined : this.#contents.get(known.hash);
        if (known.hash === undefined || !content || content.keys.includes(next)) continue;
        this.#contents.set(known.hash, { ...content, keys: [...content.keys, next].slice(-mostKeys) });
      }
  }

  /**
   * What stands behind a file or notes. By content where both sides know it: what somebody else changed since is
   * theirs; and a copy is what was copied.
   */
  sourcesOf(key: string, hash?: string): readonly FlowSource[] {
    const known = this.#things.get(key);
    const isOther = known?.hash !== undefined && hash !== undefined && !hash.startsWith(known.hash);
    if (known && !isOther) return known.sources;
    return hash === undefined ? [] : (this.#contents.get(hash)?.sources ?? []);
  }

  /** Whether what a file holds can tell more than its path does. */
  asksContent(key: string): boolean {
    const known = this.#things.get(key);
    return this.#contents.size > 0 && (!known || known.hash !== undefined);
  }

  /** What lies below a folder; of a pattern, all below the last folder that it names plainly. */
  below(place: string): readonly FlowSource[] {
    const at = withoutNames(place).search(/[*?[{(]/);
    const folder = (at < 0 ? place : place.slice(0, place.lastIndexOf('/', at) + 1)).replace(/(?<!\/)\/+$/, '');
    const start = folder === '.' || folder === '' ? 'file:' : `file:${folder}/`;
    const fits = /[[\\]/.test(folder) ? fileGlob(`${folder}/**`) : () => false;
    return this.#where((key) => key.startsWith(start) || fits(key));
  }

  /** What a pattern of a shell may name besides the file of that name; one that is not read here may mean all below. */
  matching(pattern: string): readonly FlowSource[] {
    if (/[[{(]|\*\*/.test(withoutNames(pattern))) return this.below(pattern);
    const fits = fileGlob(pattern);
    return this.#where((key) => key !== `file:${pattern}` && fits(key));
  }

  #where(test: (key: string) => boolean): readonly FlowSource[] {
    return [...this.#things].flatMap(([key, { sources }]) => (test(key) ? sources : []));
  }

  has(key: string): boolean {
    return this.#things.has(key);
  }

  remove(key: string): void {
    this.#things.delete(key);
  }

  /** Takes a label from things, and from what stood in them; what has none left is forgotten. */
  clear(keys: Iterable<string>, label: FlowSource['label']): void {
    const cleared = new Set(keys);
    const clear = <One extends { readonly sources: readonly FlowSource[] }>(
      map: Map<string, One>,
      key: string,
    ): void => {
      const known = map.get(key);
      if (!known) return;
      const left = known.sources.filter((one) => one.label !== label);
      if (left.length === 0) map.delete(key);
      else map.set(key, { ...known, sources: left });
    };
    for (const key of cleared) clear(this.#things, key);
    for (const [hash, content] of [...this.#contents])
      if (content.keys.some((key) => cleared.has(key))) clear(this.#contents, hash);
  }

  toJson(): Json {
    return [...this.#things].map(([key, { sources, ...rest }]) => ({ key, ...rest, sources: written(sources) }));
  }

  contentsToJson(): Json {
    return [...this.#contents].map(([hash, { keys, sources, at }]) => {
      return { hash, keys: [...keys], at, sources: written(sources) };
    });
  }

  /** Reads what was kept; what cannot be read, and what is older than a month, is left out. */
  load(stored: unknown, contents: unknown, now: number): void {
    for (const { key, at, hash, sources } of rows(stored, now)) {
      if (typeof key !== 'string') continue;
      this.#set(key, { sources, at, ...(typeof hash === 'string' ? { hash } : {}) });
    }
    for (const { hash, keys, at, sources } of rows(contents, now)) {
      if (typeof hash !== 'string') continue;
      const known = stringsIn(keys);
      setLast(this.#contents, hash, { keys: known, sources, at }, mostKept);
    }
  }

  /** What was written last stands last. */
  #set(key: string, thing: Labelled): void {
    setLast(this.#things, key, thing, mostKept);
  }
}

/**
 * A path with other signs in place of brackets that stand in names, such as those of routes: `[id]`, `{slug}` and
 * `(group)`, and of what is escaped. The first is a set of characters to a shell, too; those that hold more than
 * plain ones are left. The last is a pattern to no shell that our reader takes for one path.
 */
const withoutNames = (path: string): string =>
  path.replace(/\\[^/]|\[[^\][\\/!^][^\][\\/]*\]|\{(?:(?!\.\.)[^{},\\/])*\}|(?<=^|\/)\([\w-]+\)(?=\/|$)/g, (brackets) =>
    '_'.repeat(brackets.length),
  );

/**
 * The keys of the files that a pattern names, with a set in it or with brackets as they stand. Which letters a range of
 * a set holds is not the same everywhere.
 */
function fileGlob(pattern: string): (key: string) => boolean {
  const asNames = pattern.replace(/(?<!\\)[[\]]/g, '\\$&');
  const fits = [inputGlob(pattern, true), inputGlob(asNames)];
  return (key) => key.startsWith('file:') && fits.some((one) => one(key.slice('file:'.length)));
}

const written = (sources: readonly FlowSource[]): Json => sources.map((one) => ({ ...one }));

interface StoredRow {
  readonly [name: string]: unknown;
  readonly at: number;
  readonly sources: readonly FlowSource[];
}

function* rows(stored: unknown, now: number): Iterable<StoredRow> {
  for (const row of Array.isArray(stored) ? stored : []) {
    if (!isObject(row)) continue;
    const { at } = row;
    if (typeof at !== 'number' || now - at > lifetimeMs) continue;
    yield { ...row, at, sources: few(readSources(row['sources'])) };
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
