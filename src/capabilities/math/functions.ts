import { expressionError, tooLarge } from './expressionError';
import type { Num, Numbers } from './numbers';
import { divisionByZero } from './operations';
import { Quantity, type Scalar } from './quantity';
import { absolute, floorRational, gcd, one, Rational, roundRational, zero } from './rational';
import { trigonometry } from './trigonometry';
import type { Call, FunctionTools, MathFunction } from './mathFunction';

const whole = (value: number | bigint): Rational => new Rational(BigInt(value), 1n);

/** The only argument, or the one at `index`, as a number with or without a unit. */
function scalar({ args, at }: Call, index: number): Scalar {
  const arg = args[index];
  if (arg === undefined || Array.isArray(arg)) throw expressionError('a single value is expected here, not a list', at);
  // `isArray` does not narrow readonly arrays.
  return arg as Scalar;
}

function plain(call: Call, index: number): Num {
  const arg = scalar(call, index);
  if (arg instanceof Quantity) throw expressionError('a plain number is expected here, without a unit', call.at);
  return arg;
}

function integer(call: Call, index: number): bigint {
  const value = plain(call, index);
  if (value instanceof Rational && value.d === 1n) return value.n;
  throw expressionError('a whole number is expected here', call.at);
}

function smallInteger(call: Call, index: number, min: number, max: number): number {
  const value = integer(call, index);
  if (value < BigInt(min) || value > BigInt(max))
    throw tooLarge(`a whole number from ${min} to ${max} is expected here`, call.at);
  return Number(value);
}

/** All values, those in lists too; at least one. */
function values(call: Call): readonly Scalar[] {
  const all = call.args.flatMap((arg): readonly Scalar[] => (Array.isArray(arg) ? arg : [arg as Scalar]));
  if (all.length === 0) throw expressionError('at least one value is expected', call.at);
  return all;
}

const define = (min: number, max: number, apply: MathFunction['apply']): MathFunction => ({ min, max, apply });
const many = (apply: MathFunction['apply']): MathFunction => define(1, 1000, apply);

/**
 * Applies a function of exact numbers to what is shown before the unit, and approximates where the number is not exact.
 */
function rounding(change: (value: Rational) => bigint): MathFunction {
  return define(1, 2, (call, { numbers, quantities }) => {
    const places = call.args.length > 1 ? smallInteger(call, 1, -300, 300) : 0;
    const value = scalar(call, 0);
    const number = value instanceof Quantity ? quantities.shown(value, call.at) : value;
    const scale = numbers.power(whole(10), whole(places), call.at);
    const scaled = numbers.multiply(exactly(numbers, number, call.at), scale, call.at);
    const rounded = numbers.divide(whole(change(exactly(numbers, scaled, call.at))), scale, call.at);
    return value instanceof Quantity ? quantities.withShown(value, rounded, call.at) : rounded;
  });
}

/** A number as the fraction that its digits say. */
function exactly(numbers: Numbers, value: Num, at: number): Rational {
  if (value instanceof Rational) return value;
  const negative = numbers.sign(value) < 0;
  const size = negative ? numbers.negate(value) : value;
  const literal = numbers.literal(typeof size === 'number' ? size.toPrecision(15) : size.toString(), at);
  if (!(literal instanceof Rational)) throw tooLarge('the number is too large to be rounded', at);
  return negative ? new Rational(-literal.n, literal.d) : literal;
}

function total(call: Call, { quantities }: FunctionTools): Scalar {
  return values(call).reduce((sum, value) => quantities.add(sum, value, call.at));
}

function mean(call: Call, tools: FunctionTools): Scalar {
  return tools.quantities.divide(total(call, tools), whole(values(call).length), call.at);
}

function sorted(call: Call, { quantities, numbers }: FunctionTools, of: readonly Scalar[]): readonly Scalar[] {
  numbers.charge(of.length * 500, call.at);
  return [...of].sort((a, b) => quantities.compare(a, b, call.at));
}

