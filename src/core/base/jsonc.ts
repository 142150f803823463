import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { ownValue } from './json';
import { tooDeepAt } from './nesting';
import { say, type Sentence, type SentenceCode } from './sentence';

/** Deeper nesting is refused before it is parsed, because the parser recurses. */
const deepest = 64;

/** The parser's own names of faults, and ours. */
const codes = {
  InvalidSymbol: 'json_invalid_symbol',
  InvalidNumberFormat: 'json_invalid_number_format',
  PropertyNameExpected: 'json_property_name_expected',
  ValueExpected: 'json_value_expected',
  ColonExpected: 'json_colon_expected',
  CommaExpected: 'json_comma_expected',
  CloseBraceExpected: 'json_close_brace_expected',
  CloseBracketExpected: 'json_close_bracket_expected',
  EndOfFileExpected: 'json_end_of_file_expected',
  InvalidCommentToken: 'json_invalid_comment_token',
  UnexpectedEndOfComment: 'json_unexpected_end_of_comment',
  UnexpectedEndOfString: 'json_unexpected_end_of_string',
  UnexpectedEndOfNumber: 'json_unexpected_end_of_number',
  InvalidUnicode: 'json_invalid_unicode',
  InvalidEscapeCharacter: 'json_invalid_escape_character',
  InvalidCharacter: 'json_invalid_character',
} as const satisfies Readonly<Record<string, SentenceCode>>;

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
    const name = printParseErrorCode(error);
    const code = ownValue<(typeof codes)[keyof typeof codes]>(codes, name);
    return { said: say('file_no_json', code ? say(code) : name), offset, length };
  });
  return { root, faults };
}

/** The root of a text without a fault; undefined for every other. */
export function soundTree(text: string): Node | undefined {
  const { root, faults } = parseJsonc(text);
  return faults.length === 0 ? root : undefined;
}
