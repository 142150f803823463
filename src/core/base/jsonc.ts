import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { say, type Sentence } from './sentence';

/** Deeper nesting is refused before it is parsed, because the parser recurses. */
const deepest = 64;

/** What is wrong with a text of JSON, and where. */
interface JsoncFault {
  readonly said: Sentence;
  readonly offset: number;
  readonly length: number;
}

/**
 * Reads JSON with comments and trailing commas: the only way to the parser. A text with faults has a root as far as one
 * could be read.
 */
export function parseJsonc(text: string): { readonly root: Node | undefined; readonly faults: readonly JsoncFault[] } {
  const deepAt = tooDeepAt(text);
  if (deepAt !== undefined)
    return { root: undefined, faults: [{ said: say('file_deep', deepest), offset: deepAt, length: 1 }] };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const faults = errors.map(({ error, offset, length }) => {
    // The parser's codes are words written together: `PropertyNameExpected`.
    const words = printParseErrorCode(error).replace(/([a-z])([A-Z])/g, '$1 $2');
    return { said: say('file_no_json', words.toLowerCase()), offset, length };
  });
  return { root, faults };
}

/** The root of a text without a fault; undefined for every other. */
export function soundTree(text: string): Node | undefined {
  const { root, faults } = parseJsonc(text);
  return faults.length === 0 ? root : undefined;
}

/** Finds the offset at which brackets outside of strings and comments are nested deeper than is read anywhere. */
function tooDeepAt(text: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"' && text[at] !== '\n'; at++) if (text[at] === '\\') at++;
    } else if (char === '/' && text[at + 1] === '/') {
      while (at < text.length && text[at] !== '\n') at++;
    } else if (char === '/' && text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2);
      at = end < 0 ? text.length : end + 1;
    } else if (char === '[' || char === '{') {
      if (++depth > deepest) return at;
    } else if (char === ']' || char === '}') depth--;
  }
  return undefined;
}
