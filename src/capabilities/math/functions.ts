import type { Decimal } from 'decimal.js';
import { expressionError } from './expressionError';
import {
  type MathCall,
  type MathContext,
  type MathFunction,
  taking,
  takingMany,
  takingOne,
  takingTwo,
} from './mathCall';
import type { Num } from './numbers';
import { divisionByZero } from './operations';
import { Quantity, type Scalar } from './quantity';
import { floorRational, half, one, Rational, roundRational, whole, zero } from './rational';
import { statistics } from './statistics';
import { trigonometry } from './trigonometry';
import { wholeNumbers } from './wholeNumbers';

/**
 * Applies a function of exact numbers to what is shown before the unit, and approximates where the number is not exact.
 */
function rounding(change: (value: Rational) => bigint): MathFunction {
  return taking(1, 2, (call) => {
    const { numbers, quantities, at } = call;
    const places = call.args.length > 1 ? call.smallInteger(1, -300, 300) : 0;
    const value = call.scalar();
    const number = value instanceof Quantity ? quantities.shown(value, at) : value;
    const scale = numbers.power(whole(10), whole(places), at);
    const scaled = numbers.multiply(numbers.exactly(number, at), scale, at);
    const rounded = numbers.divide(whole(change(numbers.exactly(scaled, at))), scale, at);
    return value instanceof Quantity ? quantities.withShown(value, rounded, at) : rounded;
  });
}

/** A logarithm, exact where the argument is a whole power of the base. */
function logarithm(base: bigint | undefined, doubles: (x: number) => number, decimals: (x: Decimal) => Decimal) {
  return takingOne((call) => {
    const value = call.plain();
    if (call.numbers.sign(value) <= 0) throw call.error('a logarithm is taken of a positive number');
    if (value instanceof Rational) {
      if (value.n === value.d) return zero;
      const exact = base === undefined ? undefined : exactLogarithm(value, base);
      if (exact !== undefined) return whole(exact);
    }
    return call.approximate(value, doubles, decimals);
  });
}

function exactLogarithm(value: Rational, base: bigint): number | undefined {
  if (base < 2n || base > 10n ** 15n || (value.n !== 1n && value.d !== 1n)) return undefined;
  const [sign, size] = value.d === 1n ? [1, value.n] : [-1, value.d];
  const bits = size.toString(2).length;
  const bitsOfBase = Math.log2(Number(base));
  // A power has between k and k + 1 times the base's bits; two candidates cover the rounding of the logarithm.
  const candidates = [Math.floor(bits / bitsOfBase), Math.ceil((bits - 1) / bitsOfBase)];
  const power = candidates.find((one) => base ** BigInt(one) === size);
  return power === undefined ? undefined : sign * power;
}

function logarithmTo(call: MathCall): Num {
  const [value, base] = [call.plain(0), call.plain(1)];
  const { numbers, at } = call;
  if (numbers.sign(value) <= 0 || numbers.sign(base) <= 0) throw call.error('a logarithm takes positive numbers');
  if (value instanceof Rational && base instanceof Rational && base.d === 1n) {
    if (base.n === 1n) throw divisionByZero('a logarithm to base 1', at + 1);
    const exact = value.n === value.d ? 0 : exactLogarithm(value, base.n);
    if (exact !== undefined) return whole(exact);
  }
  const ln = (x: Num): Num => call.approximate(x, Math.log, (y) => y.ln());
  return numbers.divide(ln(value), ln(base), at);
}

const naturalLogarithm = logarithm(undefined, Math.log, (x) => x.ln());

/** Never zero: what a double makes zero is computed with more range. */
const exponential = (x: number): number => Math.max(Math.exp(x), Number.MIN_VALUE);

function nthRoot(call: MathCall, k: number): Num {
  const { numbers } = call;
  const value = call.plain();
  const negative = numbers.sign(value) < 0;
  if (negative && k % 2 === 0) throw call.error('an even root of a negative number is not real');
  const result = numbers.power(negative ? numbers.negate(value) : value, new Rational(1n, BigInt(k)), call.at);
  return negative ? numbers.negate(result) : result;
}

