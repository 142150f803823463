import { fraction, one, Rational } from './rational';

/** Exponents of the base dimensions: data (bit), time (s), length (m), mass (kg), temperature (K), angle (degree). */
export type Dimensions = readonly [number, number, number, number, number, number];

export interface Unit {
  readonly name: string;
  readonly dimensions: Dimensions;
  /** How many base units one of it is. Radians are the only unit without an exact factor. */
  readonly factor: Rational | 'radian';
  /** What is added to a temperature before scaling; only degrees Celsius and Fahrenheit. */
  readonly offset?: Rational;
}

export const baseNames = ['bit', 's', 'm', 'kg', 'K', 'deg'] as const;

const dimension = (index: number, power = 1): Dimensions => {
  const at = (one: number): number => (one === index ? power : 0);
  return [at(0), at(1), at(2), at(3), at(4), at(5)];
};
const data = dimension(0);
const time = dimension(1);
const length = dimension(2);
const mass = dimension(3);
const temperature = dimension(4);
const angle = dimension(5);
const area = dimension(2, 2);
const volume = dimension(2, 3);
const speed: Dimensions = [0, -1, 1, 0, 0, 0];
const dataRate: Dimensions = [1, -1, 0, 0, 0, 0];

type Row = readonly [names: string, dimensions: Dimensions, n: number | bigint, d?: number | bigint];

/**
 * Names, first the one that is shown; the factor is a fraction. Sources: SI brochure, IEC 80000-13, the international
 * yard and pound (1959).
 */
const rows: readonly Row[] = [
  ['bit bits', data, 1],
  ['kbit', data, 1000],
  ['Mbit', data, 10n ** 6n],
  ['Gbit', data, 10n ** 9n],
  ['Tbit', data, 10n ** 12n],
  ['B byte bytes', data, 8],
  ['kB KB', data, 8000],
  ['MB', data, 8n * 10n ** 6n],
  ['GB', data, 8n * 10n ** 9n],
  ['TB', data, 8n * 10n ** 12n],
  ['PB', data, 8n * 10n ** 15n],
  ['EB', data, 8n * 10n ** 18n],
  ['KiB kiB', data, 8192],
  ['MiB', data, 8n * 2n ** 20n],
  ['GiB', data, 8n * 2n ** 30n],
  ['TiB', data, 8n * 2n ** 40n],
  ['PiB', data, 8n * 2n ** 50n],
  ['EiB', data, 8n * 2n ** 60n],
  ['kbps', dataRate, 1000],
  ['Mbps', dataRate, 10n ** 6n],
  ['Gbps', dataRate, 10n ** 9n],
  ['ns nanosecond nanoseconds', time, 1, 10n ** 9n],
  ['us µs μs microsecond microseconds', time, 1, 10n ** 6n],
  ['ms millisecond milliseconds', time, 1, 1000],
  ['s sec secs second seconds', time, 1],
  ['min mins minute minutes', time, 60],
  ['h hr hrs hour hours', time, 3600],
  ['d day days', time, 86_400],
  ['wk week weeks', time, 604_800],
  ['yr year years', time, 31_557_600],
  ['nm nanometer nanometers nanometre nanometres', length, 1, 10n ** 9n],
  ['um µm μm micrometer micrometers micrometre micrometres', length, 1, 10n ** 6n],
  ['mm millimeter millimeters millimetre millimetres', length, 1, 1000],
  ['cm centimeter centimeters centimetre centimetres', length, 1, 100],
  ['dm decimeter decimeters decimetre decimetres', length, 1, 10],
  ['m meter meters metre metres', length, 1],
  ['km kilometer kilometers kilometre kilometres', length, 1000],
  ['in inch inches', length, 254, 10_000],
  ['ft foot feet', length, 3048, 10_000],
  ['yd yard yards', length, 9144, 10_000],
  ['mi mile miles', length, 1_609_344, 1000],
  ['nmi', length, 1852],
  ['ha hectare hectares', area, 10_000],
  ['acre acres', area, 40_468_564_224n, 10_000_000],
  ['mL ml milliliter milliliters millilitre millilitres', volume, 1, 10n ** 6n],
  ['L l liter liters litre litres', volume, 1, 1000],
  ['gal gallon gallons', volume, 3_785_411_784n, 10n ** 12n],
  ['kmh kph', speed, 1000, 3600],
  ['mph', speed, 1_609_344, 3_600_000],
  ['kn knot knots', speed, 1852, 3600],
  ['ug µg μg microgram micrograms', mass, 1, 10n ** 9n],
  ['mg milligram milligrams', mass, 1, 10n ** 6n],
  ['g gram grams', mass, 1, 1000],
  ['kg kilogram kilograms', mass, 1],
  ['t tonne tonnes', mass, 1000],
  ['oz ounce ounces', mass, 28_349_523_125n, 10n ** 12n],
  ['lb lbs pound pounds', mass, 45_359_237n, 10n ** 8n],
  ['st stone', mass, 635_029_318n, 10n ** 8n],
  ['K kelvin', temperature, 1],
  ['deg ° degree degrees', angle, 1],
];

function makeTable(): ReadonlyMap<string, Unit> {
  const table = new Map<string, Unit>();
  const put = (names: string, unit: Omit<Unit, 'name'>): void => {
    const [name = ''] = names.split(' ');
    for (const one of names.split(' ')) table.set(one, { name, ...unit });
  };
  for (const [names, dimensions, n, d] of rows) put(names, { dimensions, factor: fraction(BigInt(n), BigInt(d ?? 1)) });
  put('rad radian radians', { dimensions: angle, factor: 'radian' });
  put('degC °C celsius', { dimensions: temperature, factor: one, offset: new Rational(5463n, 20n) });
  put('degF °F fahrenheit', {
    dimensions: temperature,
    factor: new Rational(5n, 9n),
    offset: new Rational(45_967n, 100n),
  });
  return table;
}

/** All units by each of their names. */
export const units: ReadonlyMap<string, Unit> = makeTable();

export const sameDimensions = (a: Dimensions, b: Dimensions): boolean => a.every((power, index) => power === b[index]);
export const noDimensions = (a: Dimensions): boolean => a.every((power) => power === 0);

/** Says what is measured, for messages: `length`, `length/time`. */
export function describeDimensions(dimensions: Dimensions): string {
  const names = ['data', 'time', 'length', 'mass', 'temperature', 'angle'];
  const part = (power: number, index: number): string =>
    `${names[index]}${Math.abs(power) === 1 ? '' : `^${Math.abs(power)}`}`;
  const top = dimensions.flatMap((power, index) => (power > 0 ? [part(power, index)] : []));
  const bottom = dimensions.flatMap((power, index) => (power < 0 ? [part(power, index)] : []));
  if (top.length === 0 && bottom.length === 0) return 'a plain number';
  return `${top.length === 0 ? '1' : top.join(' ')}${bottom.length === 0 ? '' : `/${bottom.join(' ')}`}`;
}
