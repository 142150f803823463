import { Decimal } from 'decimal.js';
import { divisionByZero } from './operations';
import { expressionError, tooLarge } from './expressionError';
import {
  absolute,
  bitLength,
  compareRational,
  fraction,
  integerRoot,
  isSmall,
  one,
  parseDecimal,
  Rational,
  zero,
} from './rational';

/**
 * A number: exact, or approximate as a double, or approximate with the digits that were asked for (or where a double's
 * range ends).
 */
export type Num = Rational | number | Decimal;

export interface NumberOptions {
  /** Exact mode refuses every result that has no exact value. */
  readonly exactOnly: boolean;
  /** The digits of approximate results; doubles and 15 digits where nothing is said. */
  readonly precision: number | undefined;
}

/** Whole numbers of more digits are approximated, or refused in exact mode. */
const maxBits = 66_000;
/**
 * Fractions of more bits are approximated, or refused in exact mode: to reduce them costs the square of their length.
 */
const maxFractionBits = 6_600;
/**
 * The work that one call may take, in units of about a nanosecond; far below 100 ms, because a busy machine is several
 * times slower.
 */
const maxWork = 12_000_000;

const doubleEpsilon = 2 ** -51;

/**
 * Computes with numbers that stay exact for as long as they can: fractions of whole numbers until an irrational
 * function or the size limit makes them approximate. All work is counted, so that no expression runs longer than a call
 * may.
 */
export class Numbers {
  readonly #exactOnly: boolean;
  readonly #doubles: boolean;
  readonly #digits: number;
  #work = 0;
  #decimal: typeof Decimal | undefined;

  constructor({ exactOnly, precision }: NumberOptions) {
    this.#exactOnly = exactOnly;
    this.#doubles = precision === undefined;
    this.#digits = (precision ?? 15) + 10;
  }

