/**
 * The rules of one `.gitignore` file (git's documentation, "gitignore"), for paths relative to the file's folder.
 * Written for hostile files: matching takes time in proportion to the pattern's length times the path's length,
 * whatever the stars.
 */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  constructor(text: string) {
    this.#rules = text
      .replace(/^\ufeff/, '')
      .split(/\r?\n/)
      .slice(0, 10_000)
      .flatMap((line) => parseRule(line) ?? []);
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** `ignored` or `kept` by the last rule that matches, undefined where none does. */
  judge(path: string, isDirectory: boolean): 'ignored' | 'kept' | undefined {
    const segments = path.split('/');
    for (let index = this.#rules.length - 1; index >= 0; index--) {
      const rule = this.#rules[index];
      if (!rule || (rule.directoryOnly && !isDirectory)) continue;
      const matches = rule.anchored
        ? matchSegments(rule.segments, segments)
        : matchName(rule.segments[0] ?? '', segments.at(-1) ?? '');
      if (matches) return rule.negated ? 'kept' : 'ignored';
    }
    return undefined;
  }
}

interface Rule {
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  readonly anchored: boolean;
  readonly segments: readonly string[];
}

function parseRule(line: string): Rule | undefined {
  let text = trimEnd(line);
  if (text === '' || text.startsWith('#') || text.length > 2000) return undefined;
  const negated = text.startsWith('!');
  if (negated) text = text.slice(1);
  const directoryOnly = text.endsWith('/');
  if (directoryOnly) text = text.replace(/\/+$/, '');
  if (text === '') return undefined;
  const anchored = text.includes('/');
  if (text.startsWith('/')) text = text.slice(1);
  const segments = text.split('/');
  return { negated, directoryOnly, anchored, segments: collapse(segments) };
}

/** Drops spaces at the end that no backslash keeps. */
function trimEnd(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ' && line[end - 2] !== '\\') end--;
  return line.slice(0, end);
}

/** Several `**` in a row mean the same as one. */
function collapse(segments: readonly string[]): string[] {
  return segments.filter((segment, index) => segment !== '**' || segments[index - 1] !== '**');
}

/**
 * Matches name by name; `**` stands for any number of names, at the end for at least one. Remembers which positions are
 * reachable.
 */
function matchSegments(pattern: readonly string[], path: readonly string[]): boolean {
  let reachable = new Set([0]);
  for (let index = 0; index < pattern.length; index++) {
    const part = pattern[index] ?? '';
    const next = new Set<number>();
    if (part === '**') {
      const first = Math.min(...reachable) + (index === pattern.length - 1 ? 1 : 0);
      for (let at = first; at <= path.length; at++) next.add(at);
    } else {
      for (const at of reachable) {
        const name = path[at];
        if (name !== undefined && matchName(part, name)) next.add(at + 1);
      }
    }
    if (next.size === 0) return false;
    reachable = next;
  }
  return reachable.has(path.length);
}

/** Matches one name with `*`, `?`, `[…]` and `\`, going back to the last star only. */
function matchName(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let starPattern = -1;
  let starName = 0;
  while (n < name.length) {
    const step = matchOne(pattern, p, name, n);
    if (pattern[p] === '*') {
      starPattern = p++;
      starName = n;
    } else if (step !== undefined) {
      p = step.pattern;
      n = step.name;
    } else if (starPattern >= 0) {
      p = starPattern + 1;
      n = ++starName;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

function matchOne(pattern: string, p: number, name: string, n: number): { pattern: number; name: number } | undefined {
  const char = pattern[p];
  const code = name.codePointAt(n);
  if (char === undefined || code === undefined) return undefined;
  const width = code > 0xffff ? 2 : 1;
  if (char === '?') return { pattern: p + 1, name: n + width };
  if (char === '[') {
    const set = matchSet(pattern, p, String.fromCodePoint(code));
    if (set) return set.matches ? { pattern: set.end, name: n + width } : undefined;
  }
  const at = char === '\\' && p + 1 < pattern.length ? p + 1 : p;
  return pattern[at] === name[n] ? { pattern: at + 1, name: n + 1 } : undefined;
}

/** Reads a bracket expression; undefined where it is not closed and `[` is an ordinary character. */
function matchSet(pattern: string, start: number, char: string): { matches: boolean; end: number } | undefined {
  let p = start + 1;
  const negated = pattern[p] === '!' || pattern[p] === '^';
  if (negated) p++;
  let matches = false;
  for (let first = true; ; first = false) {
    let low = pattern[p];
    if (low === undefined) return undefined;
    if (low === ']' && !first) break;
    if (low === '\\') low = pattern[++p];
    if (low === undefined) return undefined;
    let high = low;
    if (pattern[p + 1] === '-' && pattern[p + 2] !== undefined && pattern[p + 2] !== ']') {
      high = pattern[p + 2] ?? low;
      p += 2;
    }
    if (char >= low && char <= high) matches = true;
    p++;
  }
  return { matches: matches !== negated, end: p + 1 };
}
