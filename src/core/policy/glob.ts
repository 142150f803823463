import { Minimatch } from 'minimatch';

/** A compiled glob. */
export interface Glob {
  readonly pattern: string;
  matches(text: string): boolean;
}

const longestPattern = 1000;
const mostAlternatives = 256;

/** What every glob is compiled with: `!(` is not a negation and `#` not a comment, dot files count, nothing depends on the machine. */
const options = { dot: true, nonegate: true, nocomment: true, platform: 'linux', optimizationLevel: 1 } as const;

/**
 * Expands the braces of a pattern: `a/{b,c}` → `a/b`, `a/c`. Throws where that gives more than 256 patterns:
 * the matcher would silently match nothing, and a deny rule would fail open.
 */
export function expandBraces(pattern: string): readonly string[] {
  const start = findBrace(pattern);
  if (!start) return [pattern];
  const { open, close, parts } = start;
  const head = pattern.slice(0, open);
  const out: string[] = [];
  const tails = expandBraces(pattern.slice(close + 1));
  for (const part of parts) {
    for (const inner of expandBraces(part)) {
      for (const tail of tails) {
        out.push(head + inner + tail);
        if (out.length > mostAlternatives) throw new Error(`the braces stand for more than ${mostAlternatives} patterns`);
      }
    }
  }
  return out;
}

/**
 * The segments of each alternative that the braces of a path pattern stand for, where it is sure that the matcher takes it apart alike.
 * Undefined where that is not sure: an escape, braces that are no plain group, `.` and `..`, which it takes together with other segments.
 */
export function alternativesOf(pattern: string): readonly (readonly string[])[] | undefined {
  if (pattern.includes('\\') || pattern.includes('${')) return undefined;
  const alternatives = expandBraces(pattern);
  if (alternatives.some((one) => /[{}]|(?:^|\/)\.{1,2}(?:\/|$)/.test(one))) return undefined;
  return alternatives.map((one) => one.split('/'));
}

/** Finds the first brace group that holds a comma at its own level; groups without one are ordinary text. */
function findBrace(pattern: string): { open: number; close: number; parts: string[] } | undefined {
  for (let open = 0; open < pattern.length; open++) {
    if (pattern[open] === '\\') {
      open++;
      continue;
    }
    if (pattern[open] !== '{') continue;
    let depth = 0;
    let from = open + 1;
    const parts: string[] = [];
    for (let at = open; at < pattern.length; at++) {
      const char = pattern[at];
      if (char === '\\') at++;
      else if (char === '{') depth++;
      else if (char === ',' && depth === 1) {
        parts.push(pattern.slice(from, at));
        from = at + 1;
      } else if (char === '}' && --depth === 0) {
        if (parts.length === 0) break;
        parts.push(pattern.slice(from, at));
        return { open, close: at, parts };
      }
    }
  }
  return undefined;
}

function check(pattern: string): void {
  if (pattern === '') throw new Error('a pattern must not be empty');
  if (pattern.length > longestPattern) throw new Error(`a pattern has at most ${longestPattern} characters (got ${pattern.length})`);
  if (pattern.includes('\0')) throw new Error('a pattern must not hold a NUL');
  const unclosed = unclosedBracket(pattern);
  if (unclosed) throw new Error(`the \`${unclosed}\` is never closed`);
}

/** Finds an opening bracket without its end: the matcher would read it as text, and the rule would match something else than was meant. */
function unclosedBracket(pattern: string): string | undefined {
  const stack: string[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === '\\') at++;
    else if (char === '[') {
      const end = pattern.indexOf(']', at + 2);
      if (end < 0) return '[';
      at = end;
    } else if (char === '{') stack.push('{');
    else if (char === '(' && /[!?*+@]/.test(pattern[at - 1] ?? '')) stack.push('(');
    else if (char === '}' && stack.at(-1) === '{') stack.pop();
    else if (char === ')' && stack.at(-1) === '(') stack.pop();
  }
  return stack.at(-1);
}

/** Tells whether a piece of a pattern is more than plain text. */
export function hasMagic(text: string): boolean {
  return /[*?[\]{}()\\]/.test(text);
}

/** Brings a path pattern to the form of path keys: no leading `./` or `/`, no empty segments, a trailing `/` means everything below. */
export function normalizePathPattern(pattern: string): string {
  const text = pattern.replace(/^(?:\.?\/)+/, '').replace(/\/{2,}/g, '/');
  if (text === '' || text === '.') return '**';
  return text.endsWith('/') ? `${text}**` : text;
}

/**
 * Compiles a glob over paths: `*` stays within a segment, `**` crosses them. Throws an Error for a pattern that cannot be read.
 */
export function pathGlob(pattern: string): Glob {
  check(pattern);
  const normal = normalizePathPattern(pattern);
  expandBraces(normal);
  const needles = neededTexts(normal);
  const compiled = new Minimatch(normal, options);
  if (!needles) return { pattern: normal, matches: (text) => compiled.match(text) };
  return { pattern: normal, matches: (text) => needles.some((one) => text.includes(one)) && compiled.match(text) };
}

/**
 * Finds texts of which every match holds one: the longest plain piece of each alternative. Looking for them is a fraction of the cost of
 * matching, and most rules are about other files. Undefined where it is not sure what the alternatives are, or where one has no such piece or has
 * magic beyond stars.
 */
function neededTexts(pattern: string): readonly string[] | undefined {
  const needles = new Set<string>();
  for (const parts of alternativesOf(pattern) ?? [[]]) {
    if (parts.some((part) => /[[\]()]/.test(part))) return undefined;
    const longest = parts.flatMap((part) => part.split(/[*?]+/)).reduce((best, piece) => (piece.length > best.length ? piece : best), '');
    if (longest === '') return undefined;
    needles.add(longest);
  }
  return [...needles];
}

const slash = '\uF8FE';

/**
 * Compiles a glob over flat texts, where `*` matches any characters, slashes too: tool ids, capability ids, commands, arguments.
 */
export function flatGlob(pattern: string): Glob {
  check(pattern);
  expandBraces(pattern);
  if (/^\*+$/.test(pattern)) return { pattern, matches: () => true };
  if (!hasMagic(pattern)) return { pattern, matches: (text) => text === pattern };
  const compiled = new Minimatch(pattern.replaceAll('/', slash), options);
  return { pattern, matches: (text) => compiled.match(text.replaceAll('/', slash)) };
}

/**
 * Compiles a pattern over host names: `*` matches any characters, everything else is literal, so that `[::1]` needs no escape.
 * A pattern with a port (`localhost:9000`) is compared with host and port.
 */
export function hostGlob(pattern: string): Glob & { readonly withPort: boolean } {
  check(pattern.replace(/[[\]]/g, ''));
  const given = pattern.toLowerCase().replace(/\.(?=:\d+$|$)/, '');
  // An IPv6 address may be written without its brackets, and then names no port.
  const text = !given.includes('[') && given.split(':').length > 2 ? `[${given}]` : given;
  const withPort = /(?:\]|^[^:]*):\d+$/.test(text);
  const pieces = text.split('*');
  return { pattern: text, withPort, matches: (host) => wildcard(pieces, host) };
}

/** Matches pieces of text with anything between them; greedy from the left, which is right for `*` alone and takes linear time. */
function wildcard(pieces: readonly string[], text: string): boolean {
  const first = pieces[0] ?? '';
  if (pieces.length === 1) return text === first;
  const last = pieces.at(-1) ?? '';
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found < 0 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
