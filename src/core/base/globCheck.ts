import { SaidError, say } from './sentence';
import { alternativesBound, mostAlternatives, tooMany } from './braces';

const longestPattern = 1000;
/** What one pattern may hold; more is not written by people, and would make matching slow. */
const most = { groups: 16, depth: 4, stars: 32, globstars: 16 };

/** Whether `/` separates names (paths) or is a character like others (ids, commands, arguments). */
type GlobKind = 'path' | 'flat';

/**
 * Tells whether a pattern can be matched as it was meant, and cheaply; throws an Error that says what is wrong. It
 * reads the text once and compiles nothing, so that thousands of patterns are checked in no time.
 */
export function checkGlob(pattern: string, kind: GlobKind): void {
  if (pattern === '') throw new SaidError(say('pattern_empty'));
  if (pattern.length > longestPattern) throw new SaidError(say('pattern_long', longestPattern, pattern.length));
  if (pattern.includes('\0')) throw new SaidError(say('pattern_nul'));
  if (pattern.startsWith('!') && !pattern.startsWith('!(')) throw new SaidError(say('pattern_negated', '!'));
  if (pattern.endsWith('\\') && !pattern.endsWith('\\\\')) throw new SaidError(say('pattern_backslash_end'));
  if (!/[[\](){}]/.test(pattern)) checkStars(pattern, kind);
  else checkBrackets(pattern, kind);
}

function checkStars(pattern: string, kind: GlobKind): void {
  let globstars = 0;
  for (const part of kind === 'path' ? pattern.split('/') : [pattern]) {
    if (part === '**') globstars++;
    else if (part.split('*').length - 1 > most.stars) throw new SaidError(say('pattern_many_stars', most.stars));
  }
  if (globstars > most.globstars) throw new SaidError(say('pattern_many_globstars', most.globstars));
}

/**
 * Finds brackets without their end, and what the matcher would read as text: then the rule would match something else
 * than was meant.
 */
function checkBrackets(pattern: string, kind: GlobKind): void {
  const stack: string[] = [];
  let groups = 0;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === '\\') at++;
    else if (char === '[') at = endOfSet(pattern, at, kind);
    else if (char === '{') stack.push('{');
    else if (char === '(' && /[!?*+@]/.test(pattern[at - 1] ?? '')) {
      stack.push('(');
      if (++groups > most.groups) throw new SaidError(say('pattern_many_groups', most.groups));
      if (stack.filter((one) => one === '(').length > most.depth)
        throw new SaidError(say('pattern_deep_groups', most.depth));
    } else if (char === '}' && stack.at(-1) === '{') stack.pop();
    else if (char === ')' && stack.at(-1) === '(') stack.pop();
    else if (char === '/' && kind === 'path' && stack.includes('(')) throw new SaidError(say('pattern_group_slash'));
  }
  const open = stack.at(-1);
  if (open !== undefined) throw new SaidError(say('pattern_open', open));
  if (alternativesBound(pattern) > mostAlternatives) throw tooMany();
  checkStars(pattern, kind);
}

/** The place of the `]` that ends a set. */
function endOfSet(pattern: string, start: number, kind: GlobKind): number {
  const first = start + (/[!^]/.test(pattern[start + 1] ?? '') ? 2 : 1);
  for (let at = first; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === '\\') at++;
    else if (char === '[' && pattern[at + 1] === ':') {
      const end = pattern.indexOf(':]', at + 2);
      if (end < 0) break;
      at = end + 1;
    } else if (char === '/' && kind === 'path') throw new SaidError(say('pattern_set_slash'));
    else if (char === ']' && at > first) return at;
    else if (
      char === '-' &&
      at > first &&
      pattern[at + 1] !== ']' &&
      (pattern[at - 1] ?? '') > (pattern[at + 1] ?? '\uffff')
    )
      throw new SaidError(say('pattern_range', pattern.slice(at - 1, at + 2)));
  }
  throw new SaidError(say('pattern_open', '['));
}
