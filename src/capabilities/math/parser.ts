import { expressionError, quote, tooLarge } from './expressionError';
import { type Token, tokenize } from './lexer';

type BinaryOperator = '+' | '-' | '*' | '/' | '//' | 'mod' | '^' | '&' | '|' | '<<' | '>>';

/** A parsed expression; `at` is the place that an error names, counted from 0. */
export type Node =
  | { readonly kind: 'number'; readonly text: string; readonly at: number }
  | { readonly kind: 'name'; readonly name: string; readonly at: number }
  | { readonly kind: 'negate' | 'factorial' | 'percent'; readonly operand: Node; readonly at: number }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Node;
      readonly right: Node;
      readonly at: number;
    }
  | { readonly kind: 'convert'; readonly operand: Node; readonly unit: Node; readonly at: number }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Node[]; readonly at: number }
  | { readonly kind: 'list'; readonly items: readonly Node[]; readonly at: number };

interface Statement {
  /** The name that later expressions use, where one is given (`x = 2 + 3`). */
  readonly name?: string;
  readonly body: Node;
}

const maxLength = 2000;
const maxDepth = 100;

const operators: Readonly<Record<string, { readonly power: number; readonly operator: BinaryOperator }>> = {
  '|': { power: 2, operator: '|' },
  '&': { power: 4, operator: '&' },
  '<<': { power: 6, operator: '<<' },
  '>>': { power: 6, operator: '>>' },
  '+': { power: 10, operator: '+' },
  '-': { power: 10, operator: '-' },
  '*': { power: 20, operator: '*' },
  '/': { power: 20, operator: '/' },
  '//': { power: 20, operator: '//' },
  mod: { power: 20, operator: 'mod' },
  of: { power: 20, operator: '*' },
  '^': { power: 40, operator: '^' },
};
const conversions = new Set(['to', 'in', 'as']);
const infixNames = new Set(['mod', 'of', 'to', 'as']);
const percentNames = new Set(['percent', 'pct']);
const convertPower = 1;
const productPower = 20;
const negatePower = 25;
/** A unit or a constant behind a number binds tighter than a division: `10 km / 2 h` is 5 km/h. */
const unitPower = 30;
const powerPower = 40;
const postfixPower = 50;

/**
 * Parses one expression, or `name = expression`, by operator precedence (Pratt).
 * Length and nesting are limited; every error names its column.
 */
export function parse(text: string): Statement {
  if (text.length > maxLength) {
    throw tooLarge(
      `the expression has ${text.length} characters, at most ${maxLength} are allowed; split it with names in \`expressions\``,
    );
  }
  const parser = new Parser(tokenize(text));
  return parser.statement();
}

class Parser {
  readonly #tokens: readonly Token[];
  #index = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  statement(): Statement {
    const [first, second] = this.#tokens;
    if (first?.kind === 'name' && second?.text === '=') {
      this.#index = 2;
      return { name: first.text, body: this.#whole() };
    }
    return { body: this.#whole() };
  }

  #whole(): Node {
    const node = this.#expression(0);
    const rest = this.#peek();
    if (rest.kind !== 'end') throw unexpected(rest, 'an operator or the end');
    return node;
  }