/** The value at a fraction of the sorted list, between two neighbours by proportion. */
function quantile(call: Call, tools: FunctionTools, of: readonly Scalar[], fraction: Num): Scalar {
  const { numbers, quantities } = tools;
  const list = sorted(call, tools, of);
  const place = exactly(numbers, numbers.multiply(fraction, whole(list.length - 1), call.at), call.at);
  const below = floorRational(place);
  const lower = list[Number(below)];
  const upper = list[Number(below) + 1];
  if (lower === undefined) throw expressionError('a percentile lies between 0 and 100', call.at);
  if (upper === undefined) return lower;
  const rest = numbers.subtract(place, whole(below), call.at);
  return quantities.add(lower, quantities.multiply(quantities.add(upper, lower, call.at, -1), rest, call.at), call.at);
}

function variance(divisor: (count: number) => number) {
  return (call: Call, tools: FunctionTools): Scalar => {
    const { quantities } = tools;
    const all = values(call);
    if (divisor(all.length) < 1) throw expressionError('a sample has at least two values', call.at);
    const middle = mean(call, tools);
    const squares = all.map((value) => {
      const difference = quantities.add(value, middle, call.at, -1);
      return quantities.multiply(difference, difference, call.at);
    });
    const sum = squares.reduce((a, b) => quantities.add(a, b, call.at));
    return quantities.divide(sum, whole(divisor(all.length)), call.at);
  };
}

const half = new Rational(1n, 2n);
const root = (value: Scalar, tools: FunctionTools, at: number): Scalar => tools.quantities.power(value, half, at);

function extreme(sign: 1 | -1): MathFunction {
  return many((call, { quantities }) =>
    values(call).reduce((best, value) => (quantities.compare(value, best, call.at) * sign > 0 ? value : best)),
  );
}

/**
 * The product of the whole numbers from `low` to `high`, halved again and again so that the factors stay of equal
 * length.
 */
function product(low: bigint, high: bigint): bigint {
  if (low > high) return 1n;
  if (high - low < 8n) {
    let result = low;
    for (let factor = low + 1n; factor <= high; factor++) result *= factor;
    return result;
  }
  const middle = (low + high) / 2n;
  return product(low, middle) * product(middle + 1n, high);
}

export function factorial(call: Call, { numbers }: FunctionTools): Scalar {
  const n = integer(call, 0);
  if (n < 0n) throw expressionError('a factorial is taken of a whole number from 0', call.at);
  if (n > 5000n) throw tooLarge('a factorial is taken of at most 5000', call.at);
  numbers.charge(500 + Number(n) * Number(n) * 0.3, call.at);
  return whole(product(1n, n));
}

function permutations(call: Call, { numbers }: FunctionTools): bigint {
  const n = integer(call, 0);
  const k = integer(call, 1);
  if (k < 0n || n < 0n) throw expressionError('whole numbers from 0 are expected', call.at);
  if (k > n) return 0n;
  if (k > 5000n || absolute(n) > 10n ** 30n) throw tooLarge('at most 5000 of 10^30 can be taken', call.at);
  numbers.charge(500 + Number(k) * Number(k) * 4, call.at);
  return product(n - k + 1n, n);
}

