import { cutAt, cutEnd } from '../base/text';
import type { Translate } from '../base/translate';
import { cleanLine } from './approvalWords';

/** A modal has so many rows of so many characters. */
export const mostLines = 20;
export const mostColumns = 120;
/** An editor draws ten times as much of a line by default, and leaves out the rest. */
export const mostInEditor = 1000;

interface ShownContent {
  readonly rows: readonly string[];
  readonly isWhole: boolean;
  readonly isHidden: boolean;
}

/**
 * The content in at most `room` rows. Lines of a diff that stay as they are do not count: where they are too many they
 * are left out, and where they are too long they are cut.
 */
export function shownContent(lines: readonly string[], room: number, isDiff: boolean, t: Translate): ShownContent {
  const whole = allRows(lines, room, isDiff);
  if (whole) return whole;
  if (isDiff) {
    const note = t('(unchanged lines are left out)');
    const changed = allRows(
      lines.filter((line) => !line.startsWith(' ')),
      room - 1,
      isDiff,
    );
    if (changed) return { ...changed, rows: [note, ...changed.rows] };
  }
  // A long change is worded again with every redraw of the tree, so only what is shown is looked at.
  const first = lines.slice(0, Math.max(0, room)).map(cleanLine);
  return {
    rows: first.map(({ text }) => cutEnd(text, mostColumns)),
    isWhole: false,
    isHidden: first.some(({ count }) => count > 0),
  };
}

/** All lines, long ones over several rows; undefined where they do not fit. */
function allRows(lines: readonly string[], room: number, isDiff: boolean): ShownContent | undefined {
  if (lines.length > room) return undefined;
  const rows: string[] = [];
  let isHidden = false;
  for (const line of lines) {
    const { text, count } = cleanLine(line);
    const isUnchanged = isDiff && line.startsWith(' ');
    isHidden ||= count > 0 && !isUnchanged;
    // Each further row of a changed line has the line's sign, so that none looks like another.
    const sign = isDiff ? text.slice(0, 1) : '';
    rows.push(...(isUnchanged ? [cutEnd(text, mostColumns)] : broken(text, mostColumns, sign)));
    if (rows.length > room) return undefined;
  }
  return { rows, isWhole: true, isHidden };
}

/** A line in pieces of at most `width` characters; those after the first begin with `sign` and an arrow. */
export function broken(line: string, width: number, sign = ''): readonly string[] {
  if (line.length <= width) return [line];
  const lead = `${sign}⤷ `;
  const first = cutAt(line, width);
  const rows = [first];
  for (let at = first.length; at < line.length;) {
    const row = cutAt(line.slice(at, at + width - lead.length + 1), width - lead.length);
    rows.push(`${lead}${row}`);
    at += row.length;
  }
  return rows;
}

/**
 * Leaves out the middle, because the end of a path says what it is. Words of a name stay whole where one ends near by:
 * half a word reads like another.
 */
export function cutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const tail = Math.floor(length / 3);
  const head = cutAt(text, length - tail - 1).replace(/(?<=[\s/\\_.:-])[^\s/\\_.:-]{0,11}$/, '');
  const end = text
    .slice(-tail)
    .replace(/^[\uDC00-\uDFFF]/, '')
    .replace(/^[^\s/\\_.:-]{0,11}(?=[\s/\\_.:-])/, '');
  return `${head}…${end}`;
}
