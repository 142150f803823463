import { entryOf } from '../../../core/base/maps';
import type { Json } from '../../../core/base/json';
import { visible } from '../../../core/base/visible';
import { comparePaths } from '../../../core/files/paths';
import type { ListEntry } from '../../../core/ports/fileSearch';
import type { FileStat } from '../../../core/ports/files';
import type { WorkspacePath } from '../../../core/ports/workspacePath';

/** An entry of a listing; `stat` where sizes or times are wanted and it can be told. */
export interface Listed {
  readonly where: WorkspacePath;
  readonly entry: ListEntry;
  /** The path as results show it. */
  readonly shown: string;
  stat?: FileStat | undefined;
}

type ListOrder = 'name' | 'size' | 'modified';

const byName = (a: Listed, b: Listed): number => comparePaths(a.shown, b.shown);

const orders: Readonly<Record<ListOrder, (a: Listed, b: Listed) => number>> = {
  name: byName,
  size: (a, b) => sizeOf(b) - sizeOf(a) || byName(a, b),
  modified: (a, b) => (b.stat?.modifiedMs ?? 0) - (a.stat?.modifiedMs ?? 0) || byName(a, b),
};

export function sortListed(found: readonly Listed[], by: ListOrder): readonly Listed[] {
  return [...found].sort(orders[by]);
}

/** Folders count as nothing: what is in them counts by itself. */
export function sizeOf(one: Listed): number {
  return one.entry.type === 'directory' ? 0 : (one.stat?.size ?? 0);
}

/** An entry as the result's JSON has it. */
export function asEntry({ shown, entry, stat }: Listed, sizes: boolean): Json {
  return {
    name: shown.slice(shown.lastIndexOf('/') + 1),
    path: shown,
    is_directory: entry.type === 'directory',
    ...(entry.type === 'symlink' || entry.type === 'other' ? { type: entry.type } : {}),
    ...(sizes && stat && entry.type !== 'directory' ? { size_bytes: stat.size } : {}),
    ...(sizes && stat ? { modified_at: new Date(stat.modifiedMs).toISOString() } : {}),
    ...(entry.ignored ? { ignored: true } : {}),
  };
}

/** A line of a drawn tree with the entry that it shows. */
export interface TreeLine {
  readonly one: Listed;
  readonly line: string;
}

/**
 * Draws what is in a folder as a tree, one line each: every folder's entries below it, in the order that is asked for.
 * What lacks its own folder stands below the nearest one that is listed, with its path from there.
 */
export function treeOf(found: readonly Listed[], by: ListOrder, root: string): readonly TreeLine[] {
  const listed = new Map(found.map((one) => [one.shown, one]));
  const children = new Map<string, Listed[]>();
  for (const one of found) entryOf(children, nearestAbove(one.shown, listed), []).push(one);
  const lines: TreeLine[] = [];
  const draw = (parent: string, depth: number): void => {
    for (const one of (children.get(parent) ?? []).sort(orders[by])) {
      lines.push({ one, line: '  '.repeat(depth) + label(one, parent === '' ? root : parent) });
      if (one.entry.type === 'directory') draw(one.shown, depth + 1);
    }
  };
  draw('', 0);
  return lines;
}

/** The nearest folder above that is in the listing; the empty path where none is. */
function nearestAbove(shown: string, listed: ReadonlyMap<string, Listed>): string {
  for (let slash = shown.lastIndexOf('/'); slash > 0; slash = shown.lastIndexOf('/', slash - 1)) {
    const above = shown.slice(0, slash);
    if (listed.has(above)) return above;
  }
  return '';
}

function label({ shown, entry, stat }: Listed, above: string): string {
  const name = onOneLine(shown.slice(above === '/' ? 1 : above.length + 1));
  const kind = entry.type === 'directory' ? '/' : entry.type === 'symlink' ? '@' : '';
  return `${name}${kind}${stat && entry.type !== 'directory' ? `  ${stat.size}` : ''}${entry.ignored ? '  (ignored)' : ''}`;
}

/** A name may hold a line end, and must not look like two. */
function onOneLine(name: string): string {
  return visible(name).replace(/[\n\t]/g, (char) => (char === '\n' ? '⟨U+000A⟩' : '⟨U+0009⟩'));
}
