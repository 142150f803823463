import type { ArithmeticCommandExpansion, ArithmeticExpression, ArithmeticWord, TestExpression, Word } from 'unbash';

/** The words that `[[ … ]]` looks at, in their order, and whether it takes them for numbers or for names. */
export function testedWords(
  expression: TestExpression,
): readonly { readonly word: Word; readonly isReckoned: boolean }[] {
  const words: { readonly word: Word; readonly isReckoned: boolean }[] = [];
  const left: TestExpression[] = [expression];
  for (let one = left.pop(); one; one = left.pop())
    switch (one.type) {
      case 'TestUnary':
        words.push({ word: one.operand, isReckoned: /^-[vR]$/.test(one.operator) });
        break;
      case 'TestBinary': {
        const isReckoned = /^-(?:eq|ne|[lg][te])$/.test(one.operator);
        words.push({ word: one.left, isReckoned }, { word: one.right, isReckoned });
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

/** The names of the variables that an arithmetic expression gives a value. */
export function reckonedNames(expression: ArithmeticExpression): readonly string[] {
  return withinOf(expression).flatMap((one) => {
    const target = targetOf(one);
    const name = target?.type === 'ArithmeticWord' ? /^[a-zA-Z_]\w*/.exec(target.value.trim())?.[0] : undefined;
    return name ?? [];
  });
}

/** What a part of an arithmetic expression assigns to. */
function targetOf(one: ArithmeticExpression): ArithmeticExpression | undefined {
  if (one.type === 'ArithmeticBinary' && /^(?:[-+*/%&|^]|<<|>>)?=$/.test(one.operator)) return one.left;
  return one.type === 'ArithmeticUnary' && /^(?:\+\+|--)$/.test(one.operator) ? one.operand : undefined;
}

/** The words and commands whose values an arithmetic expression reckons with, in their order. */
export const reckonedParts = (
  expression: ArithmeticExpression,
): readonly (ArithmeticWord | ArithmeticCommandExpansion)[] =>
  withinOf(expression).filter((one) => one.type === 'ArithmeticWord' || one.type === 'ArithmeticCommandExpansion');

/** An arithmetic expression and all within it, each before what it holds, in their order. */
function withinOf(expression: ArithmeticExpression): readonly ArithmeticExpression[] {
  const all: ArithmeticExpression[] = [];
  const left: ArithmeticExpression[] = [expression];
  for (let one = left.pop(); one; one = left.pop()) {
    all.push(one);
    switch (one.type) {
      case 'ArithmeticBinary':
        left.push(one.right, one.left);
        break;
      case 'ArithmeticUnary':
        left.push(one.operand);
        break;
      case 'ArithmeticTernary':
        left.push(one.alternate, one.consequent, one.test);
        break;
      case 'ArithmeticGroup':
        left.push(one.expression);
    }
  }
  return all;
}
