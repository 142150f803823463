import { expressionError } from './expressionError';
import type { Num, Numbers } from './numbers';
import { Rational } from './rational';
import { baseNames, describeDimensions, type Dimensions, noDimensions, sameDimensions, type Unit } from './units';

/** A unit's part in what is shown: `km` to the power 1. */
interface Part {
  readonly unit: Unit;
  readonly power: number;
}

/** A number with a unit. `num` counts base units; `parts` is how it is shown. */
export class Quantity {
  readonly num: Num;
  readonly dimensions: Dimensions;
  readonly parts: readonly Part[];
  /** True for a unit without a number before it, which is what `degC` has to be multiplied with. */
  readonly bare: boolean;

  constructor(num: Num, dimensions: Dimensions, parts: readonly Part[], bare = false) {
    this.num = num;
    this.dimensions = dimensions;
    this.parts = parts;
    this.bare = bare;
  }

  /** The scale with its own zero point that this is on (degrees Celsius or Fahrenheit), if any. */
  get scale(): Unit | undefined {
    const unit = this.parts[0]?.unit;
    return unit?.offset ? unit : undefined;
  }
}

export type Scalar = Num | Quantity;

/** Arithmetic of numbers with units over the arithmetic of numbers. */
export class Quantities {
  readonly #numbers: Numbers;

  constructor(numbers: Numbers) {
    this.#numbers = numbers;
  }

  ofUnit(unit: Unit): Quantity {
    return new Quantity(this.#factor(unit), unit.dimensions, [{ unit, power: 1 }], true);
  }

  /** How many base units one of a unit is: exact for all but radians. */
  #factor(unit: Unit): Num {
    if (unit.factor !== 'radian') return unit.factor;
    return this.#numbers.divide(new Rational(180n, 1n), this.pi(), 0);
  }

  pi(): Num {
    return this.#numbers.apply(new Rational(-1n, 1n), 0, Math.acos, (x) => x.acos(), '');
  }

  add(a: Scalar, b: Scalar, at: number, sign: 1 | -1 = 1): Scalar {
    const combine = (x: Num, y: Num): Num =>
      sign === 1 ? this.#numbers.add(x, y, at) : this.#numbers.subtract(x, y, at);
    if (!(a instanceof Quantity) && !(b instanceof Quantity)) return combine(a, b);
    const [left, right] = [dimensionsOf(a), dimensionsOf(b)];
    if (!(a instanceof Quantity) || !(b instanceof Quantity) || !sameDimensions(left, right)) {
      throw expressionError(
        `cannot ${sign === 1 ? 'add' : 'subtract'} ${describeDimensions(left)} and ${describeDimensions(right)}`,
        at,
      );
    }
    if (a.scale && b.scale) {
      if (sign === 1)
        throw expressionError('two temperatures on a scale cannot be added; give the difference in K', at);
      return new Quantity(combine(a.num, b.num), a.dimensions, []);
    }
    if (b.scale && sign === -1) throw expressionError('a temperature on a scale cannot be taken from a difference', at);
    return new Quantity(combine(a.num, b.num), a.dimensions, b.scale ? b.parts : a.parts);
  }

  multiply(a: Scalar, b: Scalar, at: number): Scalar {
    if (!(a instanceof Quantity))
      return b instanceof Quantity ? this.#scaled(a, b, at) : this.#numbers.multiply(a, b, at);
    if (!(b instanceof Quantity)) return this.#scaled(b, a, at);
    this.#refuseScale(a, at);
    this.#refuseScale(b, at);
    return this.#joined(this.#numbers.multiply(a.num, b.num, at), a, b, 1);
  }

