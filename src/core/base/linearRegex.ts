import { lazy } from './lazy';
import { remembering } from './maps';
import { SaidError, say } from './sentence';

/**
 * A compiled expression that takes time linear in the text, whatever the expression (RE2: no look-around, no
 * back-references).
 */
export interface LinearRegex {
  /** True where the whole text matches. */
  matchesAll(text: string): boolean;
  /**
   * Where it matches, from left to right. Behind 10,000 places, and where `isLate` says so, the rest of the text is one
   * place: each match is found in linear time, all of them are not.
   */
  places(text: string, isLate?: () => boolean): readonly { readonly start: number; readonly end: number }[];
}

/** Compiles expressions; throws an Error that says what is wrong with one. */
export interface LinearRegexEngine {
  compile(source: string): LinearRegex;
}

const longestSource = 1000;
const mostPlaces = 10_000;

/** An escape with all that belongs to it; what is quoted (`\Q…\E`) is one. */
const escape =
  /\\(?:Q(?:[^]*?\\E|[^]*)|u\{([\dA-Fa-f]+)\}|u([Dd][89ABab][\dA-Fa-f]{2})\\u([Dd][C-Fc-f][\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|c([A-Za-z])|[^])/g;

/**
 * Writes the escapes of JavaScript and Python that RE2 lacks in its words. All others stay as they are, so that RE2
 * refuses what it does not know: a letter without its backslash would be another expression, and a rule that denies by
 * it would never fire.
 */
function asRe2(source: string): string {
  const character = (code: number): string => `\\x{${code.toString(16)}}`;
  return source.replace(escape, (whole, braced?: string, high?: string, low?: string, four?: string, key?: string) => {
    const hex = braced ?? four;
    if (hex !== undefined) return `\\x{${hex}}`;
    if (high !== undefined && low !== undefined)
      return character((Number.parseInt(high, 16) - 0xd800) * 0x400 + Number.parseInt(low, 16) - 0xdc00 + 0x10000);
    if (key !== undefined) return character(key.charCodeAt(0) % 32);
    // Python's end of the text.
    return whole === '\\Z' ? '\\z' : whole;
  });
}

/** The same expressions come again with every policy that is composed anew. */
const mostKept = 500;

/** Loads the engine (148 KB), which is why only rules that hold an expression ask for it. */
export const loadLinearRegex = lazy(async (): Promise<LinearRegexEngine> => {
  const { RE2JS } = await import('re2js');
  const compiledOf = remembering(mostKept, (source) => RE2JS.compile(asRe2(source)));
  return {
    compile(source) {
      if (source.length > longestSource) throw new SaidError(say('expression_long', longestSource, source.length));
      const compiled = compiledOf(source);
      return {
        matchesAll: (text) => compiled.matches(text),
        places(text, isLate = () => false) {
          const rest = (start: number): { start: number; end: number } => ({ start, end: text.length });
          if (isLate()) return [rest(0)];
          const matcher = compiled.matcher(text);
          const found = [];
          while (matcher.find()) {
            if (matcher.end() > matcher.start()) found.push({ start: matcher.start(), end: matcher.end() });
            if (found.length >= mostPlaces || isLate()) return [...found, rest(matcher.end())];
          }
          return found;
        },
      };
    },
  };
});
