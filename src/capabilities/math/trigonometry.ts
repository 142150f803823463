import type { Decimal } from 'decimal.js';
import { expressionError } from './expressionError';
import type { Num } from './numbers';
import { Quantity, type Scalar } from './quantity';
import { floorRational, one, Rational, zero } from './rational';
import type { Call, FunctionTools, MathFunction } from './mathFunction';

/** Beyond this the digits of an angle do not say where on the circle it is. */
const maxAngle = 1e15;

const whole = (value: number): Rational => new Rational(BigInt(value), 1n);
const half = new Rational(1n, 2n);

/** The angle of a call in degrees where it is given in degrees, else in radians. */
function angleOf({ args, at }: Call, { degrees }: FunctionTools): { readonly value: Num; readonly degrees: boolean } {
  const [arg] = args;
  if (arg === undefined || Array.isArray(arg)) throw expressionError('an angle is expected here, not a list', at);
  const angle = arg as Scalar;
  if (!(angle instanceof Quantity)) return { value: angle, degrees };
  if (angle.dimensions[5] !== 1 || angle.dimensions.some((power, index) => index !== 5 && power !== 0)) {
    throw expressionError('an angle is expected here: a plain number, `deg` or `rad`', at);
  }
  return { value: angle.num, degrees: true };
}

/** Sine at multiples of 30 degrees that have exact values. */
function exactSine(degrees: Num): Rational | undefined {
  if (!(degrees instanceof Rational) || degrees.d !== 1n) return undefined;
  const turn = Number(((degrees.n % 360n) + 360n) % 360n);
  if (turn % 180 === 0) return zero;
  if (turn === 90) return one;
  if (turn === 270) return whole(-1);
  if (turn === 30 || turn === 150) return half;
  if (turn === 210 || turn === 330) return new Rational(-1n, 2n);
  return undefined;
}

function reduced(value: Num, at: number, tools: FunctionTools): Num {
  const size = tools.numbers.toDouble(value);
  if (size === undefined ? tools.numbers.toDecimal(value, at).abs().gt(1) : Math.abs(size) > maxAngle) {
    throw expressionError('an angle beyond 1e15 has no exact place on the circle; reduce it first', at);
  }
  return value;
}

/** Sine of an angle, moved by a quarter turn for the cosine; noise below the angle's own rounding is zero. */
function sine(call: Call, tools: FunctionTools, quarter: 0 | 1): Num {
  const { numbers, quantities } = tools;
  const angle = angleOf(call, tools);
  const value = reduced(angle.value, call.at, tools);
  if (angle.degrees) {
    const moved = numbers.add(value, whole(90 * quarter), call.at);
    const exact = exactSine(moved);
    if (exact) return exact;
    const inTurn = moved instanceof Rational ? turnOf(moved) : moved;
    const radians = numbers.divide(numbers.multiply(inTurn, quantities.pi(), call.at), whole(180), call.at);
    return numbers.apply(
      radians,
      call.at,
      (x) => snapped(Math.sin(x), x),
      (x) => x.sin(),
      '',
    );
  }
  if (value instanceof Rational && value.n === 0n) return quarter === 0 ? zero : one;
  const [double, decimal] =
    quarter === 0 ? [Math.sin, (x: Decimal) => nearZero(x, (y) => y.sin())] : [Math.cos, (x: Decimal) => x.cos()];
  return numbers.apply(
    value,
    call.at,
    (x) => (value instanceof Rational ? double(x) : snapped(double(x), x)),
    decimal,
    '',
  );
}

/** An angle within one turn. */
function turnOf(degrees: Rational): Rational {
  const turns = floorRational(new Rational(degrees.n, degrees.d * 360n));
  return new Rational(degrees.n - turns * 360n * degrees.d, degrees.d);
}

const snapped = (result: number, angle: number): number =>
  Math.abs(result) <= Math.abs(angle) * 2 ** -52 ? 0 : result;

function tangent(call: Call, tools: FunctionTools): Num {
  const angle = angleOf(call, tools);
  if (angle.degrees && angle.value instanceof Rational && angle.value.d === 1n && angle.value.n % 45n === 0n) {
    const step = Number(((angle.value.n % 180n) + 180n) % 180n) / 45;
    if (step !== 2) return whole(step === 3 ? -1 : step);
  }
  const cosine = sine(call, tools, 1);
  if (tools.numbers.isZero(cosine)) throw expressionError('the tangent has no value at a right angle', call.at);
  return tools.numbers.divide(sine(call, tools, 0), cosine, call.at);
}

/** An inverse function; its result is in degrees where plain angles are. */
function inverse(doubles: (x: number) => number, decimals: (x: Decimal) => Decimal, refusal: string): MathFunction {
  return {
    min: 1,
    max: 1,
    apply: (call, tools) =>
      inDegrees(tools.numbers.apply(plainArgument(call, 0), call.at, doubles, decimals, refusal), call.at, tools),
  };
}