  divide(a: Scalar, b: Scalar, at: number): Scalar {
    if (!(b instanceof Quantity)) {
      if (!(a instanceof Quantity)) return this.#numbers.divide(a, b, at);
      this.#refuseScale(a, at);
      return new Quantity(this.#numbers.divide(a.num, b, at), a.dimensions, a.parts);
    }
    this.#refuseScale(b, at);
    if (!(a instanceof Quantity)) return this.#joined(this.#numbers.divide(a, b.num, at), undefined, b, -1);
    this.#refuseScale(a, at);
    return this.#joined(this.#numbers.divide(a.num, b.num, at), a, b, -1);
  }

  power(base: Scalar, exponent: Scalar, at: number): Scalar {
    if (exponent instanceof Quantity)
      throw expressionError(`an exponent must be a plain number, not ${describeDimensions(exponent.dimensions)}`, at);
    if (!(base instanceof Quantity)) return this.#numbers.power(base, exponent, at);
    this.#refuseScale(base, at);
    const times = exponent instanceof Rational ? Number(exponent.n) / Number(exponent.d) : Number.NaN;
    const dimensions = mapDimensions(base.dimensions, (power) => power * times);
    if (!dimensions.every((power) => Number.isInteger(power) && Math.abs(power) <= 100)) {
      throw expressionError(`${describeDimensions(base.dimensions)} cannot be taken to this power`, at);
    }
    return this.#made(
      this.#numbers.power(base.num, exponent, at),
      dimensions,
      base.parts.map(({ unit, power }) => ({ unit, power: power * times })),
    );
  }

  negate(a: Scalar): Scalar {
    if (!(a instanceof Quantity)) return this.#numbers.negate(a);
    if (a.scale) return this.#onScale(this.#numbers.negate(this.shown(a)), a.scale, 0);
    return new Quantity(this.#numbers.negate(a.num), a.dimensions, a.parts);
  }

  compare(a: Scalar, b: Scalar, at: number): number {
    if (!(a instanceof Quantity) && !(b instanceof Quantity)) return this.#numbers.compare(a, b, at);
    const [left, right] = [dimensionsOf(a), dimensionsOf(b)];
    if (!(a instanceof Quantity) || !(b instanceof Quantity) || !sameDimensions(left, right)) {
      throw expressionError(`cannot compare ${describeDimensions(left)} with ${describeDimensions(right)}`, at);
    }
    return this.#numbers.compare(a.num, b.num, at);
  }

  /** Changes how a quantity is shown, which must have the unit's dimensions. */
  convert(a: Scalar, unit: Scalar, at: number): Scalar {
    if (!(unit instanceof Quantity))
      throw expressionError('the right side of a conversion must be a unit, such as `km` or `MB/s`', at);
    const from = dimensionsOf(a);
    if (!(a instanceof Quantity) || !sameDimensions(from, unit.dimensions)) {
      throw expressionError(`cannot convert ${describeDimensions(from)} to ${describeDimensions(unit.dimensions)}`, at);
    }
    return new Quantity(a.num, a.dimensions, unit.parts);
  }

  /** The number that is shown before the quantity's unit. */
  shown(a: Quantity, at = 0): Num {
    if (a.scale?.offset)
      return this.#numbers.subtract(this.#numbers.divide(a.num, this.#factor(a.scale), at), a.scale.offset, at);
    return this.#scaledByUnits(a, a.num, -1, at);
  }

  /** A number before the quantity's unit as base units where the sign is 1, the other way round where it is -1. */
  #scaledByUnits(a: Quantity, num: Num, sign: 1 | -1, at: number): Num {
    return simpleParts(a).reduce((scaled, { unit, power }) => {
      const factor = this.#numbers.power(this.#factor(unit), new Rational(BigInt(Math.abs(power)), 1n), at);
      return power * sign > 0 ? this.#numbers.multiply(scaled, factor, at) : this.#numbers.divide(scaled, factor, at);
    }, num);
  }