/** A logarithm, exact where the argument is a whole power of the base. */
function logarithm(base: bigint | undefined, doubles: (x: number) => number, method: 'ln' | 'log' | 'log2') {
  return define(1, 1, (call, { numbers }) => {
    const value = plain(call, 0);
    if (numbers.sign(value) <= 0) throw expressionError('a logarithm is taken of a positive number', call.at);
    if (value instanceof Rational) {
      if (value.n === value.d) return zero;
      const exact = base === undefined ? undefined : exactLogarithm(value, base);
      if (exact !== undefined) return whole(exact);
    }
    return numbers.apply(
      value,
      call.at,
      doubles,
      (x) => (method === 'ln' ? x.ln() : method === 'log' ? x.log() : x.log(2)),
      '',
    );
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

const logE = logarithm(undefined, Math.log, 'ln');

function bitwise(combine: (a: bigint, b: bigint) => bigint): MathFunction {
  return define(2, 1000, (call, { numbers }) => {
    numbers.charge(call.args.length * 3000, call.at);
    return whole(call.args.map((_arg, index) => integer(call, index)).reduce(combine));
  });
}

export function shift(call: Call, { numbers }: FunctionTools, left: boolean): Scalar {
  const value = integer(call, 0);
  const by = smallInteger(call, 1, 0, 60_000);
  numbers.charge(10_000, call.at);
  return left
    ? numbers.multiply(whole(value), numbers.power(whole(2), whole(by), call.at), call.at)
    : whole(value >> BigInt(by));
}

function folded(combine: (a: bigint, b: bigint) => bigint): MathFunction {
  return define(1, 1000, (call, { numbers }) => {
    const all = values(call).map((_value, index, list) => integer({ args: list, at: call.at }, index));
    const bits = all.reduce((sum, value) => sum + value.toString(16).length * 4, 0);
    numbers.charge(500 + bits * bits * 0.1 + bits * 100, call.at);
    return whole(all.reduce(combine, all.length > 1 ? (all[0] ?? 0n) : 0n));
  });
}

const roots: readonly [string, MathFunction][] = [
  [
    'sqrt',
    define(1, 1, (call, tools) => {
      const value = scalar(call, 0);
      if (!(value instanceof Quantity) && tools.numbers.sign(value) < 0)
        throw expressionError('the square root of a negative number is not real', call.at);
      return root(value, tools, call.at);
    }),
  ],
  ['cbrt', define(1, 1, (call, tools) => nthRoot(plain(call, 0), 3, call.at, tools))],
  ['root', define(2, 2, (call, tools) => nthRoot(plain(call, 0), smallInteger(call, 1, 1, 1000), call.at, tools))],
];

function nthRoot(value: Num, k: number, at: number, { numbers }: FunctionTools): Num {
  const negative = numbers.sign(value) < 0;
  if (negative && k % 2 === 0) throw expressionError('an even root of a negative number is not real', at);
  const result = numbers.power(negative ? numbers.negate(value) : value, new Rational(1n, BigInt(k)), at);
  return negative ? numbers.negate(result) : result;
}

/** The functions that an expression can call, by name; made per call, so nothing is kept. */
export const mathFunctions: ReadonlyMap<string, MathFunction> = new Map<string, MathFunction>([
  ...roots,
  ...trigonometry(),
  [
    'abs',
    define(1, 1, (call, { numbers, quantities }) => {
      const value = scalar(call, 0);
      return numbers.sign(value instanceof Quantity ? value.num : value) < 0 ? quantities.negate(value) : value;
    }),
  ],
  ['sign', define(1, 1, (call, { numbers }) => whole(numbers.sign(plain(call, 0))))],
  ['pow', define(2, 2, (call, { quantities }) => quantities.power(scalar(call, 0), scalar(call, 1), call.at))],
  ['mod', define(2, 2, (call, tools) => modulo(scalar(call, 0), scalar(call, 1), call.at, tools))],
  [
    'hypot',
    many((call, tools) => {
      const squares = values(call).map((value) => tools.quantities.multiply(value, value, call.at));
      return root(
        squares.reduce((a, b) => tools.quantities.add(a, b, call.at)),
        tools,
        call.at,
      );
    }),
  ],
  [
    'exp',
    define(1, 1, (call, { numbers }) => {
      const value = plain(call, 0);
      return value instanceof Rational && value.n === 0n
        ? one
        : numbers.apply(value, call.at, Math.exp, (x) => x.exp(), '');
    }),
  ],
  ['ln', logE],
  ['log', define(1, 2, (call, tools) => (call.args.length === 1 ? logE.apply(call, tools) : logarithmOf(call, tools)))],
  ['log10', logarithm(10n, Math.log10, 'log')],
  ['log2', logarithm(2n, Math.log2, 'log2')],
  ['floor', rounding(floorRational)],
  ['ceil', rounding((value) => -floorRational(new Rational(-value.n, value.d)))],
  ['trunc', rounding((value) => value.n / value.d)],
  ['round', rounding(roundRational)],
  ['gcd', folded(gcd)],
  ['lcm', folded((a, b) => (a === 0n || b === 0n ? 0n : absolute(a * b) / gcd(a, b)))],
  ['factorial', define(1, 1, factorial)],
  ['permutations', define(2, 2, (call, tools) => whole(permutations(call, tools)))],
  [
    'combinations',
    define(2, 2, (call, tools) => {
      const [n, k] = [integer(call, 0), integer(call, 1)];
      const fewer = k > n - k && k <= n ? n - k : k;
      return whole(
        permutations({ args: [whole(n), whole(fewer)], at: call.at }, tools) / (fewer > 0n ? product(1n, fewer) : 1n),
      );
    }),
  ],
  ['min', extreme(-1)],
  ['max', extreme(1)],
  ['sum', many(total)],
  ['product', many((call, { quantities }) => values(call).reduce((a, b) => quantities.multiply(a, b, call.at)))],
  ['count', many((call) => whole(values(call).length))],
  ['mean', many(mean)],
  ['median', many((call, tools) => quantile(call, tools, values(call), half))],
  ['mode', many((call, tools) => mostFrequent(call, tools))],
  [
    'range',
    many((call, tools) => {
      const list = sorted(call, tools, values(call));
      return tools.quantities.add(list.at(-1) ?? zero, list[0] ?? zero, call.at, -1);
    }),
  ],
  [
    'percentile',
    define(2, 2, (call, tools) => {
      const fraction = tools.numbers.divide(plain(call, 1), whole(100), call.at);
      return quantile(call, tools, values({ args: call.args.slice(0, 1), at: call.at }), fraction);
    }),
  ],
  ['variance', many(variance((count) => count - 1))],
  ['pvariance', many(variance((count) => count))],
  ['stdev', many((call, tools) => root(variance((count) => count - 1)(call, tools), tools, call.at))],
  ['pstdev', many((call, tools) => root(variance((count) => count)(call, tools), tools, call.at))],
  ['bitand', bitwise((a, b) => a & b)],
  ['bitor', bitwise((a, b) => a | b)],
  ['bitxor', bitwise((a, b) => a ^ b)],
  ['bitnot', define(1, 1, (call) => whole(~integer(call, 0)))],
  ['shl', define(2, 2, (call, tools) => shift(call, tools, true))],
  ['shr', define(2, 2, (call, tools) => shift(call, tools, false))],
  [
    'percentof',
    define(2, 2, (call, { quantities }) =>
      quantities.multiply(quantities.divide(scalar(call, 0), scalar(call, 1), call.at), whole(100), call.at),
    ),
  ],
  [
    'percentchange',
    define(2, 2, (call, { quantities }) => {
      const difference = quantities.add(scalar(call, 1), scalar(call, 0), call.at, -1);
      return quantities.multiply(quantities.divide(difference, scalar(call, 0), call.at), whole(100), call.at);
    }),
  ],
]);

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

function logarithmOf(call: Call, { numbers }: FunctionTools): Num {
  const [value, base] = [plain(call, 0), plain(call, 1)];
  if (numbers.sign(value) <= 0 || numbers.sign(base) <= 0)
    throw expressionError('a logarithm takes positive numbers', call.at);
  if (value instanceof Rational && base instanceof Rational && base.d === 1n) {
    if (base.n === 1n) throw divisionByZero('a logarithm to base 1', call.at + 1);
    const exact = value.n === value.d ? 0 : exactLogarithm(value, base.n);
    if (exact !== undefined) return whole(exact);
  }
  const ln = (x: Num): Num => numbers.apply(x, call.at, Math.log, (y) => y.ln(), '');
  return numbers.divide(ln(value), ln(base), call.at);
}

/** The remainder with the sign of the divisor, as in Python: -7 mod 3 is 2. */
export function modulo(a: Scalar, b: Scalar, at: number, tools: FunctionTools): Scalar {
  const { numbers, quantities } = tools;
  const times = quantities.divide(a, b, at);
  if (times instanceof Quantity) throw expressionError('a remainder needs two values of one kind', at);
  const whole = new Rational(floorRational(exactly(numbers, times, at)), 1n);
  return quantities.add(a, quantities.multiply(b, whole, at), at, -1);
}

/** The quotient without its fraction, rounded down. */
export function floorDivide(a: Scalar, b: Scalar, at: number, tools: FunctionTools): Scalar {
  const times = tools.quantities.divide(a, b, at);
  if (times instanceof Quantity) throw expressionError('a whole quotient needs two values of one kind', at);
  return new Rational(floorRational(exactly(tools.numbers, times, at)), 1n);
}

function mostFrequent(call: Call, tools: FunctionTools): Scalar {
  const list = sorted(call, tools, values(call));
  let [best, bestCount, count] = [list[0] ?? zero, 0, 0];
  list.forEach((value, index) => {
    const before = list[index - 1];
    count = before !== undefined && tools.quantities.compare(before, value, call.at) === 0 ? count + 1 : 1;
    if (count > bestCount) [best, bestCount] = [value, count];
  });
  return best;
}
