import { SaidError, say } from './sentence';
import { braceExpand } from 'minimatch';

/** More patterns than these in one are not written by people. */
export const mostAlternatives = 256;
const deepestBraces = 8;

/**
 * An upper bound of how many patterns the braces of a pattern stand for, in time linear in the pattern, so that nothing
 * has to be expanded to know that it is too much. `{1..9}` counts its numbers, a group within a group counts for both.
 */
export function alternativesBound(pattern: string): number {
  let total = 1;
  let stray = 1;
  const open: number[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === '\\') at++;
    else if (char === '{') {
      open.push(1);
      if (open.length > deepestBraces) return Number.POSITIVE_INFINITY;
    } else if (char === ',') {
      if (open.length > 0) open[open.length - 1] = (open.at(-1) ?? 0) + 1;
      // After `{a},b}` the matcher takes the second brace as the end of the group.
      else stray++;
    } else if (char === '}') {
      const count = open.pop();
      if (count === undefined) total *= stray;
      else total *= Math.max(count, rangeSize(pattern, at));
      if (total > Number.MAX_SAFE_INTEGER) return Number.POSITIVE_INFINITY;
    }
  }
  return total;
}

/** How many a range that ends here stands for: `{1..9}`, `{a..e..2}`; 1 where there is none. */
function rangeSize(pattern: string, end: number): number {
  const [, from, to] =
    /(?:^|\{)(-?\d+|[a-z])\.\.(-?\d+|[a-z])(?:\.\.-?\d+)?$/i.exec(pattern.slice(pattern.lastIndexOf('{', end), end)) ??
    [];
  if (from === undefined || to === undefined) return 1;
  const value = (text: string): number => (/\d$/.test(text) ? Number(text) : text.charCodeAt(0));
  return Math.abs(value(from) - value(to)) + 1;
}

/**
 * Expands the braces of a pattern as minimatch does: `a/{b,c}` → `a/b`, `a/c`. Throws where that gives more than 256
 * patterns: the matcher would leave out the rest, and a rule that denies would miss what they name.
 */
export function expandBraces(pattern: string): readonly string[] {
  if (!pattern.includes('{')) return [pattern];
  if (alternativesBound(pattern) > mostAlternatives) throw tooMany();
  if (plainGroups.test(pattern)) return plainAlternatives(pattern);
  const found = braceExpand(pattern, { braceExpandMax: mostAlternatives + 1 });
  if (found.length > mostAlternatives) throw tooMany();
  return found;
}

/** Groups as people write them, one beside the other: no escape, nothing nested, no range. */
const plainGroups = /^[^\\${}]*(?:\{[^\\${},]*(?:,[^\\${},]*)+\}[^\\${},]*)+$/;

/** The same in a tenth of the time, which presets with hundreds of patterns are worth. */
function plainAlternatives(pattern: string): readonly string[] {
  const [head = '', ...groups] = pattern.split('{');
  let found = [head];
  for (const group of groups) {
    const [inside = '', after = ''] = group.split('}');
    const alternatives = inside.split(',').map((one) => one + after);
    found = found.flatMap((start) => alternatives.map((end) => start + end));
  }
  // The matcher leaves out what nothing is left of.
  return found.filter((one) => one !== '');
}

export function tooMany(): Error {
  return new SaidError(say('pattern_braces', mostAlternatives));
}