  /** The same quantity with another number before its unit: for rounding. */
  withShown(a: Quantity, num: Num, at: number): Quantity {
    if (a.scale) return this.#onScale(num, a.scale, at);
    return new Quantity(this.#scaledByUnits(a, num, 1, at), a.dimensions, a.parts);
  }

  /** The quantity's unit as it is shown: `km/h`, `m^2`. */
  unitText(a: Quantity): string {
    if (a.scale) return a.scale.name;
    const parts = simpleParts(a);
    const word = ({ unit, power }: Part): string => `${unit.name}${Math.abs(power) === 1 ? '' : `^${Math.abs(power)}`}`;
    const top = parts.filter((part) => part.power > 0).map(word);
    const bottom = parts.filter((part) => part.power < 0).map(word);
    return `${top.length === 0 ? '1' : top.join(' ')}${bottom.map((one) => `/${one}`).join('')}`;
  }

  #scaled(factor: Num, a: Quantity, at: number): Scalar {
    if (a.scale) {
      if (!a.bare) throw expressionError('a temperature on a scale cannot be multiplied; convert it to K first', at);
      return this.#onScale(factor, a.scale, at);
    }
    return new Quantity(this.#numbers.multiply(factor, a.num, at), a.dimensions, a.parts);
  }

  #onScale(value: Num, scale: Unit, at: number): Quantity {
    const shifted = scale.offset ? this.#numbers.add(value, scale.offset, at) : value;
    return new Quantity(this.#numbers.multiply(shifted, this.#factor(scale), at), scale.dimensions, [
      { unit: scale, power: 1 },
    ]);
  }

  /** A product where the sign is 1, a quotient where it is -1; without `a`, that of a plain number. */
  #joined(num: Num, a: Quantity | undefined, b: Quantity, sign: 1 | -1): Scalar {
    const dimensions = sumOf(a?.dimensions ?? noneOf, b.dimensions, sign);
    return this.#made(num, dimensions, joinParts(a?.parts ?? [], b.parts, sign));
  }

  #made(num: Num, dimensions: Dimensions, parts: readonly Part[]): Scalar {
    return noDimensions(dimensions) ? num : new Quantity(num, dimensions, parts);
  }

  #refuseScale(a: Quantity, at: number): void {
    if (a.scale)
      throw expressionError('a temperature on a scale cannot be multiplied or divided; convert it to K first', at);
  }
}

const noneOf: Dimensions = [0, 0, 0, 0, 0, 0];
const dimensionsOf = (a: Scalar): Dimensions => (a instanceof Quantity ? a.dimensions : noneOf);

function mapDimensions(a: Dimensions, change: (power: number, index: number) => number): Dimensions {
  return [change(a[0], 0), change(a[1], 1), change(a[2], 2), change(a[3], 3), change(a[4], 4), change(a[5], 5)];
}

const sumOf = (a: Dimensions, b: Dimensions, sign: 1 | -1): Dimensions =>
  mapDimensions(a, (power, index) => power + sign * (b[index] ?? 0));

function joinParts(a: readonly Part[], b: readonly Part[], sign: 1 | -1): readonly Part[] {
  const powers = new Map<Unit, number>();
  for (const { unit, power } of a) powers.set(unit, (powers.get(unit) ?? 0) + power);
  for (const { unit, power } of b) powers.set(unit, (powers.get(unit) ?? 0) + sign * power);
  return [...powers].flatMap(([unit, power]) => (power === 0 ? [] : [{ unit, power }]));
}

/** The parts as they are shown: as given where each dimension occurs once, else one unit per dimension. */
function simpleParts({ dimensions, parts }: Quantity): readonly Part[] {
  const uses = dimensions.map((_power, index) => parts.filter((part) => part.unit.dimensions[index] !== 0).length);
  const covers = dimensions.every(
    (power, index) => parts.reduce((sum, part) => sum + (part.unit.dimensions[index] ?? 0) * part.power, 0) === power,
  );
  if (covers && uses.every((count) => count <= 1)) return parts;
  return dimensions.flatMap((power, index) => {
    if (power === 0) return [];
    const own = parts.find((part) =>
      part.unit.dimensions.every((one, other) => (other === index ? one === 1 : one === 0)),
    );
    return [{ unit: own?.unit ?? baseUnit(index), power }];
  });
}

function baseUnit(index: number): Unit {
  return {
    name: baseNames[index] ?? '',
    dimensions: mapDimensions(noneOf, (_zero, at) => (at === index ? 1 : 0)),
    factor: new Rational(1n, 1n),
  };
}
