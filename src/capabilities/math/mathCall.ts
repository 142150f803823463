import type { Decimal } from 'decimal.js';
import { expressionError, tooLarge } from './expressionError';
import type { Num, Numbers } from './numbers';
import { Quantity, type Quantities, type Scalar } from './quantity';
import { Rational } from './rational';

export interface MathContext {
  readonly numbers: Numbers;
  readonly quantities: Quantities;
  /** True where plain angles are degrees. */
  readonly degrees: boolean;
}

/** A call of a function: its arguments, and arithmetic whose errors name the place of the call. */
export class MathCall {
  /** As written; a list is one of them. */
  readonly args: readonly (Scalar | readonly Scalar[])[];
  readonly at: number;
  readonly numbers: Numbers;
  readonly quantities: Quantities;
  readonly degrees: boolean;

  constructor(
    args: readonly (Scalar | readonly Scalar[])[],
    at: number,
    { numbers, quantities, degrees }: MathContext,
  ) {
    this.args = args;
    this.at = at;
    this.numbers = numbers;
    this.quantities = quantities;
    this.degrees = degrees;
  }

  error(message: string): Error {
    return expressionError(message, this.at);
  }

  /** A number with or without a unit. */
  scalar(index = 0, expected = 'a single value is expected here, not a list'): Scalar {
    const arg = this.args[index];
    if (arg === undefined || Array.isArray(arg)) throw this.error(expected);
    // `isArray` does not narrow readonly arrays.
    return arg as Scalar;
  }

  plain(index = 0): Num {
    return this.#unitless(this.scalar(index));
  }

  integer(index = 0): bigint {
    return this.#wholeNumber(this.plain(index));
  }

  /** All values as whole numbers. */
  integers(): readonly bigint[] {
    return this.values().map((value) => this.#wholeNumber(this.#unitless(value)));
  }

  smallInteger(index: number, min: number, max: number): number {
    const value = this.integer(index);
    if (value < BigInt(min) || value > BigInt(max))
      throw tooLarge(`a whole number from ${min} to ${max} is expected here`, this.at);
    return Number(value);
  }

  /** All values, those in lists too; at least one. */
  values(): readonly Scalar[] {
    const all = this.args.flatMap((arg): readonly Scalar[] => (Array.isArray(arg) ? arg : [arg as Scalar]));
    if (all.length === 0) throw this.error('at least one value is expected');
    return all;
  }

  #unitless(value: Scalar): Num {
    if (value instanceof Quantity) throw this.error('a plain number is expected here, without a unit');
    return value;
  }

  #wholeNumber(value: Num): bigint {
    if (value instanceof Rational && value.d === 1n) return value.n;
    throw this.error('a whole number is expected here');
  }

  add(a: Scalar, b: Scalar): Scalar {
    return this.quantities.add(a, b, this.at);
  }

  subtract(a: Scalar, b: Scalar): Scalar {
    return this.quantities.add(a, b, this.at, -1);
  }

  multiply(a: Scalar, b: Scalar): Scalar {
    return this.quantities.multiply(a, b, this.at);
  }

  divide(a: Scalar, b: Scalar): Scalar {
    return this.quantities.divide(a, b, this.at);
  }

  power(a: Scalar, b: Scalar): Scalar {
    return this.quantities.power(a, b, this.at);
  }

  compare(a: Scalar, b: Scalar): number {
    return this.quantities.compare(a, b, this.at);
  }

  /** A function of plain numbers that has no exact value; NaN becomes an error that says `refusal`. */
  approximate(x: Num, doubles: (x: number) => number, decimals: (x: Decimal) => Decimal, refusal = ''): Num {
    return this.numbers.apply(x, this.at, doubles, decimals, refusal);
  }

  /** Counts work in nanoseconds, estimated high. */
  charge(nanoseconds: number): void {
    this.numbers.charge(nanoseconds, this.at);
  }
}

export interface MathFunction {
  /** How many arguments it takes; a list counts as one. */
  readonly min: number;
  readonly max: number;
  apply(call: MathCall): Scalar;
}

export const taking = (min: number, max: number, apply: MathFunction['apply']): MathFunction => ({ min, max, apply });
export const takingOne = (apply: MathFunction['apply']): MathFunction => taking(1, 1, apply);
export const takingTwo = (apply: MathFunction['apply']): MathFunction => taking(2, 2, apply);
export const takingMany = (apply: MathFunction['apply']): MathFunction => taking(1, 1000, apply);
