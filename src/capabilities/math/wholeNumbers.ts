import { tooLarge } from './expressionError';
import { type MathCall, type MathFunction, taking, takingMany, takingOne, takingTwo } from './mathCall';
import type { Scalar } from './quantity';
import { absolute, gcd, whole } from './rational';

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

function factorial(call: MathCall): Scalar {
  const n = call.integer();
  if (n < 0n) throw call.error('a factorial is taken of a whole number from 0');
  if (n > 5000n) throw tooLarge('a factorial is taken of at most 5000', call.at);
  call.charge(500 + Number(n) * Number(n) * 0.3);
  return whole(product(1n, n));
}

function permutations(call: MathCall, n: bigint, k: bigint): bigint {
  if (k < 0n || n < 0n) throw call.error('whole numbers from 0 are expected');
  if (k > n) return 0n;
  if (k > 5000n || absolute(n) > 10n ** 30n) throw tooLarge('at most 5000 of 10^30 can be taken', call.at);
  call.charge(500 + Number(k) * Number(k) * 4);
  return product(n - k + 1n, n);
}

function combinations(call: MathCall): Scalar {
  const [n, k] = [call.integer(0), call.integer(1)];
  const fewer = k > n - k && k <= n ? n - k : k;
  return whole(permutations(call, n, fewer) / (fewer > 0n ? product(1n, fewer) : 1n));
}

function bitwise(combine: (a: bigint, b: bigint) => bigint): MathFunction {
  return taking(2, 1000, (call) => {
    call.charge(call.args.length * 3000);
    return whole(call.args.map((_arg, index) => call.integer(index)).reduce(combine));
  });
}

function shift(call: MathCall, left: boolean): Scalar {
  const value = call.integer(0);
  const by = call.smallInteger(1, 0, 60_000);
  call.charge(10_000);
  return left ? call.multiply(whole(value), call.power(whole(2), whole(by))) : whole(value >> BigInt(by));
}

function folded(combine: (a: bigint, b: bigint) => bigint): MathFunction {
  return takingMany((call) => {
    const all = call.integers();
    const bits = all.reduce((sum, value) => sum + value.toString(16).length * 4, 0);
    call.charge(500 + bits * bits * 0.1 + bits * 100);
    return whole(all.reduce(combine, all.length > 1 ? (all[0] ?? 0n) : 0n));
  });
}

/** The functions of whole numbers, by name. */
export const wholeNumbers: Readonly<Record<string, MathFunction>> = {
  gcd: folded(gcd),
  lcm: folded((a, b) => (a === 0n || b === 0n ? 0n : absolute(a * b) / gcd(a, b))),
  factorial: takingOne(factorial),
  permutations: takingTwo((call) => whole(permutations(call, call.integer(0), call.integer(1)))),
  combinations: takingTwo(combinations),
  bitand: bitwise((a, b) => a & b),
  bitor: bitwise((a, b) => a | b),
  bitxor: bitwise((a, b) => a ^ b),
  bitnot: takingOne((call) => whole(~call.integer())),
  shl: takingTwo((call) => shift(call, true)),
  shr: takingTwo((call) => shift(call, false)),
};
