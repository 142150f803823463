import { FILE_HEADERS_ONLY, formatPatch, structuredPatch, type StructuredPatchHunk } from 'diff';
import { cutEnd } from '../../../core/base/text';
import { splitLines } from '../shared/text';

export interface Change {
  /** A unified diff, cut with a marker; empty where nothing changed. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  /** False where the texts were not compared, because they are too large. */
  readonly isCompared: boolean;
}

const longest = 2_000_000;
const contextLines = 3;
/** Of so many lines that came or went together the shortest change is looked for: no clock says what is shown. */
const mostChangedLines = 2000;

/**
 * Compares two texts line by line. Where too many differ, one block stands for all that differs; what is too large is
 * not compared, and the diff says so.
 * @param maximalCharacters after which the diff is cut with a marker, long lines too; for a model. Without it, it is
 * whole; for people.
 */
export function changeBetween(shown: string, before: string, after: string, maximalCharacters?: number): Change {
  if (before === after) return { diff: '', added: 0, removed: 0, isCompared: true };
  if (before.length + after.length > longest)
    return { diff: '[the change is too large for a diff]', added: 0, removed: 0, isCompared: false };
  const hunks = hunksBetween(before, after);
  const names = { oldFileName: shown, newFileName: shown, oldHeader: undefined, newHeader: undefined };
  const lines = formatPatch({ ...names, hunks }, FILE_HEADERS_ONLY).split('\n');
  let added = 0;
  let removed = 0;
  for (const line of lines.slice(2)) {
    if (line.startsWith('+')) added++;
    else if (line.startsWith('-')) removed++;
  }
  const diff = maximalCharacters === undefined ? lines.join('\n') : cut(lines, maximalCharacters);
  return { diff, added, removed, isCompared: true };
}

function hunksBetween(before: string, after: string): StructuredPatchHunk[] {
  const { hunk, isShortest } = blockHunk(before, after);
  if (isShortest) return [hunk];
  const bounds = { context: contextLines, maxEditLength: mostChangedLines };
  const patch = structuredPatch('', '', before, after, undefined, undefined, bounds);
  return patch?.hunks ?? [hunk];
}

function cut(lines: readonly string[], maximalCharacters: number): string {
  let used = 0;
  const kept: string[] = [];
  for (const line of lines) {
    const shown = cutEnd(line, 300);
    used += shown.length + 1;
    if (used > maximalCharacters)
      return `${kept.join('\n')}\n[cut: ${lines.length - kept.length} more lines of the diff]`;
    kept.push(shown);
  }
  return kept.join('\n').trimEnd();
}

/**
 * One hunk that replaces everything between the lines that both texts begin and end with. It takes a moment whatever
 * the texts are.
 * @returns with `isShortest` true where one text only adds to the other, so that no diff is shorter.
 */
function blockHunk(
  before: string,
  after: string,
): { readonly hunk: StructuredPatchHunk; readonly isShortest: boolean } {
  const [old, young] = [splitLines(before), splitLines(after)];
  const shorter = Math.min(old.length, young.length);
  let head = 0;
  while (head < shorter && old[head] === young[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === young.at(-1 - tail)) tail++;
  const removed = old.slice(head, old.length - tail);
  const added = young.slice(head, young.length - tail);
  const above = old.slice(Math.max(0, head - contextLines), head);
  const below = old.slice(old.length - tail, old.length - tail + contextLines);
  const start = head - above.length + 1;
  const around = above.length + below.length;
  const hunk = {
    oldStart: start,
    oldLines: removed.length + around,
    newStart: start,
    newLines: added.length + around,
    lines: [...marked(' ', above), ...marked('-', removed), ...marked('+', added), ...marked(' ', below)],
  };
  return { hunk, isShortest: removed.length === 0 || added.length === 0 };
}

function marked(sign: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [`${sign}${line.slice(0, -1)}`] : [`${sign}${line}`, '\\ No newline at end of file'],
  );
}
