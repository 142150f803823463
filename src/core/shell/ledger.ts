import type { Scope } from './scope';
import type { NotUnderstood, NotUnderstoodCode, ShellAccess, ShellPut, ShellReading, ShellTree } from './shellReading';

const mostAccesses = 20_000;
const mostSteps = 2000;
const mostPuts = 1000;
/** In units of about 5 µs: one access is one. */
const mostWork = 6000;
const longestText = 4000;
const traits = ['recursive', 'permanent', 'isPattern'] as const;

/** Collects what a line does while it is read, each thing once, and counts the work. */
export class Ledger {
  readonly #accesses = new Map<string, ShellAccess>();
  readonly #suspects = new Map<string, ShellAccess>();
  readonly #unknown = new Map<string, NotUnderstood>();
  readonly #puts = new Map<string, ShellPut>();
  readonly #trees = new Map<string, ShellTree>();
  readonly #talking = new Set<string>();
  readonly #repositories = new Map<string, string>();
  #steps = 0;
  #work = 0;

  /** Counts what is done beside commands; false where the line takes more than is spent on one. */
  spend(work: number): boolean {
    this.#work += work;
    if (this.#work <= mostWork) return true;
    this.unknown('too_long', '');
    return false;
  }

  /** Counts one command; false where the line has more than are looked into. */
  step(): boolean {
    if (++this.#steps <= mostSteps && this.#work <= mostWork) return true;
    this.unknown('too_long', '');
    return false;
  }

  add(access: Omit<ShellAccess, 'words'>, words: string): void {
    this.#work++;
    const key = `${access.effect}\0${access.resource}\0${access.isListed ?? access.from ?? access.method ?? ''}`;
    const into = access.suspected === undefined ? this.#accesses : this.#suspects;
    const known = into.get(key);
    if (!known) {
      if (into.size >= mostAccesses) return this.unknown('too_long', '');
      into.set(key, { ...access, words: words.length > longestText ? words.slice(0, longestText) : words });
      return;
    }
    // Two that touch the same are one, with all that either says: a name in quotes may be a pattern the second time.
    if (!traits.some((trait) => access[trait] === true && known[trait] !== true)) return;
    const both = traits.filter((trait) => access[trait] === true || known[trait] === true);
    const said = Object.fromEntries(both.map((trait) => [trait, true]));
    into.set(key, { ...access, ...said, words: known.words });
  }

  put(put: ShellPut): void {
    this.#keep(put, this.#puts);
  }

  tree(tree: ShellTree): void {
    this.#keep(tree, this.#trees);
  }

  #keep<One>(one: One, into: Map<string, One>): void {
    this.#work++;
    if (into.size >= mostPuts) return this.unknown('too_long', '');
    into.set(JSON.stringify(one), one);
  }

  /** Git works in a folder. */
  repository(folder: string, words: string): void {
    if (this.#repositories.size < mostSteps && !this.#repositories.has(folder))
      this.#repositories.set(folder, words.slice(0, longestText));
  }

  unknown(code: NotUnderstoodCode, text: string): void {
    const shown = text.slice(0, longestText);
    const key = `${code}\0${shown}`;
    if (this.#unknown.has(key) || this.#unknown.size >= mostSteps) return;
    this.#unknown.set(key, { code, text: shown });
    const exec = `system.exec\0${shown}\0`;
    if (!this.#accesses.has(exec)) this.#accesses.set(exec, { effect: 'system.exec', resource: shown, words: shown });
  }

  talk(words: string): void {
    if (this.#talking.size < mostSteps) this.#talking.add(words.slice(0, longestText));
  }

  reading({ folders, isElsewhere }: Pick<Scope, 'folders' | 'isElsewhere'>): ShellReading {
    const suspects = [...this.#suspects]
      .filter(([key, { isPattern }]) => isPattern || !this.#accesses.has(key))
      .map(([, access]) => access);
    return {
      accesses: [...this.#accesses.values(), ...suspects],
      unknown: [...this.#unknown.values()],
      puts: [...this.#puts.values()],
      trees: [...this.#trees.values()],
      talking: [...this.#talking],
      repositories: [...this.#repositories].map(([folder, words]) => ({ folder, words })),
      folders: folders.filter((one) => one !== undefined || isElsewhere),
    };
  }
}
