import { saidBy, SaidError, say, type Sentence } from './sentence';
import { Minimatch } from 'minimatch';
import { expandBraces } from './braces';
import { checkGlob } from './globCheck';
import { remembering } from './maps';

/** A compiled glob. */
export interface Glob {
  matches(text: string): boolean;
}

/**
 * What every glob is compiled with: `!(` is not a negation and `#` not a comment, dot files count, nothing depends on
 * the machine. The matcher takes polynomial time; it must never give up on `**`, because then a rule that denies would
 * match nothing.
 */
const options = {
  dot: true,
  nonegate: true,
  nocomment: true,
  platform: 'linux',
  optimizationLevel: 1,
  maxGlobstarRecursion: 1000,
} as const;

/**
 * The segments of each alternative that the braces of a path pattern stand for, where it is sure that the matcher takes
 * it apart alike. Undefined where that is not sure: an escape, braces that are no plain group, `..` that leads outside.
 */
export function alternativesOf(pattern: string): readonly (readonly string[])[] | undefined {
  if (pattern.includes('\\')) return undefined;
  const alternatives = pathAlternatives(pattern);
  if (alternatives.some((one) => /[{}]|(?:^|\/)\.{1,2}(?:\/|$)/.test(one))) return undefined;
  return alternatives.map((one) => one.split('/'));
}

/** Tells whether a piece of a pattern is more than plain text. */
export function hasMagic(text: string): boolean {
  return /[*?[\]{}()\\]/.test(text);
}

/**
 * Brings one path pattern without braces to the form of path keys: no leading `./` or `/`, no empty segments, no `.`,
 * `..` taken together with the name before it; a trailing `/` means everything below.
 */
function normalAlternative(pattern: string): string {
  if (!/(?:^|\/)\.{0,2}(?:\/|$)/.test(pattern)) return pattern;
  const isFolder = pattern.endsWith('/');
  const out: string[] = [];
  for (const part of pattern.split('/')) {
    if (part === '' || part === '.') continue;
    const before = out.at(-1);
    if (part !== '..' || before === undefined || before === '..') out.push(part);
    else if (hasMagic(before)) throw new SaidError(say('pattern_climbs'));
    else out.pop();
  }
  if (out.length === 0) return '**';
  return `${out.join('/')}${isFolder ? '/**' : ''}`;
}

/** The patterns without braces that a path pattern stands for, each in the form of path keys. */
export function pathAlternatives(pattern: string): readonly string[] {
  return expandBraces(pattern).map(normalAlternative);
}

/** Throws for an alternative that stands for everything without saying so, as `{src,}/` does: its writer meant less. */
export function refuseHiddenAll(pattern: string): void {
  // Of most patterns it shows without their alternatives.
  if (!pattern.includes('..') && !/^[./]*$/.test(pattern.replace(/\{.*\}/s, ''))) return;
  for (const one of expandBraces(pattern))
    if (!one.includes('*') && normalAlternative(one) === '**') throw new SaidError(say('pattern_hides_all', one));
}

/**
 * Tells whether a path pattern can be compiled, without compiling it; throws an Error that says what is wrong.
 * @param narrow for what loosens, which must not let more through than is written.
 */
export function checkPathPattern(pattern: string, narrow = false): void {
  checkGlob(pattern, 'path');
  if (/^(?:file|https?|wss?|ftp):/i.test(pattern))
    throw new SaidError(
      say('pattern_url', JSON.stringify(pattern.replace(/^file:\/*/i, '/').replace(/^[a-z]+:\/*/i, ''))),
    );
  if (pattern.includes('..')) pathAlternatives(pattern);
  if (narrow) refuseHiddenAll(pattern);
}

/** Why a path pattern cannot be read; undefined where it can. */
export function pathPatternFault(pattern: string): Sentence | undefined {
  try {
    checkPathPattern(pattern);
    return undefined;
  } catch (error) {
    return saidBy(error);
  }
}

/** A backslash before a character that needs none: on Windows it was meant as the separator. */
const separatorBackslash = /\\(?=[^\\*?[\]{}()!+@|,^-])/;

