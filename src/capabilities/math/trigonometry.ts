import type { Decimal } from 'decimal.js';
import { type MathCall, type MathFunction, takingOne, takingTwo } from './mathCall';
import type { Num } from './numbers';
import { Quantity } from './quantity';
import { floorRational, half, one, Rational, whole, zero } from './rational';

/** Beyond this the digits of an angle do not say where on the circle it is. */
const maxAngle = 1e15;

/** The angle of a call in degrees where it is given in degrees, else in radians. */
function angleOf(call: MathCall): { readonly value: Num; readonly degrees: boolean } {
  const angle = call.scalar(0, 'an angle is expected here, not a list');
  if (!(angle instanceof Quantity)) return { value: angle, degrees: call.degrees };
  if (angle.dimensions[5] !== 1 || angle.dimensions.some((power, index) => index !== 5 && power !== 0))
    throw call.error('an angle is expected here: a plain number, `deg` or `rad`');
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

/** Sine of an angle, moved by a quarter turn for the cosine; noise below the angle's own rounding is zero. */
function sine(call: MathCall, quarter: 0 | 1): Num {
  const { numbers, at } = call;
  const { value, degrees } = angleOf(call);
  const size = numbers.toDouble(value);
  if (size === undefined ? numbers.toDecimal(value, at).abs().gt(1) : Math.abs(size) > maxAngle)
    throw call.error('an angle beyond 1e15 has no exact place on the circle; reduce it first');
  if (degrees) {
    const moved = numbers.add(value, whole(90 * quarter), at);
    const exact = exactSine(moved);
    if (exact) return exact;
    const radians = inRadians(call, moved instanceof Rational ? turnOf(moved) : moved);
    return call.approximate(
      radians,
      (x) => snapped(Math.sin(x), x),
      (x) => x.sin(),
    );
  }
  if (value instanceof Rational && value.n === 0n) return quarter === 0 ? zero : one;
  const [double, decimal] =
    quarter === 0 ? [Math.sin, (x: Decimal) => nearZero(x, (y) => y.sin())] : [Math.cos, (x: Decimal) => x.cos()];
  return call.approximate(value, (x) => (value instanceof Rational ? double(x) : snapped(double(x), x)), decimal);
}

/** An angle within one turn. */
function turnOf(degrees: Rational): Rational {
  const turns = floorRational(new Rational(degrees.n, degrees.d * 360n));
  return new Rational(degrees.n - turns * 360n * degrees.d, degrees.d);
}

const snapped = (result: number, angle: number): number =>
  Math.abs(result) <= Math.abs(angle) * 2 ** -52 ? 0 : result;

function tangent(call: MathCall): Num {
  const angle = angleOf(call);
  if (angle.degrees && angle.value instanceof Rational && angle.value.d === 1n && angle.value.n % 45n === 0n) {
    const step = Number(((angle.value.n % 180n) + 180n) % 180n) / 45;
    if (step !== 2) return whole(step === 3 ? -1 : step);
  }
  const cosine = sine(call, 1);
  if (call.numbers.isZero(cosine)) throw call.error('the tangent has no value at a right angle');
  return call.numbers.divide(sine(call, 0), cosine, call.at);
}

const inRadians = ({ numbers, quantities, at }: MathCall, degrees: Num): Num =>
  numbers.divide(numbers.multiply(degrees, quantities.pi(), at), whole(180), at);

const inDegrees = ({ numbers, quantities, at }: MathCall, radians: Num): Num =>
  numbers.divide(numbers.multiply(radians, whole(180), at), quantities.pi(), at);

/** The angle that an inverse function answers: in degrees where plain angles are. */
const asAngle = (call: MathCall, radians: Num): Num => (call.degrees ? inDegrees(call, radians) : radians);

function plainArgument(call: MathCall, index = 0): Num {
  const arg = call.scalar(index, 'a plain number is expected here');
  if (arg instanceof Quantity) throw call.error('a plain number is expected here');
  return arg;
}

type Decimals = (x: Decimal) => Decimal;

const inverse = (doubles: (x: number) => number, decimals: Decimals, refusal?: string): MathFunction =>
  takingOne((call) => asAngle(call, call.approximate(plainArgument(call), doubles, decimals, refusal)));

const hyperbolic = (doubles: (x: number) => number, decimals: Decimals, refusal?: string): MathFunction =>
  takingOne((call) => call.approximate(plainArgument(call), doubles, decimals, refusal));

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
export function trigonometry(): Readonly<Record<string, MathFunction>> {
  const unitInterval = 'the argument lies between -1 and 1';
  return {
    sin: takingOne((call) => sine(call, 0)),
    cos: takingOne((call) => sine(call, 1)),
    tan: takingOne(tangent),
    asin: inverse(Math.asin, (x) => nearZero(x, (y) => y.asin()), unitInterval),
    acos: inverse(Math.acos, (x) => (x.abs().lt(1e-150) ? x.times(0).acos() : x.acos()), unitInterval),
    atan: inverse(Math.atan, (x) => nearZero(x, (y) => y.atan())),
    atan2: takingTwo(arctangent2),
    sinh: hyperbolic(Math.sinh, (x) =>
      x.abs().lt(1) ? nearZero(x, (y) => y.sinh()) : x.exp().minus(x.neg().exp()).div(2),
    ),
    cosh: hyperbolic(Math.cosh, (x) => x.exp().plus(x.neg().exp()).div(2)),
    tanh: hyperbolic(Math.tanh, (x) => (x.abs().lt(1) ? nearZero(x, (y) => y.tanh()) : tanhOf(x))),
    asinh: hyperbolic(Math.asinh, asinhOf),
    acosh: hyperbolic(Math.acosh, (x) => (x.gt(1e30) ? x.times(2).ln() : x.acosh()), 'the argument is at least 1'),
    atanh: hyperbolic(Math.atanh, (x) => nearZero(x, (y) => y.atanh()), unitInterval),
    degrees: takingOne((call) => inDegrees(call, plainArgument(call))),
    radians: takingOne((call) => inRadians(call, plainArgument(call))),
  };
}

function arctangent2(call: MathCall): Num {
  const { numbers, quantities, at } = call;
  const [y, x] = [plainArgument(call, 0), plainArgument(call, 1)];
  if (numbers.isZero(y) && numbers.isZero(x)) throw call.error('atan2 has no value at the origin');
  if (numbers.isZero(x)) return asAngle(call, numbers.divide(quantities.pi(), whole(2 * numbers.sign(y)), at));
  const angle = call.approximate(numbers.divide(y, x, at), Math.atan, (one) => nearZero(one, (z) => z.atan()));
  if (numbers.sign(x) > 0) return asAngle(call, angle);
  const turned =
    numbers.sign(y) < 0 ? numbers.subtract(angle, quantities.pi(), at) : numbers.add(angle, quantities.pi(), at);
  return asAngle(call, turned);
}
