import { expressionError, quote } from './expressionError';

type TokenKind = 'number' | 'name' | 'sign' | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  /** Where it begins, counted from 0. */
  readonly at: number;
}

/** Signs that people and models paste, and what they mean. */
const synonyms: Readonly<Record<string, string>> = { '×': '*', '·': '*', '÷': '/', '−': '-', '–': '-', '**': '^' };
const superscripts: Readonly<Record<string, string>> = { '²': '2', '³': '3' };

// One pattern for all tokens; each alternative begins with other characters, so it never goes back over what it has
// read.
const pattern =
  /\s+|(0[xX][0-9a-fA-F_]*|0[bB][0-9_]*|0[oO][0-9_]*|(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9][0-9_]*)(?:[eE][+-]?[0-9]+)?)|([A-Za-z_°µμπ\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f][A-Za-z0-9_°µμ\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]*)|(\*\*|<<|>>|\/\/|[-+*/^%!(),[\]=&|×·÷−–²³√])/y;

/** Cuts an expression into tokens. A character that belongs nowhere is an error at its column. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const scan = new RegExp(pattern);
  let at = 0;
  while (at < text.length) {
    scan.lastIndex = at;
    const match = scan.exec(text);
    if (!match) throw unexpectedCharacter(text, at);
    const [whole, number, name, sign] = match;
    if (number !== undefined) tokens.push({ kind: 'number', text: number, at });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name === 'π' ? 'pi' : name, at });
    else if (sign !== undefined) {
      const power = superscripts[sign];
      if (power !== undefined) tokens.push({ kind: 'sign', text: '^', at }, { kind: 'number', text: power, at });
      else if (sign === '√') tokens.push({ kind: 'name', text: 'sqrt', at });
      else tokens.push({ kind: 'sign', text: synonyms[sign] ?? sign, at });
    }
    at += whole.length;
  }
  tokens.push({ kind: 'end', text: '', at: text.length });
  return tokens;
}

function unexpectedCharacter(text: string, at: number): Error {
  const sign = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (sign === '$' || sign === '€' || sign === '£')
    return expressionError(`${quote(sign)} is not a unit here; leave currencies out`, at);
  return expressionError(
    `${quote(sign)} has no meaning here; expected a number, a name, an operator or a parenthesis`,
    at,
  );
}
