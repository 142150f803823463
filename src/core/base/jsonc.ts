import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { tooDeepAt } from './nesting';
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
  const deepAt = tooDeepAt(text, deepest, true);
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
