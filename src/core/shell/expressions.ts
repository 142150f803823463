import type { ArithmeticCommandExpansion, ArithmeticExpression, ArithmeticWord, TestExpression, Word } from 'unbash';

/** The words that `[[ … ]]` looks at, in their order. */
export function testedWords(expression: TestExpression): readonly Word[] {
  const words: Word[] = [];
  const left: TestExpression[] = [expression];
  for (let one = left.pop(); one; one = left.pop())
    switch (one.type) {
      case 'TestUnary':
        words.push(one.operand);
        break;
      case 'TestBinary':
        words.push(one.left, one.right);
        break;
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