/** What shells, editors and agents fill in: a variable, or the home folder of somebody who is named. */
const unfilled = /^\s*(?:\$(?:env:)?\w+(?:[/\\]|$)|%\w+%|~[^/\\]*\w[/\\])|\$\{/i;

/** Tells what in a pattern over paths was perhaps meant otherwise than it is read; undefined where nothing was. */
export function patternDoubt(pattern: string): Sentence | undefined {
  if (separatorBackslash.test(pattern)) return say('pattern_separator');
  if (/[^/*]\*\*|\*\*[^/*]/.test(pattern.replaceAll('\\*', ''))) return say('pattern_globstar_beside');
  if (/^(["'`]).*\1$/s.test(pattern)) return say('pattern_quoted');
  if (/^\^|\$$|^\.\*/.test(pattern)) return say('pattern_expression');
  if (/^[^(]*\|/.test(pattern) || /(?:^|[^!?*+@])\([^)]*\|/.test(pattern)) return say('pattern_bar');
  if (unfilled.test(pattern)) return say('pattern_variable');
  if (pattern !== pattern.trim()) return say('pattern_white_space');
  return undefined;
}

/**
 * Compiles a glob over paths: `*` stays within a segment, `**` crosses them. Throws an Error for a pattern that cannot
 * be read.
 */
export function pathGlob(pattern: string): Glob {
  checkGlob(pattern, 'path');
  return { matches: anyOf(pathAlternatives(pattern).map((one) => onePath(one))) };
}

/** Compiles a glob over paths that its writer has checked: nothing in it is brought to the form of path keys. */
export function inputGlob(pattern: string, caseInsensitive = false): (path: string) => boolean {
  return anyOf(expandBraces(pattern).map((one) => onePath(one, caseInsensitive)));
}

/** Compiles one of the alternatives of a path pattern: braces that are left in it are characters of a name. */
export function alternativeGlob(pattern: string): Glob {
  return { matches: onePath(pattern) };
}

/** The same patterns come again with every policy that is composed anew. */
const mostKept = 1000;
const inCase = remembering(mostKept, (pattern) => new Minimatch(pattern, { ...options, nobrace: true }));

function onePath(pattern: string, nocase = false): (text: string) => boolean {
  const needle = nocase ? '' : neededText(pattern);
  let compiled: Minimatch | undefined;
  const compile = (): Minimatch =>
    nocase ? new Minimatch(pattern, { ...options, nobrace: true, nocase }) : inCase(pattern);
  return (text) => text.includes(needle) && (compiled ??= compile()).match(text);
}

function anyOf(tests: readonly ((text: string) => boolean)[]): (text: string) => boolean {
  const [only] = tests;
  return only && tests.length === 1 ? only : (text) => tests.some((test) => test(text));
}

/**
 * The longest plain piece of a pattern without braces, which every match holds. Looking for it is a fraction of the
 * cost of matching, and most rules are about other files. Empty where there is none, or magic beyond stars.
 */
function neededText(pattern: string): string {
  if (/[[\](){}\\]/.test(pattern)) return '';
  // A `.` between slashes is left out by the matcher.
  const pieces = pattern.split(/[*?/]+/).filter((piece) => piece !== '.');
  return pieces.reduce((best, piece) => (piece.length > best.length ? piece : best), '');
}

/** Stand for a slash and for the start of a text where a matcher of paths would take them for more than a character. */
const slash = '\uF8FE';
const start = '\uF8FD';

/** An escaped character, a slash, or a set of characters. */
const setOrSlash = /\\[^]|\/|\[[!^]?\]?(?:\\[^]|\[:[a-z]+:\]|[^\]\\])*\]/g;
const classesWithSlash = ['[:ascii:]', '[:graph:]', '[:print:]', '[:punct:]'];

/** A set of characters in which a slash is a character as others, also between the ends of a range. */
function flatSet(set: string): string {
  const [, negation = '', inner = ''] = /^\[([!^]?)([^]*)\]$/.exec(set) ?? [];
  const pieces = inner.match(/\[:[a-z]+:\]|\\?[^]/g) ?? [];
  const literal = (piece: string): string => (/^[\][!^-]$/.test(piece) ? `\\${piece}` : piece);
  let holdsSlash = false;
  let out = '';
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at] ?? '';
    const end = pieces[at + 2] ?? '';
    const [from, to] = [piece.slice(-1), end.slice(-1)];
    if (piece.startsWith('[:')) {
      holdsSlash ||= classesWithSlash.includes(piece);
      out += piece;
    } else if (pieces[at + 1] === '-' && end !== '' && !end.startsWith('[:')) {
      at += 2;
      holdsSlash ||= from <= '/' && to >= '/';
      const [low, high] = [from === '/' ? '0' : from, to === '/' ? '.' : to];
      if (low <= high) out += `${literal(low)}-${literal(high)}`;
    } else if (from === '/') holdsSlash = true;
    else out += piece.startsWith('\\') ? piece : literal(piece);
  }
  return `[${negation}${holdsSlash ? slash : ''}${out}]`;
}

/** One alternative of a flat pattern as a name that the matcher of paths has no reason to take for more than that. */
const asName = (pattern: string): string =>
  pattern.replace(setOrSlash, (part) => (part.startsWith('[') ? flatSet(part) : part.replace('/', slash)));

/**
 * Compiles a glob over flat texts, where `*` matches any characters, slashes too, and nothing is special about a dot or
 * an empty text: tool ids, capability ids, commands, arguments.
 */
export function flatGlob(pattern: string): Glob {
  checkGlob(pattern, 'flat');
  if (/^\*+$/.test(pattern)) return { matches: () => true };
  if (!hasMagic(pattern)) return { matches: (text) => text === pattern };
  const matches = anyOf(expandBraces(start + pattern).map((one) => onePath(asName(one))));
  return { matches: (text) => matches(start + text.replaceAll('/', slash)) };
}
