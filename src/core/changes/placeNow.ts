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
export function placeNow({ changes }: History, change: PastChange, end: 'left' | 'origin' = 'left'): FollowedPlace {
  const follower = new PlaceFollower(change, end);
  for (const later of changes.slice(change.at + 1)) follower.follow(later);
  return follower.place();
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
  /** All that came later so far. */
  readonly #seen = new Set<string>();

  constructor(change: PastChange, end: 'left' | 'origin') {
    this.#change = change;
    this.#end = end;
    this.#at = end === 'origin' ? change : leftAt(change);
    this.#own = new Set([change.id]);
    const isDelete = change.after.kind === 'nothing' && change.action !== 'move';
    if (end === 'origin' || isDelete) this.#taken.set(0, change.id);
  }

  follow(later: PastChange): void {
    const isOwn = this.#own.has(later.reverts ?? '');
    if (isOwn) this.#own.add(later.id);
    // Of the name that something left, what takes that back tells nothing.
    if (isOwn && this.#end === 'origin') return;
    const isFreeing = later.reverts !== undefined && later.reverts === this.#taken.get(0);
    for (const [level, by] of this.#taken) if (later.reverts === by) this.#taken.delete(level);
    const isStanding = !isOwn && !isTakenBack(later) && !this.#seen.has(later.reverts ?? '');
    this.#seen.add(later.id);
    const seen: LaterChange = { later, isOwn, isStanding, isFreeing };
    const level = levelOf(later, this.#at);
    if (level === undefined) return this.#meetArrival(seen);
    if (level === 0) this.#note(seen);
    this.#take(seen, level);
    this.#moveAlong(seen, level);
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

  /** Sees whether something was moved here from elsewhere, which finds the place free. */
  #meetArrival({ later: { action, to }, isOwn, isStanding }: LaterChange): void {
    if (action !== 'move' || isOwn || !to || levelOf(to, this.#at) !== 0) return;
    // What stood here was taken away by somebody who tells no changes.
    if (!this.#taken.has(0)) this.#taken.set(0, '');
    this.#here.push({ before: { kind: 'nothing' }, after: { kind: 'other' }, isStanding });
  }

  /** Keeps what a change of this very place found and left; a move that takes along what is followed is none. */
  #note({ later: { action, before, after }, isStanding }: LaterChange): void {
    const isMove = action === 'move';
    if (isMove && !this.#taken.has(0)) return;
    this.#here.push({ before, after: isMove ? { kind: 'nothing' } : after, isStanding });
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
  if (above.scheme !== scheme || above.root !== root) return undefined;
  if (path !== above.path && !path.startsWith(`${above.path}/`)) return undefined;
  return path.slice(above.path.length).split('/').length - 1;
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