function inDegrees(radians: Num, at: number, { numbers, quantities, degrees }: FunctionTools): Num {
  return degrees ? numbers.divide(numbers.multiply(radians, whole(180), at), quantities.pi(), at) : radians;
}

function plainArgument({ args, at }: Call, index: number): Num {
  const arg = args[index];
  if (arg === undefined || Array.isArray(arg) || arg instanceof Quantity)
    throw expressionError('a plain number is expected here', at);
  return arg as Num;
}

function hyperbolic(doubles: (x: number) => number, decimals: (x: Decimal) => Decimal, refusal = ''): MathFunction {
  return {
    min: 1,
    max: 1,
    apply: (call, { numbers }) => {
      const value = plainArgument(call, 0);
      return numbers.apply(value, call.at, doubles, decimals, refusal);
    },
  };
}

/**
 * Functions that are x itself to first order are x near zero: the next term is smaller by x squared, beyond every
 * precision here. decimal.js would compute with as many digits as the argument has zeros.
 */
function nearZero(x: Decimal, apply: (x: Decimal) => Decimal): Decimal {
  return x.abs().lt(1e-60) ? x : apply(x);
}

/** For large arguments by the logarithm, whose digits decimal.js does not add to. */
function asinhOf(x: Decimal): Decimal {
  if (x.abs().lt(1e30)) return nearZero(x, (y) => y.asinh());
  const size = x.abs().times(2).ln();
  return x.isNegative() ? size.neg() : size;
}

/** By exponentials, because decimal.js expands a series whose length grows with the argument. */
function tanhOf(x: Decimal): Decimal {
  const small = x.abs().times(-2).exp();
  const size = small.neg().plus(1).div(small.plus(1));
  return x.isNegative() ? size.neg() : size;
}

/** The angle functions, by name. */
export function trigonometry(): readonly [string, MathFunction][] {
  const angle = (apply: (call: Call, tools: FunctionTools) => Num): MathFunction => ({ min: 1, max: 1, apply });
  const unitInterval = 'the argument lies between -1 and 1';
  return [
    ['sin', angle((call, tools) => sine(call, tools, 0))],
    ['cos', angle((call, tools) => sine(call, tools, 1))],
    ['tan', angle(tangent)],
    ['asin', inverse(Math.asin, (x) => nearZero(x, (y) => y.asin()), unitInterval)],
    ['acos', inverse(Math.acos, (x) => (x.abs().lt(1e-150) ? x.times(0).acos() : x.acos()), unitInterval)],
    ['atan', inverse(Math.atan, (x) => nearZero(x, (y) => y.atan()), '')],
    ['atan2', { min: 2, max: 2, apply: (call, tools) => arctangent2(call, tools) }],
    [
      'sinh',
      hyperbolic(Math.sinh, (x) =>
        x.abs().lt(1) ? nearZero(x, (y) => y.sinh()) : x.exp().minus(x.neg().exp()).div(2),
      ),
    ],
    ['cosh', hyperbolic(Math.cosh, (x) => x.exp().plus(x.neg().exp()).div(2))],
    ['tanh', hyperbolic(Math.tanh, (x) => (x.abs().lt(1) ? nearZero(x, (y) => y.tanh()) : tanhOf(x)))],
    ['asinh', hyperbolic(Math.asinh, asinhOf)],
    ['acosh', hyperbolic(Math.acosh, (x) => (x.gt(1e30) ? x.times(2).ln() : x.acosh()), 'the argument is at least 1')],
    ['atanh', hyperbolic(Math.atanh, (x) => nearZero(x, (y) => y.atanh()), 'the argument lies between -1 and 1')],
    [
      'degrees',
      angle((call, { numbers, quantities }) =>
        numbers.divide(numbers.multiply(plainArgument(call, 0), whole(180), call.at), quantities.pi(), call.at),
      ),
    ],
    [
      'radians',
      angle((call, { numbers, quantities }) =>
        numbers.divide(numbers.multiply(plainArgument(call, 0), quantities.pi(), call.at), whole(180), call.at),
      ),
    ],
  ];
}

function arctangent2(call: Call, tools: FunctionTools): Num {
  const { numbers, quantities } = tools;
  const [y, x] = [plainArgument(call, 0), plainArgument(call, 1)];
  if (numbers.isZero(y) && numbers.isZero(x)) throw expressionError('atan2 has no value at the origin', call.at);
  if (numbers.isZero(x))
    return inDegrees(numbers.divide(quantities.pi(), whole(2 * numbers.sign(y)), call.at), call.at, tools);
  const angle = numbers.apply(
    numbers.divide(y, x, call.at),
    call.at,
    Math.atan,
    (one) => nearZero(one, (z) => z.atan()),
    '',
  );
  if (numbers.sign(x) > 0) return inDegrees(angle, call.at, tools);
  const turned =
    numbers.sign(y) < 0
      ? numbers.subtract(angle, quantities.pi(), call.at)
      : numbers.add(angle, quantities.pi(), call.at);
  return inDegrees(turned, call.at, tools);
}
