import { diffChars } from 'diff';
import { splitLines } from './text';

const mostLines = 50_000;
const mostShown = 1200;

/** Says where in a text something like `wanted` stands, with the characters that differ: `[-old-]` and `{+file's+}`. */
export function describeMiss(text: string, wanted: string, replacement: string): string {
  if (replacement !== '' && replacement.length > 10 && text.includes(replacement))
    return '; new_text is there already, so the edit seems done';
  const near = nearestPlace(text, wanted);
  if (!near) return '; nothing like it is there, so read the file again';
  const diff = characterDiff(wanted, near.text);
  return `; the nearest place is line ${near.line}, which differs so ([-old_text-]{+the file+}):\n${diff}`;
}

/** The lines most like the wanted ones; undefined where less than half of their words agree. */
export function nearestPlace(text: string, wanted: string): { readonly line: number; readonly text: string } | undefined {
  const lines = splitLines(text).slice(0, mostLines);
  const goal = splitLines(wanted);
  const height = Math.max(1, goal.length);
  const goalPairs = goal.map(pairsOf);
  const goalSize = goalPairs.reduce((sum, pairs) => sum + pairs.size, 0);
  if (goalSize === 0 || goal.length > 2000) return undefined;
  const known = new Map<string, ReadonlySet<string>>();
  const pairs = (line: string): ReadonlySet<string> => {
    const found = known.get(line) ?? pairsOf(line);
    known.set(line, found);
    return found;
  };
  let best = { line: 0, score: 0 };
  // The longest line of the goal picks the candidates; whole windows are compared only there.
  const anchor = goalPairs.reduce((top, set, index) => (set.size > (goalPairs[top]?.size ?? 0) ? index : top), 0);
  const anchorPairs = goalPairs[anchor] ?? new Set<string>();
  const candidates: { at: number; score: number }[] = [];
  for (const [index, line] of lines.entries()) {
    const score = likeness(anchorPairs, pairs(line));
    if (score > 0.3) candidates.push({ at: index - anchor, score });
  }
  candidates.sort((a, b) => b.score - a.score);
  for (const { at } of candidates.slice(0, 50)) {
    if (at < 0) continue;
    let sum = 0;
    for (let row = 0; row < height; row++) {
      const goalRow = goalPairs[row] ?? new Set<string>();
      sum += likeness(goalRow, pairs(lines[at + row] ?? '')) * Math.max(1, goalRow.size);
    }
    const score = sum / goalPairs.reduce((total, set) => total + Math.max(1, set.size), 0);
    if (score > best.score) best = { line: at + 1, score };
  }
  if (best.score < 0.5) return undefined;
  return { line: best.line, text: lines.slice(best.line - 1, best.line - 1 + height).join('') };
}

function pairsOf(line: string): ReadonlySet<string> {
  const plain = line.slice(0, 500);
  const pairs = new Set<string>();
  for (let index = 0; index + 1 < plain.length; index++) pairs.add(plain.slice(index, index + 2));
  return pairs;
}

/** Dice's coefficient of two sets of letter pairs. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 1;
  let common = 0;
  for (const pair of a) if (b.has(pair)) common++;
  return (2 * common) / (a.size + b.size);
}

function characterDiff(wanted: string, found: string): string {
  const place = wanted.endsWith('\n') ? found : found.replace(/\n$/, '');
  const parts = diffChars(wanted.slice(0, 4000), place.slice(0, 4000), { timeout: 100 }) ?? [];
  const text = parts.map((part) => (part.added ? `{+${part.value}+}` : part.removed ? `[-${part.value}-]` : part.value)).join('');
  const shown = text === '' ? place : text;
  return shown.length > mostShown ? `${shown.slice(0, mostShown)}…` : shown;
}
