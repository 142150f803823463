import type { ChangeRecord } from '../ports/changes';
import type { History, PastChange } from './history';
import { QuietWrites } from './quietWrites';

/** How a change ended that a kill may have cut short, as its place tells. */
export type SeenEnd = Extract<ChangeRecord, { readonly type: 'ended' }>;

/**
 * Reads a history out of records, again and again; one of a change that was not made is left out with it. Who takes
 * many changes back does so after each of them, and most of it is as it was: what has come since is added to it, and
 * the history that was read before goes on with it. All is read anew where records went, came in between or tell that
 * a change ended otherwise.
 */
export class HistoryReader {
  #records: readonly ChangeRecord[] = [];
  #ends: readonly SeenEnd[] = [];
  /** Which changes ended, and whether they failed. */
  readonly #ended = new Map<string, boolean>();
  /** What takes back something that nobody told of. */
  readonly #unmet = new Set<string>();
  #changes: PastChange[] = [];
  #byId = new Map<string, PastChange & { readonly takenBackBy: PastChange[] }>();
  #writes = new QuietWrites();
  #dropped = 0;

  /** @param ends the last word of changes that have none. */
  read(records: readonly ChangeRecord[], ends: readonly SeenEnd[] = []): History {
    const known = this.#records.length;
    const isMore = this.#records.every((one, at) => one === records[at]) && isSameEnds(this.#ends, ends);
    if (!isMore || !this.#add(records.slice(known))) {
      this.#forget();
      this.#add([...records, ...ends]);
    }
    [this.#records, this.#ends] = [records, ends];
    return { changes: this.#changes, byId: this.#byId, writes: this.#writes, dropped: this.#dropped };
  }

  #forget(): void {
    this.#ended.clear();
    this.#unmet.clear();
    [this.#changes, this.#byId, this.#writes, this.#dropped] = [[], new Map(), new QuietWrites(), 0];
  }

  /** False, with nothing done, where what is known already would be another. */
  #add(records: readonly ChangeRecord[]): boolean {
    if (records.some((record) => this.#tellsOfKnown(record))) return false;
    for (const record of records) {
      if (record.type === 'ended') this.#ended.set(record.id, record.failed === true);
      else if (record.type === 'dropped') this.#dropped += record.changes;
    }
    const known = this.#changes.length;
    for (const record of records) {
      // What another agent did may have been taken in by two processes.
      if (record.type !== 'change' || this.#ended.get(record.id) === true || this.#byId.has(record.id)) continue;
      const { type: _type, ...plain } = record;
      const change = { ...plain, isEnded: this.#ended.has(plain.id), takenBackBy: [], at: this.#changes.length };
      this.#byId.set(plain.id, change);
      this.#changes.push(change);
    }
    const fresh = this.#changes.slice(known);
    for (const one of fresh) {
      if (one.reverts === undefined) continue;
      const reverted = this.#byId.get(one.reverts);
      if (reverted) reverted.takenBackBy.push(one);
      else this.#unmet.add(one.reverts);
    }
    for (const one of fresh) this.#writes.add(one, this.#byId);
    return true;
  }

  /** True for another end of a change that is known, and for a change that is known to have been taken back. */
  #tellsOfKnown(record: ChangeRecord): boolean {
    if (record.type === 'change') return this.#unmet.has(record.id);
    if (record.type === 'dropped') return false;
    const ended = this.#ended.get(record.id);
    return ended === undefined ? this.#byId.has(record.id) : ended !== (record.failed === true);
  }
}

const isSameEnds = (some: readonly SeenEnd[], others: readonly SeenEnd[]): boolean =>
  some.length === others.length &&
  some.every(({ id, failed }, at) => id === others[at]?.id && failed === others[at]?.failed);
