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

  it('approximates what is made of very small and very large fractions to 14 digits', async () => {
    const whole100 = fc.bigInt({ min: 1n, max: 10n ** 6n });
    const power = fc.integer({ min: 17, max: 280 });
    const near14 = async (expression: string, expected: Fraction): Promise<void> => {
      const answer = await callTool(math, 'calculate', { expression });
      assert.ok(answer.ok, expression);
      const { result } = answer.outcome.payload as { result: string };
      assert.ok(near(fractionFromText(result), expected, 10n ** 14n), `${expression} = ${result}`);
    };
    const tenTo = (places: number): Fraction =>
      places < 0 ? fractionOf(1n, 10n ** BigInt(-places)) : fractionOf(10n ** BigInt(places));
    const pi = fractionFromText('3.14159265358979323846264338327950288419716939937510');
    await fc.assert(
      fc.asyncProperty(whole100, whole100, power, fc.boolean(), async (n, d, places, isSmall) => {
        const scale = isSmall ? -places : places;
        const value = times(fractionOf(n, d), tenTo(scale));
        const text = `${n}/${d}*10^${scale}`;
        await near14(`pi*(${text})`, times(pi, value));
        await near14(`sqrt((${text})^2*4)`, times(value, fractionOf(2n)));
        await near14(`pi*(${d}/${n}/3^${places})`, times(pi, fractionOf(d, n * 3n ** BigInt(places))));
        // What is above by less than can be seen in 14 digits.
        if (isSmall && places > 40) await near14(`sin(${text})`, value);
      }),
      { numRuns: runs(10, 500) },
    );
    await near14('ln(1/3^50)', times(fractionOf(-50n), fractionFromText('1.09861228866810969139524523692252570465')));
    await near14('sqrt(2e-60)', fractionFromText('1.41421356237309504880168872420969807857e-30'));
    await near14('exp(-800)', fractionFromText('3.66787458417768721e-348'));
    await near14('0.5^1100.5', fractionFromText('5.20582748242700980e-332'));
    await near14('exp(-400)*exp(-400)', fractionFromText('3.66787458417768721e-348'));
    await near14('exp(-800)*0 + ln(1) + sin(0)', fractionOf(0n));
  });
});
