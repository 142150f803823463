import { createTwoFilesPatch } from 'diff';

export interface Change {
  /** A unified diff, cut with a marker; empty where nothing changed. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  /** False where the texts were not compared, because they are too large. */
  readonly isCompared: boolean;
}

const longest = 2_000_000;

/**
 * Compares two texts line by line. What would take long is not compared: the diff then says so.
 * @param maximalCharacters after which the diff is cut with a marker, long lines too; for a model. Without it, it is whole; for people.
 */
export function changeBetween(shown: string, before: string, after: string, maximalCharacters?: number): Change {
  if (before === after) return { diff: '', added: 0, removed: 0, isCompared: true };
  const tooLong = before.length + after.length > longest;
  const patch = tooLong
    ? undefined
    : createTwoFilesPatch(shown, shown, before, after, undefined, undefined, { context: 3, timeout: 300 });
  if (patch === undefined)
    return { diff: '[the change is too large for a diff]', added: 0, removed: 0, isCompared: false };
  const whole = patch.split('\n');
  const lines = whole.slice(whole.findIndex((line) => line.startsWith('--- ')));
  let added = 0;
  let removed = 0;
  for (const line of lines.slice(2)) {
    if (line.startsWith('+')) added++;
    else if (line.startsWith('-')) removed++;
  }
  const diff = maximalCharacters === undefined ? lines.join('\n') : cut(lines, maximalCharacters);
  return { diff, added, removed, isCompared: true };
}

function cut(lines: readonly string[], maximalCharacters: number): string {
  let used = 0;
  const kept: string[] = [];
  for (const line of lines) {
    const shown = line.length > 300 ? `${line.slice(0, 300)}…` : line;
    used += shown.length + 1;
    if (used > maximalCharacters)
      return `${kept.join('\n')}\n[cut: ${lines.length - kept.length} more lines of the diff]`;
    kept.push(shown);
  }
  return kept.join('\n').trimEnd();
}
