/** An exact number: a fraction in lowest terms with a positive denominator. */
export class Rational {
  readonly n: bigint;
  readonly d: bigint;

  constructor(n: bigint, d: bigint) {
    this.n = n;
    this.d = d;
  }
}

export const zero = new Rational(0n, 1n);
export const one = new Rational(1n, 1n);
export const half = new Rational(1n, 2n);
export const whole = (value: number | bigint): Rational => new Rational(BigInt(value), 1n);

const smallLimit = 1n << 53n;

export const isSmall = (value: bigint): boolean => value < smallLimit && value > -smallLimit;

/** The number of bits of a whole number, exact to four. */
export function bitLength(value: bigint): number {
  if (isSmall(value)) return 53;
  return value.toString(16).length * 4;
}

export const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** The greatest common divisor, never negative; by machine numbers as soon as both fit. */
export function gcd(a: bigint, b: bigint): bigint {
  let x = absolute(a);
  let y = absolute(b);
  while (y !== 0n) {
    if (isSmall(x) && isSmall(y)) {
      let p = Number(x);
      let q = Number(y);
      while (q !== 0) [p, q] = [q, p % q];
      return BigInt(p);
    }
    [x, y] = [y, x % y];
  }
  return x;
}

/** Reduces a fraction to lowest terms; the denominator must not be zero. */
export function fraction(n: bigint, d: bigint): Rational {
  if (d === 1n) return new Rational(n, d);
  const common = gcd(n, d);
  const sign = d < 0n ? -1n : 1n;
  return common === 1n && sign === 1n ? new Rational(n, d) : new Rational((n / common) * sign, (d / common) * sign);
}

export function compareRational(a: Rational, b: Rational): number {
  const difference = a.d === b.d ? a.n - b.n : a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The largest whole number that is not above the value. */
export function floorRational({ n, d }: Rational): bigint {
  if (d === 1n) return n;
  const quotient = n / d;
  return n < 0n ? quotient - 1n : quotient;
}

/** The nearest whole number, halves away from zero. */
export function roundRational({ n, d }: Rational): bigint {
  if (d === 1n) return n;
  const rounded = (absolute(n) * 2n + d) / (d * 2n);
  return n < 0n ? -rounded : rounded;
}

/** The whole k-th root of a whole number that is not negative, rounded down (Newton's method). */
export function integerRoot(value: bigint, k: number): bigint {
  if (value < 2n || k === 1) return value;
  const power = BigInt(k);
  let guess = 1n << BigInt(Math.ceil(value.toString(2).length / k));
  for (;;) {
    const next = ((power - 1n) * guess + value / guess ** (power - 1n)) / power;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** Reads a decimal literal such as `1_000.5e-3` exactly; the caller has bounded its exponent. */
export function parseDecimal(text: string): Rational {
  const match = /^([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/.exec(text.replaceAll('_', ''));
  const whole = match?.[1] ?? '';
  const part = match?.[2] ?? '';
  const exponent = Number(match?.[3] ?? 0) - part.length;
  const digits = BigInt(`0${whole}${part}`);
  return exponent >= 0
    ? new Rational(digits * 10n ** BigInt(exponent), 1n)
    : fraction(digits, 10n ** BigInt(-exponent));
}
