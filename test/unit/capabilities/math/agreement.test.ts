import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { math } from '../../../../src/capabilities/math/math';
import { runs } from '../../../support/counts';
import {
  equal,
  floorOf,
  type Fraction,
  fractionFromText,
  fractionOf,
  isNothing,
  minus,
  near,
  over,
  plus,
  raised,
  times,
} from '../../../support/fraction';
import { callTool } from '../../../support/toolContext';

/** A random expression with the value that exact arithmetic gives it; undefined where it divides by zero. */
interface Sample {
  readonly text: string;
  readonly value: Fraction | undefined;
  /** How tightly the text's last operation binds, so that parentheses stand only where they are needed. */
  readonly power: number;
}

const wrap = (sample: Sample, power: number): string => (sample.power < power ? `(${sample.text})` : sample.text);
const both = (a: Sample, b: Sample, f: (x: Fraction, y: Fraction) => Fraction | undefined): Fraction | undefined =>
  a.value && b.value ? f(a.value, b.value) : undefined;

const whole = fc
  .integer({ min: 0, max: 99_999 })
  .map((n): Sample => ({ text: String(n), value: fractionOf(BigInt(n)), power: 9 }));
const decimal = fc
  .tuple(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 0, max: 9999 }))
  .map(([a, b]): Sample => ({ text: `${a}.${b}`, value: fractionFromText(`${a}.${b}`), power: 9 }));
const hex = fc
  .integer({ min: 0, max: 0xffff })
  .map((n): Sample => ({ text: `0x${n.toString(16)}`, value: fractionOf(BigInt(n)), power: 9 }));

const { tree } = fc.letrec<{ tree: Sample }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    whole,
    decimal,
    hex,
    fc.tuple(tie('tree'), tie('tree'), fc.constantFrom('+', '-')).map(([a, b, sign]): Sample => ({
      text: `${wrap(a, 1)} ${sign} ${wrap(b, 2)}`,
      value: both(a, b, sign === '+' ? plus : minus),
      power: 1,
    })),
    fc.tuple(tie('tree'), tie('tree'), fc.constantFrom('*', '/', '//', 'mod')).map(([a, b, sign]): Sample => ({
      text: `${wrap(a, 2)} ${sign} ${wrap(b, 3)}`,
      value: both(a, b, (x, y) => {
        if (sign === '*') return times(x, y);
        if (isNothing(y)) return undefined;
        if (sign === '/') return over(x, y);
        const quotient = fractionOf(floorOf(over(x, y)));
        return sign === '//' ? quotient : minus(x, times(quotient, y));
      }),
      power: 2,
    })),
    tie('tree').map((a): Sample => ({
      text: `-${wrap(a, 3)}`,
      value: a.value && minus(fractionOf(0n), a.value),
      power: 3,
    })),
    fc.tuple(tie('tree'), fc.integer({ min: -3, max: 3 })).map(([a, n]): Sample => ({
      text: `${wrap(a, 5)}^${n}`,
      value: a.value && !(isNothing(a.value) && n < 0) ? raised(a.value, n) : undefined,
      power: 4,
    })),
    fc.tuple(tie('tree'), tie('tree')).map(([a, b]): Sample => ({
      text: `max(${a.text}, ${b.text})`,
      value: both(a, b, (x, y) => (minus(x, y).top >= 0n ? x : y)),
      power: 9,
    })),
    fc.tuple(tie('tree'), tie('tree'), tie('tree')).map(([a, b, c]): Sample => ({
      text: `mean(${a.text}, ${b.text}, ${c.text})`,
      value: a.value && both(b, c, (x, y) => a.value && over(plus(plus(a.value, x), y), fractionOf(3n))),
      power: 9,
    })),
    tie('tree').map((a): Sample => ({
      text: `abs(${a.text})`,
      value: a.value && (a.value.top < 0n ? minus(fractionOf(0n), a.value) : a.value),
      power: 9,
    })),
    tie('tree').map((a): Sample => ({
      text: `floor(${a.text})`,
      value: a.value && fractionOf(floorOf(a.value)),
      power: 9,
    })),
    tie('tree').map((a): Sample => ({
      text: `${wrap(a, 5)}%`,
      value: a.value && over(a.value, fractionOf(100n)),
      power: 1,
    })),
  ),
}));

describe('calculate against an independent exact implementation', () => {
  it('S3.math: 10,000 random expressions agree, exactly in exact mode and to 15 digits else', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(tree, async ({ text, value }) => {
        fc.pre(text.length < 1500);
        const exact = await callTool(math, 'calculate', { expression: text, mode: 'exact' });
        const float = await callTool(math, 'calculate', { expression: text });
        if (value === undefined) {
          assert.ok(!exact.ok && !float.ok, `${text} must divide by zero`);
          assert.deepEqual([exact.error.code, float.error.code], ['division_by_zero', 'division_by_zero']);
          return;
        }
        if (!exact.ok) {
          assert.equal(exact.error.code, 'too_large', `${text}: ${exact.error.message}`);
        } else {
          const { result } = exact.outcome.payload as { result: string };
          assert.ok(equal(fractionFromText(result), value), `${text} = ${result}`);
          compared++;
        }
        assert.ok(float.ok, text);
        const answer = float.outcome.payload as { result: string; exact: boolean };
        const shown = fractionFromText(answer.result);
        assert.ok(answer.exact ? equal(shown, value) : near(shown, value, 10n ** 14n), `${text} = ${answer.result}`);
      }),
      { numRuns: runs(50, 10_000) },
    );
    assert.ok(compared > runs(50, 10_000) * 0.8, `only ${compared} were compared exactly`);
  });
});
