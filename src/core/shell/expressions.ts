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
  const names: string[] = [];
  const left: ArithmeticExpression[] = [expression];
  const assigned = (target: ArithmeticExpression): void => {
    const name = target.type === 'ArithmeticWord' ? /^[a-zA-Z_]\w*/.exec(target.value.trim())?.[0] : undefined;
    if (name !== undefined) names.push(name);
  };
  for (let one = left.pop(); one; one = left.pop())
    switch (one.type) {
      case 'ArithmeticBinary':
        if (/^(?:[-+*/%&|^]|<<|>>)?=$/.test(one.operator)) assigned(one.left);
        left.push(one.right, one.left);
        break;
      case 'ArithmeticUnary':
        if (/^(?:\+\+|--)$/.test(one.operator)) assigned(one.operand);
        left.push(one.operand);
        break;
      case 'ArithmeticTernary':
        left.push(one.alternate, one.consequent, one.test);
        break;
      case 'ArithmeticGroup':
        left.push(one.expression);
    }
  return names;
}

/** The words and commands whose values an arithmetic expression reckons with, in their order. */
export function reckonedParts(
  expression: ArithmeticExpression,
): readonly (ArithmeticWord | ArithmeticCommandExpansion)[] {
  const parts: (ArithmeticWord | ArithmeticCommandExpansion)[] = [];
  const left: ArithmeticExpression[] = [expression];
  for (let one = left.pop(); one; one = left.pop())
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
        break;
      default:
        parts.push(one);
    }
  return parts;
}
