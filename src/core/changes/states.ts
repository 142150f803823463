import { readWhole } from '../files/readWhole';
import type { Change, PlaceState } from '../ports/changes';
import type { FileStat, FileSystem } from '../ports/files';
import type { Crypto } from '../ports/platform';
import type { WorkspacePath } from '../ports/workspacePath';

/** What became of a place from one moment to the next. */
export type StateChange = Pick<Change, 'before' | 'after'>;

/** What stands at a place, with the bytes of a file. */
export interface Found {
  readonly stat: FileStat | undefined;
  readonly state: PlaceState;
  readonly bytes?: Uint8Array;
}

export async function look(at: WorkspacePath, files: FileSystem, crypto: Pick<Crypto, 'sha256'>): Promise<Found> {
  const stat = await files.stat(at);
  switch (stat?.type) {
    case undefined:
      return { stat, state: { kind: 'nothing' } };
    case 'file': {
      const bytes = await readWhole(files, at);
      return { stat, bytes, state: { kind: 'file', hash: crypto.sha256(bytes), size: bytes.length } };
    }
    case 'symlink': {
      const target = await files.readLink?.(at);
      return { stat, state: { kind: 'link', ...(target === undefined ? {} : { target }) } };
    }
    case 'directory':
      return { stat, state: { kind: 'folder' } };
    case 'other':
      return { stat, state: { kind: 'other' } };
  }
}

/** False too where it is not known; permission bits are left aside. */
export function isSame(one: PlaceState, other: PlaceState): boolean {
  switch (one.kind) {
    case 'nothing':
    case 'folder':
      return one.kind === other.kind;
    case 'link':
      // A link that leads elsewhere now is somebody else's.
      return other.kind === 'link' && one.target !== undefined && one.target === other.target;
    case 'file':
      return other.kind === 'file' && one.hash !== undefined && one.hash === other.hash;
    case 'other':
      return false;
  }
}

/**
 * What stood at a place one after the other, from what a change left there to what is there now. What nobody tells of
 * was done by a person; where that brought an earlier state back, all from then on is as good as taken back. A call
 * that does so was told of, and stands by itself.
 */
export function statesSince(left: PlaceState, since: readonly StateChange[], now: PlaceState): readonly PlaceState[] {
  const states = [left];
  const bySomebody = (state: PlaceState): void => {
    const earlier = states.findLastIndex((one) => isSame(one, state));
    if (earlier < 0) states.push(state);
    else states.splice(earlier + 1);
  };
  for (const { before, after } of since) {
    bySomebody(before);
    if (!isSame(before, after)) states.push(after);
  }
  bySomebody(now);
  return states;
}

/** True where a place was empty at some time since: what stands there is not what stood there. */
export const wasEmptied = (states: readonly PlaceState[]): boolean => states.some(({ kind }) => kind === 'nothing');
