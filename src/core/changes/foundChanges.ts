import type { ChangeRecord, PlaceState } from '../ports/changes';
import type { Checkpoint, Checkpoints, Difference, KeptState } from '../ports/checkpoints';
import { withoutMove } from './changePlace';

type ChangeEntry = ChangeRecord & { readonly type: 'change' };

/** What the store says of changes that were recorded one by one while a call ran. */
interface Recorded {
  /** In their order, without those that were made before. */
  readonly changes: readonly ChangeEntry[];
  /** Those that were still under way when the last look began. */
  readonly open: ReadonlySet<string>;
}

/** What stood at a place before what was found there: as a checkpoint has it, or as a recorded change left it. */
export type Base = { readonly kept: KeptState } | { readonly recorded: PlaceState };

/** A place where something remains that no recorded change tells of. */
export interface FoundChange {
  readonly root: string;
  readonly path: string;
  readonly base: Base;
  readonly after: KeptState;
  /** What a change that was under way may have made of it: where it stands so, nothing was found. */
  readonly expected: readonly PlaceState[];
  /** Where what stood there is now. */
  readonly movedTo?: string;
}

/**
 * Takes from the differences what was recorded by itself: a file that our own tools wrote meanwhile is theirs, and only
 * what became of it since is left.
 */
export async function* unrecorded(
  differences: readonly Difference[],
  { changes, open }: Recorded,
  before: Pick<Checkpoints, 'stateAt'>,
  checkpoint: Checkpoint,
  signal: AbortSignal,
): AsyncGenerator<FoundChange> {
  for (const different of differences.flatMap((one) => unlessTold(one, changes))) {
    const { root, path, before: was, after, movedTo } = different;
    const expected: PlaceState[] = [];
    const traced = trace(changes, root, path);
    for (const one of traced.touched) if (open.has(one.id)) expected.push(one.before, one.after);
    const base: Base =
      traced.end !== undefined
        ? { recorded: traced.end }
        : traced.path === path
          ? { kept: was }
          : { kept: await before.stateAt(checkpoint, root, traced.path, signal) };
    yield { root, path, base, after, expected, ...(movedTo === undefined ? {} : { movedTo }) };
  }
}

/** A move of which something was recorded by itself is told as what went and what came. */
function unlessTold(one: Difference, changes: readonly ChangeEntry[]): readonly Difference[] {
  const { root, path, movedTo } = one;
  if (movedTo === undefined) return [one];
  const isTold = [path, movedTo].some((place) => {
    const { path: from, touched, end } = trace(changes, root, place);
    return from !== place || touched.length > 0 || end !== undefined;
  });
  return isTold ? withoutMove(one) : [one];
}

/** Follows a place back through recorded changes: to what the last one left there, or to where it stood at first. */
function trace(
  changes: readonly ChangeEntry[],
  root: string,
  path: string,
): { readonly path: string; readonly end?: PlaceState; readonly touched: readonly ChangeEntry[] } {
  let at = path;
  const touched: ChangeEntry[] = [];
  for (const one of changes.toReversed()) {
    if (one.action !== 'move') {
      if (one.root !== root || one.path !== at) continue;
      touched.push(one);
      return { path: at, end: one.after, touched };
    }
    if (one.to?.root === root && isIn(at, one.to.path)) {
      touched.push(one);
      // From another folder of the workspace: nothing of it is known here.
      if (one.root !== root) return { path: at, end: { kind: 'other' }, touched };
      at = one.path + at.slice(one.to.path.length);
    } else if (one.root === root && isIn(at, one.path)) {
      touched.push(one);
      return { path: at, end: { kind: 'nothing' }, touched };
    }
  }
  return { path: at, touched };
}

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
