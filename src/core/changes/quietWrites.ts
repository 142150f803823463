import { entryOf } from '../base/maps';
import type { ChangePlace } from '../ports/changes';
import type { PassedWrites, PastChange } from './history';

/**
 * Which changes of a history are writes of a file that was there and is there after: they take nothing away, make
 * nothing and move nothing. Who follows a place through thousands of changes passes by those that were taken back, in
 * pairs with what took them back, without a look at each.
 */
export class QuietWrites implements PassedWrites {
  /** By their places in the history; those of places in reverse order to what they take back are left out. */
  readonly #isQuiet: boolean[] = [];
  /** Of each change of a pair, the place of the earlier one; -1 for a change of none. */
  readonly #pairs: number[] = [];
  readonly #changes: PastChange[] = [];
  readonly #byPlace = new Map<string, PastChange[]>();

  /** @param byId the whole history, with what was taken back by what. */
  add(change: PastChange, byId: ReadonlyMap<string, PastChange>): void {
    const target = change.reverts === undefined ? undefined : byId.get(change.reverts);
    const isQuiet = isPlain(change) && (!target || (target.at < change.at && this.#isQuiet[target.at] === true));
    this.#isQuiet.push(isQuiet);
    this.#pairs.push(-1);
    this.#changes.push(change);
    entryOf(this.#byPlace, keyOf(change), []).push(change);
    if (!target) return;
    this.#part(target.at);
    const isPair = isQuiet && change.isEnded && change.takenBackBy.length === 0 && target.takenBackBy.length === 1;
    if (isPair) this.#pairs[target.at] = this.#pairs[change.at] = target.at;
  }

  isOver(at: number, after: number): boolean {
    return after < (this.#pairs[at] ?? -1);
  }

  leavesPlaces(at: number): boolean {
    return this.#isQuiet[at] === true && this.#changes[at]?.takenBackBy.length === 0;
  }

  firstOf(place: ChangePlace, from: number): PastChange | undefined {
    const all = this.#byPlace.get(keyOf(place)) ?? [];
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((all[middle]?.at ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    return all[low];
  }

  /** What was taken back, and again, is part of no pair but that of the latest two. */
  #part(at: number): void {
    const first = this.#pairs[at] ?? -1;
    if (first < 0) return;
    for (const one of [this.#changes[first], ...(this.#changes[first]?.takenBackBy ?? [])])
      if (one && this.#pairs[one.at] === first) this.#pairs[one.at] = -1;
  }
}

/** True for a write of a file that was there before. */
const isPlain = ({ action, before, after }: PastChange): boolean =>
  action === 'write' && before.kind === 'file' && after.kind === 'file';

const keyOf = ({ scheme, root, path }: ChangePlace): string => [scheme, root, path].join('\0');