/** The remainder with the sign of the divisor, as in Python: -7 mod 3 is 2. */
function modulo(call: MathCall): Scalar {
  const [a, b] = [call.scalar(0), call.scalar(1)];
  const times = call.divide(a, b);
  if (times instanceof Quantity) throw call.error('a remainder needs two values of one kind');
  return call.subtract(a, call.multiply(b, whole(floorRational(call.numbers.exactly(times, call.at)))));
}

/** The quotient without its fraction, rounded down. */
export function floorDivide(a: Scalar, b: Scalar, at: number, { numbers, quantities }: MathContext): Scalar {
  const times = quantities.divide(a, b, at);
  if (times instanceof Quantity) throw expressionError('a whole quotient needs two values of one kind', at);
  return whole(floorRational(numbers.exactly(times, at)));
}

const percentage = (call: MathCall, part: Scalar): Scalar => call.multiply(part, whole(100));

/** The functions that an expression can call, by name; made per call, so nothing is kept. */
export const mathFunctions: ReadonlyMap<string, MathFunction> = new Map<string, MathFunction>(
  Object.entries({
    sqrt: takingOne((call) => {
      const value = call.scalar();
      if (!(value instanceof Quantity) && call.numbers.sign(value) < 0)
        throw call.error('the square root of a negative number is not real');
      return call.power(value, half);
    }),
    cbrt: takingOne((call) => nthRoot(call, 3)),
    root: takingTwo((call) => nthRoot(call, call.smallInteger(1, 1, 1000))),
    ...trigonometry(),
    abs: takingOne((call) => {
      const value = call.scalar();
      const number = value instanceof Quantity ? value.num : value;
      return call.numbers.sign(number) < 0 ? call.quantities.negate(value) : value;
    }),
    sign: takingOne((call) => whole(call.numbers.sign(call.plain()))),
    pow: takingTwo((call) => call.power(call.scalar(0), call.scalar(1))),
    mod: takingTwo(modulo),
    hypot: takingMany((call) => {
      const squares = call.values().map((value) => call.multiply(value, value));
      return call.power(
        squares.reduce((a, b) => call.add(a, b)),
        half,
      );
    }),
    exp: takingOne((call) => {
      const value = call.plain();
      return value instanceof Rational && value.n === 0n ? one : call.approximate(value, exponential, (x) => x.exp());
    }),
    ln: naturalLogarithm,
    log: taking(1, 2, (call) => (call.args.length === 1 ? naturalLogarithm.apply(call) : logarithmTo(call))),
    log10: logarithm(10n, Math.log10, (x) => x.log()),
    log2: logarithm(2n, Math.log2, (x) => x.log(2)),
    floor: rounding(floorRational),
    ceil: rounding((value) => -floorRational(new Rational(-value.n, value.d))),
    trunc: rounding((value) => value.n / value.d),
    round: rounding(roundRational),
    ...wholeNumbers,
    ...statistics,
    percentof: takingTwo((call) => percentage(call, call.divide(call.scalar(0), call.scalar(1)))),
    percentchange: takingTwo((call) => {
      const difference = call.subtract(call.scalar(1), call.scalar(0));
      return percentage(call, call.divide(difference, call.scalar(0)));
    }),
  }),
);

/** Other names under which people know a function. */
export const functionAliases: Readonly<Record<string, string>> = {
  avg: 'mean',
  average: 'mean',
  choose: 'combinations',
  ncr: 'combinations',
  nCr: 'combinations',
  npr: 'permutations',
  nPr: 'permutations',
  std: 'stdev',
  stddev: 'stdev',
  var: 'variance',
  xor: 'bitxor',
  fix: 'trunc',
  ceiling: 'ceil',
  fact: 'factorial',
};
