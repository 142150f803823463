import { diffChars } from 'diff';
import { cutEnd } from '../../../core/base/text';
import { splitLines } from '../shared/text';

const mostLines = 50_000;
const mostShown = 1200;
const mostCandidates = 50;
/** Of two texts that differ in more characters the file's alone is shown. */
const mostChanged = 1000;
/** A piece of a line is looked for within lines of up to this length. */
const longestLine = 500;

/**
 * What stands in a text in place of one that is not there: the replacement already, nothing like it, or something like
 * it, with the characters that differ: `[-old-]` and `{+file's+}`.
 */
export type Miss = 'done' | 'nowhere' | { readonly line: number; readonly diff: string };

/** Looks for what is most like a text that is not there. */
export function describeMiss(text: string, wanted: string, replacement: string): Miss {
  if (replacement !== '' && replacement.length > 10 && text.includes(replacement)) return 'done';
  const near = nearestPlace(text, wanted);
  return near ? { line: near.line, diff: characterDiff(wanted, near.text) } : 'nowhere';
}

/**
 * The place most like the wanted text, case and white space apart: whole lines or, for a text within one line, a piece
 * of a line. Undefined where less than half of their letter pairs agree.
 */
function nearestPlace(text: string, wanted: string): { readonly line: number; readonly text: string } | undefined {
  const lines = splitLines(text).slice(0, mostLines);
  const goal = splitLines(wanted);
  const goalPairs = goal.map(pairsOf);
  const goalSize = goalPairs.reduce((sum, pairs) => sum + pairs.size, 0);
  if (goalSize === 0 || goal.length > 2000) return undefined;
  const known = new Map<string, ReadonlySet<string>>();
  const pairs = (line: string): ReadonlySet<string> => {
    const found = known.get(line) ?? pairsOf(line);
    known.set(line, found);
    return found;
  };
  const whole = nearestLines(lines, goalPairs, pairs);
  const piece =
    goal.length === 1 && !wanted.includes('\n')
      ? nearestPiece(lines, wanted, goalPairs[0] ?? new Set(), pairs)
      : undefined;
  const best = piece && (!whole || piece.score > whole.score) ? piece : whole;
  return best && best.score >= 0.5 ? { line: best.line, text: best.text } : undefined;
}

interface Place {
  readonly line: number;
  readonly score: number;
  readonly text: string;
}

type Pairs = (line: string) => ReadonlySet<string>;

function nearestLines(lines: readonly string[], goal: readonly ReadonlySet<string>[], pairs: Pairs): Place | undefined {
  // The longest line of the goal picks the candidates; whole windows are compared only there.
  const anchor = goal.reduce((top, set, index) => (set.size > (goal[top]?.size ?? 0) ? index : top), 0);
  const anchorPairs = goal[anchor] ?? new Set<string>();
  const candidates: { at: number; score: number }[] = [];
  for (const [index, line] of lines.entries()) {
    const score = likeness(anchorPairs, pairs(line));
    if (score > 0.3 && index >= anchor) candidates.push({ at: index - anchor, score });
  }
  candidates.sort((a, b) => b.score - a.score);
  const weight = goal.reduce((total, set) => total + Math.max(1, set.size), 0);
  let best: Place | undefined;
  for (const { at } of candidates.slice(0, mostCandidates)) {
    const sum = goal.reduce(
      (total, row, index) => total + likeness(row, pairs(lines[at + index] ?? '')) * Math.max(1, row.size),
      0,
    );
    const score = sum / weight;
    if (score > (best?.score ?? 0)) best = { line: at + 1, score, text: lines.slice(at, at + goal.length).join('') };
  }
  return best;
}

/** Looks for a text that is shorter than a line within the lines that share most letter pairs with it. */
function nearestPiece(
  lines: readonly string[],
  wanted: string,
  goal: ReadonlySet<string>,
  pairs: Pairs,
): Place | undefined {
  const length = wanted.length;
  if (goal.size < 4 || length > longestLine) return undefined;
  const candidates: { index: number; common: number }[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.length <= length || line.length > longestLine) continue;
    const common = commonOf(goal, pairs(line));
    if (common * 2 >= goal.size) candidates.push({ index, common });
  }
  candidates.sort((a, b) => b.common - a.common);
  let best: Place | undefined;
  for (const { index } of candidates.slice(0, 5)) {
    const line = (lines[index] ?? '').replace(/\r?\n$/, '');
    for (let at = 0; at + length <= line.length; at++) {
      const text = line.slice(at, at + length);
      // A piece is a little less sure than a line, and one that begins as the wanted text does is the better of two
      // alike.
      const score = likeness(goal, pairsOf(text)) * 0.98 + (text[0] === wanted[0] ? 0.01 : 0);
      if (score > (best?.score ?? 0)) best = { line: index + 1, score, text };
    }
  }
  return best;
}

function pairsOf(line: string): ReadonlySet<string> {
  const plain = line.slice(0, longestLine).trim().toLowerCase().replace(/\s+/g, ' ');
  const pairs = new Set<string>();
  for (let index = 0; index + 1 < plain.length; index++) pairs.add(plain.slice(index, index + 2));
  return pairs;
}

/** Dice's coefficient of two sets of letter pairs. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.size + b.size === 0 ? 1 : (2 * commonOf(a, b)) / (a.size + b.size);
}

function commonOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const pair of a) if (b.has(pair)) common++;
  return common;
}

function characterDiff(wanted: string, found: string): string {
  const place = wanted.endsWith('\n') ? found : found.replace(/\n$/, '');
  const parts = diffChars(wanted.slice(0, 4000), place.slice(0, 4000), { maxEditLength: mostChanged }) ?? [];
  const text = parts
    .map((part) => (part.added ? `{+${part.value}+}` : part.removed ? `[-${part.value}-]` : part.value))
    .join('');
  return cutEnd(text === '' ? place : text, mostShown);
}
