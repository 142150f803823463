import type { ArithmeticExpression, TestExpression, Word } from 'unbash';

/** A word that `[[ … ]]` looks at. */
interface TestedWord {
  readonly word: Word;
  /** True where it is taken for a number. */
  readonly isReckoned: boolean;
  /** True where it is taken for the name of a variable. */
  readonly isName?: boolean;
  /** What it is compared with by `=~`. */
  readonly expression?: Word;
}

/** The words that `[[ … ]]` looks at, in their order. */
export function testedWords(expression: TestExpression): readonly TestedWord[] {
  const words: TestedWord[] = [];
  const left: TestExpression[] = [expression];
  for (let one = left.pop(); one; one = left.pop())
    switch (one.type) {
      case 'TestUnary':
        words.push({ word: one.operand, isReckoned: one.operator === '-t', isName: /^-[vR]$/.test(one.operator) });
        break;
      case 'TestBinary': {
        const isReckoned = /^-(?:eq|ne|[lg][te])$/.test(one.operator);
        const matched = one.operator === '=~' ? { expression: one.right } : {};
        words.push({ word: one.left, isReckoned, ...matched }, { word: one.right, isReckoned });
        break;
      }
      case 'TestLogical':
        left.push(...one.operands.toReversed());
        break;
      case 'TestNot':
        left.push(one.operand);
        break;
      case 'TestGroup':
        left.push(one.expression);
    }
  return words;
}

/** An arithmetic expression as a text. */
export function expressionText(one: ArithmeticExpression): string {
  switch (one.type) {
    case 'ArithmeticBinary':
      return `${expressionText(one.left)} ${one.operator} ${expressionText(one.right)}`;
    case 'ArithmeticUnary':
      return one.prefix
        ? `${one.operator}${expressionText(one.operand)}`
        : `${expressionText(one.operand)}${one.operator}`;
    case 'ArithmeticTernary':
      return `${expressionText(one.test)}?${expressionText(one.consequent)}:${expressionText(one.alternate)}`;
    case 'ArithmeticGroup':
      return `(${expressionText(one.expression)})`;
    case 'ArithmeticWord':
      return one.value;
    case 'ArithmeticCommandExpansion':
      return one.text;
  }
}

/** The parts of a calculation: names and numbers, brackets, what compares, what assigns, and all else by itself. */
const token = /[\w$'@#]+|<<=|>>=|[<>=!]=|[-+*/%&^|]?=|\+\+|--|\S/g;

/**
 * The names of the variables that a text gives a value where a shell reckons with it, each once. `$` stands in a name
 * for a part that only a run can tell.
 */
export function assignedIn(text: string): readonly string[] {
  const names = new Set<string>();
  const places: (string | undefined)[] = [];
  // What an operator that stands next would assign to, and whether a name that stands next is assigned to.
  let target: string | undefined;
  let isStepped = false;
  let isOperand = false;
  const plain = replaced(text, () => '$');
  for (const { 0: one, index } of plain.matchAll(token)) {
    if (/^[\w$']/.test(one)) {
      const isName = !isOperand && /^[a-zA-Z_$']/.test(one);
      target = isName ? one.replaceAll("'", '$') : undefined;
      if (target !== undefined && isStepped) names.add(target);
      // What is not told may be nothing at all.
      isOperand = one !== '$';
      isStepped = false;
      continue;
    }
    if (one === '[') places.push(target);
    const isStep = one === '++' || one === '--';
    // Without anything to assign it fails before.
    const isAssignment =
      /^(?:[-+*/%&^|]|<<|>>)?=$/.test(one) && /^\s*[\w($'+\-!~]/.test(plain.slice(index + one.length));
    if ((isAssignment || isStep) && target !== undefined) names.add(target);
    isStepped = isStep && target === undefined;
    isOperand = one === ')' || one === ']';
    target = one === ']' ? places.pop() : undefined;
  }
  return [...names];
}

/** Names of variables that stand in a calculation, in which `$` stands for a part that is not told. */
export const namesIn = (text: string): readonly string[] =>
  replaced(text, () => '$').match(/\$*[a-zA-Z_][\w$]*/g) ?? [];

/** Text that runs something where a shell takes it for a number or for the name of a variable: `a[$(id)]`. */
const running = /\w\[[^]*?(?:\$[({]|`)/;

/** True for a text that runs something where a shell reckons with it. */
export const runsReckoned = (text: string): boolean => text.length < 4096 && running.test(text);

/** A text in which each expansion is replaced, and from which quotes outside of them are gone. */
function replaced(text: string, by: (expansion: string) => string): string {
  let out = '';
  let from = 0;
  const plain = (to: number): string => text.slice(from, to).replace(/"|\\\n/g, '');
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '$' && text[at] !== '`') continue;
    const end = text[at] === '$' ? expansionEnd(text, at + 1) : text.indexOf('`', at + 1);
    out += plain(at) + by(text.slice(at, end < 0 ? text.length : end + 1));
    from = end < 0 ? text.length : end + 1;
    at = from - 1;
  }
  return out + plain(text.length);
}

/** Where an expansion ends of which this is the first sign behind `$`. */
function expansionEnd(text: string, start: number): number {
  const close = { '(': ')', '{': '}', '[': ']' }[text[start] ?? ''];
  if (close === undefined)
    return start + (/^(?:[a-zA-Z_]\w*|[\d@*#?$!-])/.exec(text.slice(start, start + 200))?.[0].length ?? 0) - 1;
  let open = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === text[start]) open++;
    else if (text[at] === close && --open === 0) return at;
  }
  return text.length - 1;
}
