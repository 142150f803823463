import { Decimal } from 'decimal.js';
import { tooLarge } from './expressionError';
import type { Num, NumberOptions } from './numbers';
import { absolute, isSmall, Rational } from './rational';

interface FormatOptions extends NumberOptions {
  readonly base: number;
}

interface Formatted {
  readonly text: string;
  /** True where the text is the value itself, without rounding. */
  readonly exact: boolean;
  /** A decimal form beside a fraction, in exact mode. */
  readonly decimal?: string;
}

/** Exact values of at most so many digits are written whole where no precision is asked for. */
const wholeDigits = 200;
/** In exact mode all digits are written, up to what a result may hold. */
const exactDigits = 5000;
const defaultPrecision = 15;
const prefixes: Readonly<Record<number, string>> = { 2: '0b', 8: '0o', 16: '0x' };

/** Writes a number and says whether that is the number itself. */
export function formatNumber(value: Num, { exactOnly, precision, base }: FormatOptions): Formatted {
  if (base !== 10) return inBase(value, base);
  if (!(value instanceof Rational)) return { text: approximate(value, precision ?? defaultPrecision), exact: false };
  const limit = precision ?? (exactOnly ? exactDigits : wholeDigits);
  const finite = terminating(value, exactOnly && precision === undefined ? exactDigits : limit);
  if (finite !== undefined) return { text: finite, exact: true };
  const rounded = roundDigits(value, precision ?? defaultPrecision);
  if (!exactOnly) return { text: rounded, exact: false };
  const text = value.d === 1n ? value.n.toString() : `${value.n}/${value.d}`;
  if (text.length > exactDigits)
    throw tooLarge(`the result has more than ${exactDigits} digits; leave out \`mode\` to get it rounded`);
  return { text, exact: true, decimal: rounded };
}

function approximate(value: number | Decimal, digits: number): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(Math.min(digits, 17))));
  const rounded = value.toSignificantDigits(digits);
  return rounded.isZero() ? '0' : rounded.toString();
}

function inBase(value: Num, base: number): Formatted {
  if (!(value instanceof Rational) || value.d !== 1n)
    throw tooLarge(`base ${base} is for whole numbers; round the result first`);
  const digits = absolute(value.n).toString(base);
  if (digits.length > exactDigits) throw tooLarge(`the result has more than ${exactDigits} digits`);
  return { text: `${value.n < 0n ? '-' : ''}${prefixes[base] ?? ''}${digits}`, exact: true };
}

/** The decimal form of a fraction where it ends within so many significant digits. */
function terminating({ n, d }: Rational, limit: number): string | undefined {
  if (d === 1n) {
    const text = n.toString();
    return text.length <= limit || significant(text) <= limit ? plainOrScientific(text, 0, limit) : undefined;
  }
  let rest = d;
  let twos = 0;
  let fives = 0;
  while ((rest & 1n) === 0n) {
    rest >>= 1n;
    twos++;
  }
  while (rest % 5n === 0n) {
    rest /= 5n;
    fives++;
  }
  if (rest !== 1n) return undefined;
  const places = Math.max(twos, fives);
  const digits = n * 2n ** BigInt(places - twos) * 5n ** BigInt(places - fives);
  const text = digits.toString();
  return significant(text) <= limit ? plainOrScientific(text, places, limit) : undefined;
}

const significant = (text: string): number => text.replace(/^-/, '').replace(/(?<!0)0+$/, '').length;

/** Puts the point into a whole number's digits; very small and very long numbers are written with an exponent. */
function plainOrScientific(text: string, places: number, limit: number): string {
  const negative = text.startsWith('-');
  const digits = negative ? text.slice(1) : text;
  const sign = negative ? '-' : '';
  const exponent = digits.length - places - 1;
  if (exponent < -20 || exponent > Math.max(limit, 20)) {
    const kept = digits.replace(/(?<!0)0+$/, '');
    return `${sign}${kept.slice(0, 1)}${kept.length > 1 ? `.${kept.slice(1)}` : ''}e${exponent < 0 ? '' : '+'}${exponent}`;
  }
  if (places === 0) return sign + digits;
  const padded = digits.padStart(places + 1, '0');
  return `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}`.replace(/\.?(?<!0)0+$/, '');
}

/** Rounds a fraction to so many significant digits, halves away from zero. */
function roundDigits({ n, d }: Rational, digits: number): string {
  if (digits <= 15 && isSmall(n) && isSmall(d)) return String(Number((Number(n) / Number(d)).toPrecision(digits)));
  const size = absolute(n);
  let exponent = size.toString().length - d.toString().length;
  if (exponent >= 0 ? size < d * 10n ** BigInt(exponent) : size * 10n ** BigInt(-exponent) < d) exponent--;
  const shift = digits - 1 - exponent;
  const [top, bottom] = shift >= 0 ? [size * 10n ** BigInt(shift), d] : [size, d * 10n ** BigInt(-shift)];
  const rounded = (top * 2n + bottom) / (bottom * 2n);
  const Wide = Decimal.clone({ precision: digits + 2, toExpPos: 21, toExpNeg: -7 });
  return new Wide(`${n < 0n ? '-' : ''}${rounded}e${-shift}`).toString();
}
