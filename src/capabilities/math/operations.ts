import { Decimal } from 'decimal.js';
import { toolError, type ToolError } from '../../core/vocabulary/errors';
import { noAccesses, type ToolHandler } from '../../core/capability/tool';

interface OperationInput {
  readonly a: number;
  readonly b: number;
}

/** Says what was divided; `column` stands where the divisor begins in an expression. */
export function divisionByZero(what: string, column?: number): ToolError {
  const place = column === undefined ? '' : ` at column ${column}`;
  return toolError('division_by_zero', `${what} cannot be divided by zero${place}; give a divisor other than 0`, {
    ...(column === undefined ? {} : { details: { column } }),
  });
}

/**
 * 800 digits hold the exact sum and product of any two doubles, whose decimal forms have at most 17 digits and
 * exponents within ±324. A quotient of two such numbers that does not end cannot look like one that ends within 17
 * digits.
 */
const Wide = Decimal.clone({ precision: 800 });

/**
 * Makes an operation that answers with the double nearest to the result in decimal arithmetic, so that 0.1 + 0.2 is
 * 0.3. `exact` tells whether that double's decimal form is the result itself.
 */
function operation(compute: (a: Decimal, b: Decimal) => Decimal): ToolHandler<OperationInput> {
  return {
    accesses: noAccesses,
    async run({ a, b }) {
      const result = compute(new Wide(a), new Wide(b));
      const value = result.toNumber();
      if (!Number.isFinite(value)) throw beyondDouble(result);
      // JSON writes a negative zero as 0; programs get the same.
      return { payload: { result: value === 0 ? 0 : value, exact: result.equals(value) } };
    },
  };
}

const beyondDouble = (result: Decimal): ToolError =>
  toolError(
    'too_large',
    `the result is ${result.toPrecision(6)}, beyond the largest number 1.8e308; use calculate, which has no such limit`,
  );

export const add = operation((a, b) => a.plus(b));
export const subtract = operation((a, b) => a.minus(b));
export const multiply = operation((a, b) => a.times(b));
export const divide = operation((a, b) => {
  if (b.isZero()) throw divisionByZero(`\`${a.toString()}\``);
  return a.dividedBy(b);
});
