import type { StructuredPatchHunk } from 'diff';
import { splitLines } from '../shared/text';

const context = 3;

/**
 * One hunk that replaces everything between the lines that both texts begin and end with. It takes a moment whatever the
 * texts are.
 * @returns with `isShortest` true where one text only adds to the other, so that no diff is shorter.
 */
export function blockHunk(
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
  const above = old.slice(Math.max(0, head - context), head);
  const below = old.slice(old.length - tail, old.length - tail + context);
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
