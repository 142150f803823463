import { entryOf } from '../base/maps';
import type { FileSystem } from '../ports/files';
import type { ChangeStore } from '../ports/changes';
import type { Crypto } from '../ports/platform';
import {
  agentChanges,
  type Burst,
  burstsOf,
  type History,
  isTakenBack,
  type PastChange,
  type Selection,
  selected,
} from './history';
import { type ChangeState, stateOf } from './takeBack';
import { changeLabel } from './undo';

/** Of more lines that came or went together nobody counts how many. */
const mostChangedLines = 2000;

/** What a burst did to one file. */
export interface ChangedFile {
  /** The place as a person and policy know it. */
  readonly path: string;
  /** Oldest first. */
  readonly changes: readonly PastChange[];
  readonly action: PastChange['action'] | 'create';
  readonly state: ChangeState;
  /** Lines, where both sides are text that is still kept. */
  readonly added?: number;
  readonly removed?: number;
}

export interface ChangedBurst extends Omit<Burst, 'changes'> {
  readonly files: readonly ChangedFile[];
}

interface OverviewOptions {
  readonly store: ChangeStore;
  readonly files: FileSystem;
  readonly crypto: Crypto;
  readonly history: History;
  /** Only these; everything where it is left out. */
  readonly selection?: Selection | undefined;
}

/** The bursts, newest first, with their files in the order of their first change. */
export async function overviewOf(options: OverviewOptions): Promise<readonly ChangedBurst[]> {
  const { history, selection, files: workspace } = options;
  const all = agentChanges(history);
  const chosen = new Set(
    selection === undefined ? all : selected(all, selection, (change) => changeLabel(change, workspace)),
  );
  const bursts = burstsOf(all)
    .map((burst) => ({ ...burst, changes: burst.changes.filter((one) => chosen.has(one)) }))
    .filter(({ changes }) => changes.length > 0)
    .reverse();
  return Promise.all(
    bursts.map(async ({ changes, ...burst }) => ({ ...burst, files: await filesOf(changes, options) })),
  );
}

async function filesOf(changes: readonly PastChange[], options: OverviewOptions): Promise<readonly ChangedFile[]> {
  const byPath = new Map<string, PastChange[]>();
  for (const change of changes) {
    // A folder that was made with a file goes with it; one that stays empty is told by itself.
    entryOf(byPath, changeLabel(change, options.files), []).push(change);
  }
  return Promise.all([...byPath].map(([path, of]) => fileRow(path, of, options)));
}

async function fileRow(path: string, changes: readonly PastChange[], options: OverviewOptions): Promise<ChangedFile> {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) throw new Error('a file without changes');
  const standing = changes.filter((one) => !isTakenBack(one)).at(-1);
  const state = standing ? await stateOf(standing, options) : 'taken_back';
  const isNew = first.action === 'write' && first.before.kind === 'nothing';
  return {
    path,
    changes,
    action: last.action === 'write' && isNew ? 'create' : last.action,
    state: changes.some(({ notKept }) => notKept !== undefined) ? 'cannot' : state,
    ...(await lineCounts(changes, options)),
  };
}

/** Both sides of what several changes did to one file; undefined where one of them is not kept. */
export async function sidesOf(
  changes: readonly PastChange[],
  store: ChangeStore,
): Promise<{ readonly before: Uint8Array; readonly after: Uint8Array } | undefined> {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return undefined;
  const [before, after] = await Promise.all([bytesOf(first.before, store), bytesOf(last.after, store)]);
  return before && after ? { before, after } : undefined;
}

async function bytesOf(state: PastChange['before'], store: ChangeStore): Promise<Uint8Array | undefined> {
  if (state.kind !== 'file') return new Uint8Array();
  return state.hash === undefined ? undefined : store.image(state.hash);
}

/** Larger files are told without counts, in bytes. */
const mostCounted = 1_000_000;

async function lineCounts(
  changes: readonly PastChange[],
  { store }: OverviewOptions,
): Promise<{ readonly added?: number; readonly removed?: number }> {
  const sizes = changes.flatMap(({ before, after }) =>
    [before, after].map((one) => (one.kind === 'file' ? one.size : 0)),
  );
  if (Math.max(...sizes) > mostCounted || changes.every(({ action }) => action === 'make_folder')) return {};
  const sides = await sidesOf(changes, store);
  if (!sides || sides.before.includes(0) || sides.after.includes(0)) return {};
  const { structuredPatch } = await import('diff');
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
  const patch = structuredPatch('a', 'b', text(sides.before), text(sides.after), '', '', {
    context: 0,
    maxEditLength: mostChangedLines,
  });
  if (!patch) return {};
  let [added, removed] = [0, 0];
  for (const line of patch.hunks.flatMap(({ lines }) => lines)) {
    if (line.startsWith('+')) added++;
    else if (line.startsWith('-')) removed++;
  }
  return { added, removed };
}
