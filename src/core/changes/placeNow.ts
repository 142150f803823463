import type { ChangePlace, PlaceState } from '../ports/changes';
import { leftAt } from './changePlace';
import { type History, isTakenBack, type PastChange } from './history';
import { isSame, type StateChange, wasEmptied } from './states';

/** Where a place is now. */
export interface FollowedPlace extends ChangePlace {
  /** True where what stood there is no more: a later change deleted it, and that was not taken back. */
  readonly isDeleted: boolean;
  /**
   * Later changes of this very place that stand, oldest first; what only moved it along is none. Left out are those of
   * which the next one found nothing: a person took them back.
   */
  readonly since: readonly StateChange[];
  /** True where a change that stands found the place empty or left it so: what is there may be something else. */
  readonly wasEmptied: boolean;
  /** What the next change of this place found there, one that was taken back too; undefined where there is none. */
  readonly next: PlaceState | undefined;
  /** True where an older move was taken back since: what stood there is where it was before both. */
  readonly isBack: boolean;
}

/**
 * Where the place of a change is now: moves since then are followed, of what stands there and of the folders above it.
 * Once one of these was deleted, a move of its name is that of something else, until the delete is taken back; only
 * what is above it takes the place along.
 * @param end of a move: where it left what it moved, or where it took it from.
 */
export function placeNow(history: History, change: PastChange, end: 'left' | 'origin' = 'left'): FollowedPlace {
  const follower = new PlaceFollower(history, change, end);
  const { changes, writes } = history;
  /** The first of those that were passed by last. */
  let passed: number | undefined;
  for (let at = change.at + 1; at < changes.length; at++) {
    if (writes.isOver(at, change.at)) {
      passed ??= at;
      continue;
    }
    if (passed !== undefined) follower.pass(passed, at);
    passed = undefined;
    const later = changes[at];
    if (later) follower.follow(later);
  }
  if (passed !== undefined) follower.pass(passed, changes.length);
  return follower.place();
}

/** Where the place of a change is now, as `placeNow` tells it, without what became of it. */
export function placeAlone(history: History, change: PastChange, end: 'left' | 'origin' = 'left'): ChangePlace {
  const follower = new PlaceFollower(history, change, end);
  const { changes, writes } = history;
  for (let at = change.at + 1; at < changes.length; at++) {
    if (writes.leavesPlaces(at) || writes.isOver(at, change.at)) continue;
    const later = changes[at];
    if (later) follower.follow(later);
  }
  const { scheme, root, path } = follower.place();
  return { scheme, root, path };
}

/** A later change, as the change sees it whose place is followed. */
interface LaterChange {
  readonly later: PastChange;
  /** True for what took the change back, and for what made it again. */
  readonly isOwn: boolean;
  /** False where it was taken back, where it takes back another later one, and for what is the change's own. */
  readonly isStanding: boolean;
  /** True where it takes back the delete that took what stood at the place. */
  readonly isFreeing: boolean;
}

/** Follows the place of a change through all that came later, told oldest first. */
class PlaceFollower {
  readonly #history: History;
  readonly #change: PastChange;
  readonly #end: 'left' | 'origin';
  #at: ChangePlace;
  /**
   * Which delete took the place (0), the folder that holds it (1), the one above that (2) and so on, by its id; empty
   * where nobody told of one.
   */
  readonly #taken = new Map<number, string>();
  /** What became of this very place. */
  readonly #here: (StateChange & { readonly isStanding: boolean })[] = [];
  #isBack = false;
  /** The change, with what took it back and made it again. */
  readonly #own: Set<string>;

  constructor(history: History, change: PastChange, end: 'left' | 'origin') {
    this.#history = history;
    this.#change = change;
    this.#end = end;
    this.#at = end === 'origin' ? change : leftAt(change);
    this.#own = new Set([change.id]);
    const isDelete = change.after.kind === 'nothing' && change.action !== 'move';
    if (end === 'origin' || isDelete) this.#taken.set(0, change.id);
  }

