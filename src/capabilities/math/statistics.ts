import { type MathCall, type MathFunction, takingMany, takingTwo } from './mathCall';
import type { Num } from './numbers';
import type { Scalar } from './quantity';
import { floorRational, half, whole, zero } from './rational';

const total = (call: MathCall): Scalar => call.values().reduce((sum, value) => call.add(sum, value));

const mean = (call: MathCall): Scalar => call.divide(total(call), whole(call.values().length));

function sorted(call: MathCall, of = call.values()): readonly Scalar[] {
  call.charge(of.length * 500);
  return [...of].sort((a, b) => call.compare(a, b));
}

/** The value at a fraction of the sorted list, between two neighbours by proportion. */
function quantile(call: MathCall, of: readonly Scalar[], fraction: Num): Scalar {
  const { numbers, at } = call;
  const list = sorted(call, of);
  const place = numbers.exactly(numbers.multiply(fraction, whole(list.length - 1), at), at);
  const below = floorRational(place);
  const lower = list[Number(below)];
  const upper = list[Number(below) + 1];
  if (lower === undefined) throw call.error('a percentile lies between 0 and 100');
  if (upper === undefined) return lower;
  const rest = numbers.subtract(place, whole(below), at);
  return call.add(lower, call.multiply(call.subtract(upper, lower), rest));
}

/** @param less how many are taken off the count of the values: 1 for a sample, 0 for all there are. */
function variance(call: MathCall, less: 0 | 1): Scalar {
  const all = call.values();
  if (all.length - less < 1) throw call.error('a sample has at least two values');
  const middle = mean(call);
  const squares = all.map((value) => {
    const difference = call.subtract(value, middle);
    return call.multiply(difference, difference);
  });
  return call.divide(
    squares.reduce((a, b) => call.add(a, b)),
    whole(all.length - less),
  );
}

const extreme = (sign: 1 | -1): MathFunction =>
  takingMany((call) => call.values().reduce((best, value) => (call.compare(value, best) * sign > 0 ? value : best)));

function mostFrequent(call: MathCall): Scalar {
  const list = sorted(call);
  let [best, bestCount, count] = [list[0] ?? zero, 0, 0];
  list.forEach((value, index) => {
    const before = list[index - 1];
    count = before !== undefined && call.compare(before, value) === 0 ? count + 1 : 1;
    if (count > bestCount) [best, bestCount] = [value, count];
  });
  return best;
}

/** The functions of lists, by name. */
export const statistics: Readonly<Record<string, MathFunction>> = {
  min: extreme(-1),
  max: extreme(1),
  sum: takingMany(total),
  product: takingMany((call) => call.values().reduce((a, b) => call.multiply(a, b))),
  count: takingMany((call) => whole(call.values().length)),
  mean: takingMany(mean),
  median: takingMany((call) => quantile(call, call.values(), half)),
  mode: takingMany(mostFrequent),
  range: takingMany((call) => {
    const list = sorted(call);
    return call.subtract(list.at(-1) ?? zero, list[0] ?? zero);
  }),
  percentile: takingTwo((call) => {
    const [of] = call.args;
    const fraction = call.numbers.divide(call.plain(1), whole(100), call.at);
    return quantile(call, Array.isArray(of) ? of : [call.scalar()], fraction);
  }),
  variance: takingMany((call) => variance(call, 1)),
  pvariance: takingMany((call) => variance(call, 0)),
  stdev: takingMany((call) => call.power(variance(call, 1), half)),
  pstdev: takingMany((call) => call.power(variance(call, 0), half)),
};