  /** Counts work in nanoseconds, estimated high; throws `too_large` where a call has had enough. */
  charge(nanoseconds: number, at: number): void {
    this.#work += nanoseconds;
    if (this.#work > maxWork)
      throw tooLarge('this takes more work than one call may; compute with smaller numbers or fewer steps', at);
  }

  literal(text: string, at: number): Num {
    if (/^0[xXbBoO]/.test(text)) return this.#radixLiteral(text, at);
    const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
    if (/__|_$|_\.|\._/.test(mantissa))
      throw expressionError(`${mantissa} is no number; put \`_\` between digits only`, at);
    const places = Number(exponent);
    if (Math.abs(places) > 15_000) {
      if (this.#exactOnly || exponent.length > 12)
        throw tooLarge(`the exponent ${exponent} is beyond what can be computed`, at);
      return new this.decimal(text.replaceAll('_', ''));
    }
    this.charge(100 + Math.abs(places) * 20, at);
    return parseDecimal(text);
  }

  #radixLiteral(text: string, at: number): Num {
    const digits = text.slice(2).replaceAll('_', '');
    const allowed = { x: /^[0-9a-f]+$/i, b: /^[01]+$/, o: /^[0-7]+$/ }[text.charAt(1).toLowerCase()];
    if (!allowed?.test(digits))
      throw expressionError(`\`${text.slice(0, 30)}\` is no number in the base that its prefix names`, at);
    return new Rational(BigInt(`0${text.charAt(1).toLowerCase()}${digits}`), 1n);
  }

  /** The Decimal class with this call's digits, made on first use. */
  get decimal(): typeof Decimal {
    this.#decimal ??= Decimal.clone({ precision: this.#digits, maxE: 9e15, minE: -9e15, toExpPos: 21, toExpNeg: -7 });
    return this.#decimal;
  }

  toDecimal(value: Num, at = 0): Decimal {
    if (!(value instanceof Rational)) return new this.decimal(value);
    const { n, d } = value;
    const bits = bitLength(n) + bitLength(d);
    this.charge(2000 + bits * 30 + (bits * bits) / 200, at);
    return new this.decimal(shortened(n)).div(new this.decimal(shortened(d)));
  }

  /** As a double; undefined where it is out of a double's range. */
  toDouble(value: Num): number | undefined {
    if (typeof value === 'number') return value;
    let double: number;
    if (value instanceof Rational) {
      if (value.n === 0n) return 0;
      double = isSmall(value.n) && isSmall(value.d) ? Number(value.n) / Number(value.d) : quotient(value.n, value.d);
    } else double = value.toNumber();
    return Number.isFinite(double) && Math.abs(double) > 1e-290 ? double : undefined;
  }

  /** A number as the fraction that its digits say. */
  exactly(value: Num, at: number): Rational {
    if (value instanceof Rational) return value;
    const negative = this.sign(value) < 0;
    const size = negative ? this.negate(value) : value;
    const literal = this.literal(typeof size === 'number' ? size.toPrecision(15) : size.toString(), at);
    if (!(literal instanceof Rational)) throw tooLarge('the number is too large to be rounded', at);
    return negative ? new Rational(-literal.n, literal.d) : literal;
  }

  add(a: Num, b: Num, at: number): Num {
    if (a instanceof Rational && b instanceof Rational) {
      if (a.d === 1n && b.d === 1n) return this.#whole(a.n + b.n, at);
      if (this.#fits(a, b, at)) return this.#fraction(a.n * b.d + b.n * a.d, a.d * b.d, at);
    }
    return this.#approximate(a, b, at, plus);
  }

  subtract(a: Num, b: Num, at: number): Num {
    return this.add(a, this.negate(b), at);
  }

  multiply(a: Num, b: Num, at: number): Num {
    if (a instanceof Rational && b instanceof Rational) {
      if (a.n === 0n || b.n === 0n) return zero;
      if (a.d === 1n && b.d === 1n) {
        if (isSmall(a.n) && isSmall(b.n)) return new Rational(a.n * b.n, 1n);
        if (this.#fitsProduct(a.n, b.n, at)) return new Rational(a.n * b.n, 1n);
      } else if (this.#fits(a, b, at)) return this.#fraction(a.n * b.n, a.d * b.d, at);
    }
    return this.#approximate(a, b, at, times);
  }

  divide(a: Num, b: Num, at: number): Num {
    if (this.isZero(b)) throw divisionByZero('a number', at + 1);
    if (a instanceof Rational && b instanceof Rational && this.#fits(a, b, at))
      return this.#fraction(a.n * b.d, a.d * b.n, at);
    return this.#approximate(a, b, at, over);
  }

  negate(a: Num): Num {
    if (a instanceof Rational) return new Rational(-a.n, a.d);
    return typeof a === 'number' ? -a : a.neg();
  }

  isZero(a: Num): boolean {
    return a instanceof Rational ? a.n === 0n : typeof a === 'number' ? a === 0 : a.isZero();
  }

  sign(a: Num): number {
    if (a instanceof Rational) return a.n < 0n ? -1 : a.n > 0n ? 1 : 0;
    return typeof a === 'number' ? Math.sign(a) : a.isZero() ? 0 : a.isNegative() ? -1 : 1;
  }

  compare(a: Num, b: Num, at: number): number {
    if (a instanceof Rational && b instanceof Rational) {
      this.charge(100 + (bitLength(a.n) + bitLength(b.n)) / 2, at);
      return compareRational(a, b);
    }
    return this.sign(this.#approximate(a, b, at, minus));
  }

  power(base: Num, exponent: Num, at: number): Num {
    if (exponent instanceof Rational && base instanceof Rational) {
      const exact = this.#exactPower(base, exponent, at);
      if (exact) return exact;
    }
    if (this.sign(base) < 0 && !(exponent instanceof Rational && exponent.d === 1n)) {
      throw expressionError('a negative number has no real power with this exponent', at);
    }
    return this.#approximate(base, exponent, at, toThe);
  }

  #exactPower(base: Rational, exponent: Rational, at: number): Num | undefined {
    if (exponent.n === 0n) return one;
    if (base.n === 0n) {
      if (exponent.n < 0n) throw divisionByZero('a number', at + 1);
      return zero;
    }
    if (absolute(base.n) === 1n && base.d === 1n && exponent.d === 1n) return exponent.n % 2n === 0n ? one : base;
    if (exponent.d !== 1n) return this.#exactRootPower(base, exponent, at);
    const times = Number(absolute(exponent.n));
    const bits = Math.max(exactBits(base.n), exactBits(base.d)) * times;
    const limit = base.d === 1n ? maxBits : maxFractionBits * 4;
    if (bits > limit + 64) {
      if (this.#exactOnly) throw tooLarge('the power has more than 20,000 digits', at);
      return undefined;
    }
    this.charge(200 + (bits * bits) / 500, at);
    const n = base.n ** BigInt(times);
    const d = base.d ** BigInt(times);
    return exponent.n > 0n ? new Rational(n, d) : n < 0n ? new Rational(-d, -n) : new Rational(d, n);
  }

  #exactRootPower(base: Rational, exponent: Rational, at: number): Num | undefined {
    if (exponent.d > 64n || base.n < 0n) return undefined;
    const root = this.exactRoot(base, Number(exponent.d), at);
    return root && this.power(root, new Rational(exponent.n, 1n), at);
  }

  /** The k-th root of a fraction that is not negative where it is a fraction itself. */
  exactRoot({ n, d }: Rational, k: number, at: number): Rational | undefined {
    const bits = bitLength(n) + bitLength(d);
    if (bits > maxFractionBits) return undefined;
    this.charge(1000 + (bits * bits) / 20, at);
    const top = integerRoot(n, k);
    if (top ** BigInt(k) !== n) return undefined;
    const bottom = integerRoot(d, k);
    return bottom ** BigInt(k) === d ? new Rational(top, bottom) : undefined;
  }

  /**
   * Applies a function that has no exact value, in doubles where they suffice; NaN becomes an error that says
   * `refusal`.
   */
  apply(x: Num, at: number, doubles: (x: number) => number, decimals: (x: Decimal) => Decimal, refusal: string): Num {
    return this.#approximate(x, 0, at, { doubles, decimals, canVanish: true }, refusal);
  }

  #approximate(
    a: Num,
    b: Num,
    at: number,
    { doubles, decimals, canVanish = false }: Approximation,
    refusal = 'this has no real value',
  ): Num {
    if (this.#exactOnly) throw expressionError('this has no exact value; leave out `mode` to get a decimal one', at);
    this.charge(200, at);
    if (this.#doubles) {
      const x = this.toDouble(a);
      const y = this.toDouble(b);
      if (x !== undefined && y !== undefined) {
        const result = doubles(x, y);
        if (Number.isNaN(result)) throw expressionError(refusal, at);
        // A zero that no summand or factor explains is what a double makes of a number below its range.
        if (result === 0 ? canVanish || x === 0 : Number.isFinite(result) && Math.abs(result) > 1e-290) return result;
      }
    }
    this.charge(60_000 + this.#digits ** 3 * 4, at);
    const result = decimals(this.toDecimal(a, at), this.toDecimal(b, at));
    if (result.isNaN()) throw expressionError(refusal, at);
    if (!result.isFinite()) throw tooLarge('the result is too large to compute', at);
    return result;
  }

  #whole(value: bigint, at: number): Num {
    if (isSmall(value)) return new Rational(value, 1n);
    this.charge(bitLength(value) / 4, at);
    return new Rational(value, 1n);
  }

  #fraction(n: bigint, d: bigint, at: number): Num {
    if (!isSmall(n) || !isSmall(d)) {
      const bits = Math.max(bitLength(n), bitLength(d));
      this.charge(bits * 60 + (bits * bits) / 40, at);
    }
    return fraction(n, d);
  }

  /** Whether a sum or product of fractions stays within the limit; throws in exact mode where it does not. */
  #fits(a: Rational, b: Rational, at: number): boolean {
    if (isSmall(a.n) && isSmall(a.d) && isSmall(b.n) && isSmall(b.d)) return true;
    const bits = Math.max(bitLength(a.n), bitLength(a.d)) + Math.max(bitLength(b.n), bitLength(b.d));
    if (bits <= maxFractionBits) return true;
    if (this.#exactOnly) throw tooLarge('the fraction has more than 2,000 digits', at);
    return false;
  }

  #fitsProduct(a: bigint, b: bigint, at: number): boolean {
    const bits = bitLength(a) + bitLength(b);
    this.charge(100 + (bits * bits) / 2000, at);
    if (bits <= maxBits + 64) return true;
    if (this.#exactOnly) throw tooLarge('the number has more than 20,000 digits', at);
    return false;
  }
}

/** An operation in doubles, and with more digits or beyond their range. */
interface Approximation {
  readonly doubles: (x: number, y: number) => number;
  readonly decimals: (x: Decimal, y: Decimal) => Decimal;
  /** True where what is not zero can give zero exactly. */
  readonly canVanish?: boolean;
}

const plus: Approximation = { doubles: addDoubles, decimals: (x, y) => x.plus(y), canVanish: true };
const minus: Approximation = { doubles: (x, y) => x - y, decimals: (x, y) => x.minus(y), canVanish: true };
const times: Approximation = { doubles: (x, y) => x * y, decimals: (x, y) => x.times(y) };
const over: Approximation = { doubles: (x, y) => x / y, decimals: (x, y) => x.div(y) };
const toThe: Approximation = { doubles: Math.pow, decimals: (x, y) => x.pow(y) };

/** Adds doubles and takes for zero what lies below the rounding of the summands: sqrt(2)^2 - 2 is 0. */
function addDoubles(x: number, y: number): number {
  const sum = x + y;
  return Math.abs(sum) <= (doubleEpsilon * Math.max(Math.abs(x), Math.abs(y))) / 2 ? 0 : sum;
}

/** The logarithm to base 2 of a whole number, for estimates. */
function exactBits(value: bigint): number {
  const size = absolute(value);
  if (size <= 1n) return 0;
  return isSmall(size) ? Math.log2(Number(size)) : bitLength(size);
}

/** Divides large whole numbers to the nearest double, or close to it. */
function quotient(n: bigint, d: bigint): number {
  // Lengths are estimates, 52 bits too high for the smallest numbers; what is left holds a double all the same.
  const shift = bitLength(d) - bitLength(n) + 128;
  const scaled = shift >= 0 ? (n << BigInt(shift)) / d : n / (d << BigInt(-shift));
  // In two steps, because 2 to the power of the whole shift may be out of range where the quotient is not.
  const half = Math.trunc(shift / 2);
  return Number(scaled) * 2 ** -half * 2 ** (half - shift);
}

/** Writes the first digits of a whole number with an exponent, which is all that a Decimal keeps. */
function shortened(value: bigint): string {
  const text = value.toString();
  const keep = 160;
  return text.length <= keep ? text : `${text.slice(0, keep)}e${text.length - keep}`;
}
