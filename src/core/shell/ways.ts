import type { Ledger } from './ledger';
import type { Scope, ScopeChanges, ScopeMark } from './scope';
import { isSame, type Variable } from './variable';

/** A number, or a sum as it is written. */
const counted = /^(?:-?\d+$|\$\(\()/;

/** Follows what a shell may do or leave: what it holds then is all that it may hold. */
export class Ways {
  readonly #scope: Scope;
  readonly #ledger: Pick<Ledger, 'spend'>;

  constructor(scope: Scope, ledger: Pick<Ledger, 'spend'>) {
    this.#scope = scope;
    this.#ledger = ledger;
  }

  /** Adds what became of the scope on another way since then. */
  merge(changes: ScopeChanges, mark: ScopeMark): void {
    if (this.#isWithin(mark)) this.#scope.merge(changes, mark);
  }

  /** Makes all that was since then possible now. */
  weaken(mark: ScopeMark): void {
    if (this.#isWithin(mark)) this.#scope.weaken(mark);
  }

  /** False where there was too much work, after which the rest of the line asks as it is. */
  #isWithin(mark: ScopeMark): boolean {
    return this.#ledger.spend((this.#scope.variables.mark() - mark.variables) / 15);
  }

  /** What may be done, in a part or as a whole. */
  doubtful(work: () => void): void {
    const mark = this.#scope.now();
    work();
    this.weaken(mark);
  }

  /** Ways of which one is taken. */
  oneOf(ways: readonly (() => void)[]): void {
    const mark = this.#scope.now();
    const others: ScopeChanges[] = [];
    for (const [index, run] of ways.entries()) {
      if (index > 0) others.push(this.#scope.rewind(mark));
      run();
    }
    for (const changes of others) this.merge(changes, mark);
  }

  /** What is set at the end of a round counts at the beginning of the next. */
  loop(work: () => void): void {
    const mark = this.#scope.now();
    const { variables } = this.#scope;
    let last = new Map<string, Variable | undefined>();
    let folders = this.#scope.folders.length;
    for (let round = 0; round < 3; round++) {
      work();
      this.weaken(mark);
      const before = variables.before(mark.variables);
      const now = new Map([...before.keys()].map((name) => [name, variables.get(name)] as const));
      const hasSettled =
        folders === this.#scope.folders.length &&
        [...now].every(([name, one]) => isSame(one, last.has(name) ? last.get(name) : before.get(name)));
      if (hasSettled || !this.#ledger.spend(now.size / 50)) return;
      // What still grows may become anything, and in the end so may what it is put into; a sum stays a number.
      if (round > 0)
        for (const [name, one] of now) {
          if (!one) continue;
          const isTainted = one.isTainted || (round > 1 && !one.values.every((value) => counted.test(value)));
          now.set(name, { ...one, isOpen: true, isTainted });
          variables.set(name, now.get(name));
        }
      if (round === 1 && folders !== this.#scope.folders.length) this.#scope.enter(undefined);
      last = now;
      folders = this.#scope.folders.length;
    }
  }
}