  #peek(): Token {
    // The list ends with an `end` token that is never passed.
    return this.#tokens[this.#index] ?? { kind: 'end', text: '', at: 0 };
  }

  #next(): Token {
    const token = this.#peek();
    if (token.kind !== 'end') this.#index++;
    return token;
  }

  #expression(power: number): Node {
    if (++this.#depth > maxDepth)
      throw tooLarge(`the expression is nested more than ${maxDepth} levels deep`, this.#peek().at);
    let left = this.#operand();
    for (;;) {
      const next = this.#infix(left, power);
      if (!next) break;
      left = next;
    }
    this.#depth--;
    return left;
  }

  /** One step to the right of `left`, or undefined where what follows binds less than `power`. */
  #infix(left: Node, power: number): Node | undefined {
    const token = this.#peek();
    if (token.kind === 'end') return undefined;
    if (token.text === '!' && token.kind === 'sign') return this.#postfix('factorial', left, token, power);
    if (token.text === '%') {
      if (!this.#startsOperand(this.#tokens[this.#index + 1])) return this.#postfix('percent', left, token, power);
      return this.#binary({ power: productPower, operator: 'mod' }, left, token, power);
    }
    if (token.kind === 'name') return this.#infixName(left, token, power);
    if (token.kind === 'sign') {
      if (token.text === '(') return power >= productPower ? undefined : this.#product(left, token, productPower);
      const known = operators[token.text];
      return known && this.#binary(known, left, token, power);
    }
    return undefined;
  }

  #infixName(left: Node, token: Token, power: number): Node | undefined {
    if (percentNames.has(token.text)) return this.#postfix('percent', left, token, power);
    // Behind a bare number `in` is the inch, behind a unit it asks for a conversion.
    if (conversions.has(token.text) && !(token.text === 'in' && left.kind === 'number')) {
      if (power >= convertPower) return undefined;
      this.#next();
      const unit = this.#expression(convertPower);
      return { kind: 'convert', operand: left, unit, at: token.at };
    }
    const known = Object.hasOwn(operators, token.text) ? operators[token.text] : undefined;
    if (known) return this.#binary(known, left, token, power);
    return power >= unitPower ? undefined : this.#product(left, token, unitPower);
  }

  #binary(
    known: { power: number; operator: BinaryOperator },
    left: Node,
    token: Token,
    power: number,
  ): Node | undefined {
    if (power >= known.power) return undefined;
    this.#next();
    // A power is taken from the right: 2^3^2 is 2^9.
    const right = this.#expression(known.operator === '^' ? known.power - 1 : known.power);
    return { kind: 'binary', operator: known.operator, left, right, at: token.at };
  }

  #postfix(kind: 'factorial' | 'percent', operand: Node, token: Token, power: number): Node | undefined {
    if (power >= postfixPower) return undefined;
    this.#next();
    return { kind, operand, at: token.at };
  }

  /** A product without a sign: `2 km`, `3(4 + 5)`. */
  #product(left: Node, token: Token, power: number): Node {
    return { kind: 'binary', operator: '*', left, right: this.#expression(power), at: token.at };
  }

  #startsOperand(token: Token | undefined): boolean {
    if (!token) return false;
    if (token.kind === 'name')
      return !infixNames.has(token.text) && token.text !== 'in' && !percentNames.has(token.text);
    return token.kind === 'number' || token.text === '(' || token.text === '[';
  }

  #operand(): Node {
    const token = this.#next();
    if (token.kind === 'number') return { kind: 'number', text: token.text, at: token.at };
    if (token.kind === 'name') return this.#nameOrCall(token);
    switch (token.text) {
      case '-':
        return { kind: 'negate', operand: this.#expression(negatePower), at: token.at };
      case '+':
        return this.#expression(negatePower);
      case '(': {
        const inner = this.#expression(0);
        this.#close(')', token);
        return inner.kind === 'percent' ? plainPercentage(inner) : inner;
      }
      case '[':
        return { kind: 'list', items: this.#items(']', token), at: token.at };
      default:
        throw unexpected(token, 'a number, a name or `(`');
    }
  }

  #nameOrCall(token: Token): Node {
    if (infixNames.has(token.text) && !(token.text === 'mod' && this.#peek().text === '('))
      throw unexpected(token, 'a number, a name or `(`');
    const open = this.#peek();
    if (token.text === 'sqrt' && open.text !== '(') {
      // The root sign without parentheses takes what follows up to the next operator.
      return { kind: 'call', name: 'sqrt', args: [this.#expression(powerPower)], at: token.at };
    }
    if (open.text !== '(' || open.kind !== 'sign') return { kind: 'name', name: token.text, at: token.at };
    this.#next();
    return { kind: 'call', name: token.text, args: this.#items(')', open), at: token.at };
  }

  /** Items between separators up to the closing sign. */
  #items(close: string, open: Token): readonly Node[] {
    const items: Node[] = [];
    if (this.#peek().text === close) {
      this.#next();
      return items;
    }
    for (;;) {
      items.push(this.#expression(0));
      if (this.#peek().text !== ',') break;
      this.#next();
    }
    this.#close(close, open);
    return items;
  }

  #close(close: string, open: Token): void {
    const token = this.#next();
    if (token.text === close && token.kind === 'sign') return;
    throw unexpected(token, `an operator or \`${close}\` for the \`${open.text}\` at column ${open.at + 1}`);
  }
}

/** A percentage in parentheses is a number of its own: 50 + (10%) is 50.1. */
function plainPercentage({ operand, at }: Extract<Node, { readonly operand: Node }>): Node {
  return { kind: 'binary', operator: '/', left: operand, right: { kind: 'number', text: '100', at }, at };
}

function unexpected(token: Token, expected: string): Error {
  const came = token.kind === 'end' ? 'the end' : quote(token.text);
  const hint = token.text === ',' ? '; a comma separates arguments, write thousands as 1000 or 1_000' : '';
  return expressionError(`expected ${expected}, got ${came}${hint}`, token.at);
}
