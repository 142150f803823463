/**
 * A fraction of whole numbers, written apart from the product's own arithmetic so that it can check it. Not reduced.
 */
export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

export const fractionOf = (top: bigint, bottom = 1n): Fraction =>
  bottom < 0n ? { top: -top, bottom: -bottom } : { top, bottom };

export const plus = (a: Fraction, b: Fraction): Fraction =>
  fractionOf(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
export const minus = (a: Fraction, b: Fraction): Fraction =>
  fractionOf(a.top * b.bottom - b.top * a.bottom, a.bottom * b.bottom);
export const times = (a: Fraction, b: Fraction): Fraction => fractionOf(a.top * b.top, a.bottom * b.bottom);
export const over = (a: Fraction, b: Fraction): Fraction => fractionOf(a.top * b.bottom, a.bottom * b.top);
export const isNothing = (a: Fraction): boolean => a.top === 0n;

export function raised(a: Fraction, times_: number): Fraction {
  const positive = fractionOf(a.top ** BigInt(Math.abs(times_)), a.bottom ** BigInt(Math.abs(times_)));
  return times_ < 0 ? fractionOf(positive.bottom, positive.top) : positive;
}

/** Rounds down to a whole number. */
export function floorOf(a: Fraction): bigint {
  const quotient = a.top / a.bottom;
  return a.top % a.bottom !== 0n && a.top < 0n ? quotient - 1n : quotient;
}

export const equal = (a: Fraction, b: Fraction): boolean => a.top * b.bottom === b.top * a.bottom;

/** Reads `-12.5e3` and `-2/7`. */
export function fractionFromText(text: string): Fraction {
  const [top = '', bottom] = text.split('/');
  if (bottom !== undefined) return over(fractionFromText(top), fractionFromText(bottom));
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(top);
  if (!match) throw new Error(`no number: ${text}`);
  const [, sign, whole = '', part = '', exponent = '0'] = match;
  const digits = BigInt(whole + part) * (sign === '-' ? -1n : 1n);
  const places = Number(exponent) - part.length;
  return places >= 0 ? fractionOf(digits * 10n ** BigInt(places)) : fractionOf(digits, 10n ** BigInt(-places));
}

/** True where the two differ by at most one part in `parts`. */
export function near(a: Fraction, b: Fraction, parts: bigint): boolean {
  const difference = minus(a, b);
  const size = difference.top < 0n ? -difference.top : difference.top;
  const whole = b.top < 0n ? -b.top : b.top;
  return size * b.bottom * parts <= whole * difference.bottom;
}
