import type { Function as ShellFunction } from 'unbash';
import type { ShellContext } from './shellReading';

const mostValues = 64;
const mostFolders = 4;
const mostArguments = 200;
const longestFolder = 300;
const longestValue = 1024;

/** The values that a variable may have at some place of a line. */
export interface Variable {
  /** Each possible value; an array has its elements. */
  readonly values: readonly string[];
  readonly isArray: boolean;
  /** True where it may hold something else too. */
  readonly isOpen: boolean;
}

/** A map that is taken over from another one without copying it, until either is changed; neither sees the other's. */
class SharedMap<Value> {
  #entries: Map<string, Value>;
  #isShared = false;

  constructor(from?: SharedMap<Value>) {
    this.#entries = from ? from.#entries : new Map();
    if (from) this.#isShared = from.#isShared = true;
  }

  get(name: string): Value | undefined {
    return this.#entries.get(name);
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }

  set(name: string, value: Value): void {
    this.#own().set(name, value);
  }

  delete(name: string): void {
    if (this.#entries.has(name)) this.#own().delete(name);
  }

  #own(): Map<string, Value> {
    if (this.#isShared) this.#entries = new Map(this.#entries);
    this.#isShared = false;
    return this.#entries;
  }
}

/** What a shell holds while it runs a line: variables, functions, aliases, the working folder. */
export class Scope {
  readonly variables: SharedMap<Variable>;
  readonly functions: SharedMap<ShellFunction['body']>;
  readonly aliases: SharedMap<string>;
  /** The folders that it may be in, relative to the first one, the likeliest first; undefined where nobody can tell. */
  folders: readonly (string | undefined)[];
  /** Above zero inside of what may not be run, where an assignment adds a value instead of replacing it. */
  doubt = 0;

  constructor(context: ShellContext | Scope) {
    if (context instanceof Scope) {
      this.variables = new SharedMap(context.variables);
      this.functions = new SharedMap(context.functions);
      this.aliases = new SharedMap(context.aliases);
      this.folders = context.folders;
      this.doubt = context.doubt;
      return;
    }
    this.variables = new SharedMap();
    for (const [name, value] of [
      ['HOME', '~'],
      ['PWD', context.cwd ?? '.'],
      ['IFS', ' \t\n'],
      ...(context.variables ?? []),
    ] as const)
      this.variables.set(name, { values: [value], isArray: false, isOpen: false });
    this.functions = new SharedMap();
    this.aliases = new SharedMap();
    this.folders = [''];
  }

  set(name: string, values: readonly string[], { isArray = false, isOpen = false, adds = false } = {}): void {
    const known = this.variables.get(name);
    const before = (this.doubt > 0 || adds) && known ? known.values : [];
    const all = [...new Set(isArray ? [...values, ...before] : [...before, ...values])];
    const some = isArray && before.length === 0 ? values.slice(0, 1000) : all.slice(0, mostValues);
    const kept = some.filter((value) => value.length <= longestValue);
    this.variables.set(name, {
      values: kept,
      isArray,
      isOpen:
        isOpen ||
        kept.length < some.length ||
        (before.length > 0 && known?.isOpen === true) ||
        (!isArray && all.length > mostValues),
    });
  }

  /** Goes into a folder. The one before stays possible, since there may be no such folder. */
  enter(folder: string | undefined): void {
    const next = folder === undefined ? [undefined] : this.folders.map((from) => joined(from, folder));
    this.folders = [...new Set([...next, ...this.folders])].slice(0, mostFolders);
  }

  /** The elements of an array that stand for what a function or a script was called with. */
  setArguments(all: readonly string[], isMore: boolean): void {
    const values = all.slice(0, mostArguments);
    const isOpen = isMore || values.length < all.length;
    this.variables.set('@', { values, isArray: true, isOpen });
    this.variables.set('*', { values, isArray: true, isOpen });
    this.variables.set('#', { values: [String(values.length)], isArray: false, isOpen });
  }
}

/** A path as seen from the first folder; undefined where the folder that it is relative to is not known. */
export function joined(folder: string | undefined, path: string): string | undefined {
  if (/^(?:[/~\\]|[a-z]:[\\/])/i.test(path)) return path;
  if (folder === undefined || folder.length > longestFolder) return undefined;
  const plain = path.replace(/^(?:\.\/+)+(?=.)/, '');
  if (folder === '' || folder === '.') return plain;
  return plain === '.' ? folder : `${folder.replace(/\/+$/, '')}/${plain}`;
}