  follow(later: PastChange): void {
    const { reverts } = later;
    const isOwn = reverts !== undefined && this.#own.has(reverts);
    if (isOwn) this.#own.add(later.id);
    // Of the name that something left, what takes that back tells nothing.
    if (isOwn && this.#end === 'origin') return;
    const isFreeing = reverts !== undefined && this.#free(reverts);
    const level = levelOf(later, this.#at);
    // Most of what came later is elsewhere: it is passed by at once.
    if (level === undefined && later.action !== 'move') return;
    const isStanding = !isOwn && !isTakenBack(later) && !this.#isLater(reverts, later);
    const seen: LaterChange = { later, isOwn, isStanding, isFreeing };
    if (level === undefined) return this.#meetArrival(seen);
    if (level === 0) this.#note(seen);
    this.#take(seen, level);
    this.#moveAlong(seen, level);
  }

  /** Passes by writes that were taken back again: of those of this very place, what the first one found is told. */
  pass(from: number, to: number): void {
    if (this.#here.at(-1)?.isStanding === false) return;
    const first = this.#history.writes.firstOf(this.#at, from);
    if (first && first.at < to) this.#tell({ before: first.before, after: first.after, isStanding: false });
  }

  place(): FollowedPlace {
    const { scheme, root, path } = this.#at;
    const here = this.#here;
    return {
      scheme,
      root,
      path,
      isDeleted: [...this.#taken.values()].some((by) => by !== this.#change.id),
      since: here.filter((one, at) => one.isStanding && !wasNotMade(one, here[at + 1]?.before)),
      wasEmptied: here.some(({ isStanding, before, after }) => isStanding && wasEmptied([before, after])),
      next: here[0]?.before,
      isBack: this.#isBack,
    };
  }

  /** Gives back what a delete took that was taken back; true where that was what stood at the place. */
  #free(reverts: string): boolean {
    if (this.#taken.size === 0) return false;
    const isFreeing = this.#taken.get(0) === reverts;
    for (const [level, by] of this.#taken) if (reverts === by) this.#taken.delete(level);
    return isFreeing;
  }

  /** True for the id of a change between the one that is followed and a later one. */
  #isLater(id: string | undefined, later: PastChange): boolean {
    const found = id === undefined ? undefined : this.#history.byId.get(id);
    if (!found || found.at <= this.#change.at || found.at >= later.at) return false;
    return this.#end === 'left' || !this.#own.has(found.id);
  }

  /** Sees whether something was moved here from elsewhere, which finds the place free. */
  #meetArrival({ later: { action, to }, isOwn, isStanding }: LaterChange): void {
    if (action !== 'move' || isOwn || !to || levelOf(to, this.#at) !== 0) return;
    // What stood here was taken away by somebody who tells no changes.
    if (!this.#taken.has(0)) this.#taken.set(0, '');
    this.#tell({ before: { kind: 'nothing' }, after: { kind: 'other' }, isStanding });
  }

  /** Keeps what a change of this very place found and left; a move that takes along what is followed is none. */
  #note({ later: { action, before, after }, isStanding }: LaterChange): void {
    const isMove = action === 'move';
    if (isMove && !this.#taken.has(0)) return;
    this.#tell({ before, after: isMove ? { kind: 'nothing' } : after, isStanding });
  }

  /** Keeps what became of this very place; of several in a row that do not stand, what the first one found says all. */
  #tell(one: StateChange & { readonly isStanding: boolean }): void {
    if (one.isStanding || this.#here.at(-1)?.isStanding !== false) this.#here.push(one);
  }

  /** Sees whether a change took the place or a folder above it. */
  #take({ later, isOwn, isFreeing }: LaterChange, level: number): void {
    if (this.#taken.has(level)) return;
    // What takes the change back and was cut short is no call that came later.
    if (later.action === 'delete' && later.reverts !== this.#change.id) this.#taken.set(level, later.id);
    // Who found nothing here made something else, after somebody took it away who tells no changes.
    else if (level === 0 && later.action !== 'move' && later.before.kind === 'nothing' && !isOwn && !isFreeing)
      this.#taken.set(0, '');
  }

  /** Goes along with a move of the place or of a folder above it, where that still holds what is followed. */
  #moveAlong({ later: { action, path, to, reverts }, isStanding }: LaterChange, level: number): void {
    if (action !== 'move' || !to || [...this.#taken.keys()].some((one) => one >= level)) return;
    this.#at = { ...to, path: to.path + this.#at.path.slice(path.length) };
    this.#isBack ||= level === 0 && isStanding && reverts !== undefined;
  }
}

/** How many folders deep below another place a place is, 0 for the same; undefined where it is not below it. */
function levelOf(above: ChangePlace, { scheme, root, path }: ChangePlace): number | undefined {
  const isHere = path === above.path;
  // Asked of each change for each place that is followed, so it makes no text where the paths differ.
  if (!isHere && (path.charAt(above.path.length) !== '/' || !path.startsWith(above.path))) return undefined;
  if (above.scheme !== scheme || above.root !== root) return undefined;
  return isHere ? 0 : path.slice(above.path.length).split('/').length - 1;
}

/** True where what was found next tells that a change was not made, or that a person took it back. */
export const wasNotMade = ({ before, after }: StateChange, next: PlaceState | undefined): boolean =>
  next !== undefined && isSame(before, next) && !isSame(after, next);

/** True where later changes that stand tell anything of the places of a change. */
export function isTouchedSince(history: History, change: PastChange): boolean {
  const ends = change.action === 'move' ? (['left', 'origin'] as const) : (['left'] as const);
  return ends.some((end) => {
    const { isDeleted, since } = placeNow(history, change, end);
    return isDeleted || since.length > 0;
  });
}
