import { evaluate } from 'mathjs';
import { calculate } from '../../src/capabilities/math/calculate';
import type { CalculateInput } from '../../src/capabilities/math/inputs';
import { type Row } from './rows';
import type { ToolContext } from '../../src/core/capability/tool';

/** Expressions that both understand alike: arithmetic, powers, functions, statistics, units. */
const expressions: readonly string[] = [
  '2 + 3 * 4',
  '(1 + 2) * (3 - 4) / 5',
  '2 ^ 10 - 1',
  '0.1 + 0.2',
  '1 / 3 + 1 / 6',
  '1234.5678 * 8765.4321',
  'sqrt(2) * sin(1)',
  'log10(1000) + exp(2)',
  'factorial(20)',
  'mean(1, 2, 3, 4, 5)',
  'max(3, 1, 2) - min(3, 1, 2)',
  '50 + 10%',
  '5 km to m',
  'gcd(12, 18) + lcm(4, 6)',
  'round(3.14159, 2)',
  '((((1 + 2) * 3 - 4) / 5) ^ 2) ^ 0.5',
];

const input = (expression: string): CalculateInput => ({ expression, mode: 'float', base: 10, angle: 'rad' });

/** Evaluations a second of one evaluator over all expressions, the best of several short rounds. */
async function rate(run: (expression: string) => unknown, rounds: number): Promise<number> {
  let best = 0;
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    let count = 0;
    while (performance.now() - started < 150) {
      for (const expression of expressions) await run(expression);
      count += expressions.length;
    }
    best = Math.max(best, (count * 1000) / (performance.now() - started));
  }
  return best;
}

/**
 * Compares `calculate`, from input to payload, with mathjs from text to value, in turns so that both meet the same
 * machine.
 */
export async function bench(): Promise<Row[]> {
  // The calculator asks its context for nothing.
  const context = {} as ToolContext;
  const ours = (expression: string): unknown => calculate.run(input(expression), context);
  const peer = async (expression: string): Promise<unknown> => evaluate(expression);
  await rate(ours, 1);
  await rate(peer, 1);
  let [own, other] = [0, 0];
  for (let turn = 0; turn < 3; turn++) {
    own = Math.max(own, await rate(ours, 2));
    other = Math.max(other, await rate(peer, 2));
  }
  return [
    {
      name: 'calculate, 16 expressions (peer: mathjs 15.2.0)',
      ours: Math.round(own),
      peer: Math.round(other),
      ratio: own / other,
      unit: 'evaluations/s',
      target: '>= 1 and at least 10,000',
      met: own >= other && own >= 10_000,
    },
  ];
}
