import { strict as assert } from 'node:assert';
import { math } from '../../../../src/capabilities/math/math';
import { callTool } from '../../../support/toolContext';

const run = async (input: Record<string, unknown>): Promise<any> => {
  const result = await callTool(math, 'calculate', input);
  return result.ok ? result.outcome.payload : result.error;
};

/** `result unit` with `~` where it is rounded; a code and column where it is an error. */
const short = async (expression: string, more: Record<string, unknown> = {}): Promise<string> => {
  const answer = await run({ expression, ...more });
  if (answer.code) return `${answer.code}${answer.details?.column ? `@${answer.details.column}` : ''}`;
  return `${answer.exact ? '' : '~'}${answer.result}${answer.unit ? ` ${answer.unit}` : ''}`;
};

async function table(rows: readonly (readonly [string, string])[], more: Record<string, unknown> = {}): Promise<void> {
  const got: [string, string][] = [];
  for (const [expression] of rows) got.push([expression, await short(expression, more)]);
  assert.deepEqual(got, rows);
}

describe('calculate', () => {
  it('S3.math: computes by precedence and keeps decimals exact', () =>
    table([
      ['2 + 3 * 4', '14'],
      ['(2 + 3) * 4', '20'],
      ['0.1 + 0.2', '0.3'],
      ['1 / 3', '~0.333333333333333'],
      ['1 / 3 * 3', '1'],
      ['-2 ^ 2', '-4'],
      ['(-2) ^ 2', '4'],
      ['2 ^ 3 ^ 2', '512'],
      ['2 ^ -1', '0.5'],
      ['2 ** 10', '1024'],
      ['7 // 2', '3'],
      ['-7 // 2', '-4'],
      ['-7 mod 3', '2'],
      ['10 % 3', '1'],
      ['5!', '120'],
      ['-3!', '-6'],
      ['2 × 3 ÷ 4 − 1', '0.5'],
      ['5²', '25'],
      ['√16 + 1', '5'],
      ['0xff + 0b11 + 0o17', '273'],
      ['1_000_000 * 2.5e-3', '2500'],
      ['.5 + 5.', '5.5'],
      ['2(3 + 4)', '14'],
      ['6 / 2(1 + 2)', '9'],
      ['2 pi', '~6.28318530717959'],
      ['2^100', '1267650600228229401496703205376'],
      ['+4', '4'],
      ['8 | 3', '11'],
      ['12 & 10', '8'],
      ['1 << 10', '1024'],
      ['-5 >> 1', '-3'],
    ]));

  it('knows functions, and gives exact values where there are any', () =>
    table([
      ['sqrt(16)', '4'],
      ['sqrt(2)', '~1.4142135623731'],
      ['sqrt(2)^2 - 2', '~0'],
      ['cbrt(-27)', '-3'],
      ['root(81, 4)', '3'],
      ['8^(2/3)', '4'],
      ['log10(1000)', '3'],
      ['log2(1/8)', '-3'],
      ['log(81, 3)', '4'],
      ['ln(e)', '~1'],
      ['exp(0)', '1'],
      ['sin(30 deg)', '0.5'],
      ['cos(60 deg)', '0.5'],
      ['sin(pi)', '~0'],
      ['tan(45 deg)', '1'],
      ['sin(1)', '~0.841470984807897'],
      ['atan2(1, -1) * 180 / pi', '~135'],
      ['asin(1)', '~1.5707963267949'],
      ['abs(-5)', '5'],
      ['sign(-3)', '-1'],
      ['round(2.5)', '3'],
      ['round(-2.5)', '-3'],
      ['round(3.14159, 2)', '3.14'],
      ['floor(-1.5)', '-2'],
      ['ceil(1.2)', '2'],
      ['trunc(-1.7)', '-1'],
      ['gcd(12, 18, 27)', '3'],
      ['lcm(4, 6)', '12'],
      ['gcd(0, 0)', '0'],
      ['factorial(20)', '2432902008176640000'],
      ['combinations(5, 2)', '10'],
      ['ncr(52, 5)', '2598960'],
      ['permutations(5, 2)', '20'],
      ['hypot(3, 4)', '5'],
      ['pow(2, 8)', '256'],
      ['mod(-1, 5)', '4'],
      ['bitxor(5, 3)', '6'],
      ['bitnot(0)', '-1'],
      ['shl(1, 4) + shr(16, 2) + bitand(6, 3) + bitor(1, 2)', '25'],
      ['degrees(pi)', '~180'],
      ['radians(180)', '~3.14159265358979'],
      ['sinh(0) + cosh(0) + tanh(0)', '~1'],
      ['sinh(1000) / cosh(1000)', '~1'],
      ['asinh(sinh(2)) + acosh(cosh(3)) + atanh(tanh(0.5))', '~5.5'],
      ['acos(1) + atan(0)', '~0'],
    ]));

  it('computes statistics of lists and of arguments', () =>
    table([
      ['mean(1, 2, 3, 4)', '2.5'],
      ['mean([1, 2, 3], 4)', '2.5'],
      ['median(3, 1, 2)', '2'],
      ['median(4, 1, 2, 3)', '2.5'],
      ['mode(1, 2, 2, 3)', '2'],
      ['stdev(2, 4, 4, 4, 5, 5, 7, 9)', '~2.1380899352994'],
      ['pstdev(2, 4, 4, 4, 5, 5, 7, 9)', '2'],
      ['variance(1, 2, 3, 4)', '~1.66666666666667'],
      ['pvariance([1, 2, 3, 4])', '1.25'],
      ['percentile([15, 20, 35, 40, 50], 40)', '29'],
      ['percentile([1, 2], 0) + percentile([1, 2], 100)', '3'],
      ['min(3, 1, 2) + max([3, 1, 2])', '4'],
      ['sum(1, 2, 3) + product(2, 3, 4) + count(1, 1) + range(1, 5)', '36'],
    ]));

  it('takes a percentage of what it is added to', () =>
    table([
      ['50 + 10%', '55'],
      ['200 - 25%', '150'],
      ['50 + (10%)', '50.1'],
      ['15% of 80', '12'],
      ['15 percent of 80', '12'],
      ['10% * 2', '0.2'],
      ['10% + 5%', '0.15'],
      ['80 * 15%', '12'],
      ['percentof(30, 120)', '25'],
      ['percentchange(80, 100)', '25'],
    ]));

  it('computes with units and converts them exactly', () =>
    table([
      ['5 km + 300 m', '5.3 km'],
      ['1 mi to km', '1.609344 km'],
      ['100 km/h to m/s', '~27.7777777777778 m/s'],
      ['100 km / 2 h', '50 km/h'],
      ['60 mph to km/h', '96.56064 km/h'],
      ['3 GiB in MB', '3221.225472 MB'],
      ['1 GB / 100 Mbps to s', '80 s'],
      ['90 min to h', '1.5 h'],
      ['5 in to cm', '12.7 cm'],
      ['6 ft in in', '72 in'],
      ['20 degC to degF', '68 degF'],
      ['-40 degF to degC', '-40 degC'],
      ['-40 degC', '-40 degC'],
      ['0 K to degC', '-273.15 degC'],
      ['25 degC - 20 degC', '5 K'],
      ['2 m * 3 m', '6 m^2'],
      ['(2 m)^3 to L', '8000 L'],
      ['sqrt(9 m^2)', '3 m'],
      ['10 m / 2 m', '5'],
      ['round(1.26 km, 1)', '1.3 km'],
      ['pi rad to deg', '~180 deg'],
      ['mean(1 km, 500 m)', '0.75 km'],
      ['1 lb + 1 oz to g', '481.941893125 g'],
      ['2 days + 3 h to min', '3060 min'],
      ['200 km + 10%', '220 km'],
    ]));

  it('answers fractions in exact mode and refuses what has no exact value', async () => {
    await table(
      [
        ['1/3 + 1/6', '0.5'],
        ['1/3', '1/3'],
        ['2^200', String(2n ** 200n)],
        ['sqrt(9/4)', '1.5'],
        ['sqrt(2)', 'invalid_expression@1'],
        ['1 + pi', 'invalid_expression@1'],
        ['sin(30 deg)', '0.5'],
      ],
      { mode: 'exact' },
    );
    assert.deepEqual(await run({ expression: '-2/7', mode: 'exact' }), {
      result: '-2/7',
      exact: true,
      decimal: '-0.285714285714286',
    });
  });

  it('honours precision, base and angle', async () => {
    assert.deepEqual(
      [
        await short('pi', { precision: 50 }),
        await short('1/7', { precision: 30 }),
        await short('sqrt(2)', { precision: 3 }),
        await short('123456', { precision: 2 }),
        await short('255', { base: 16 }),
        await short('-10', { base: 2 }),
        await short('35', { base: 36 }),
        await short('1/2', { base: 2 }),
        await short('sin(90)', { angle: 'deg' }),
        await short('atan(1)', { angle: 'deg' }),
        await short('exp(1000)'),
        await short('9^9^9'),
      ],
      [
        '~3.1415926535897932384626433832795028841971693993751',
        '~0.142857142857142857142857142857',
        '~1.41',
        '~120000',
        '0xff',
        '-0b1010',
        'z',
        'too_large',
        '1',
        '~45',
        '~1.97007111401705e+434',
        '~4.28124773175747e+369693099',
      ],
    );
  });

  it('computes several expressions with names and variables', async () => {
    assert.deepEqual(
      await run({
        expressions: ['net = 100', 'tax = net * rate', 'data = [1, 2, 3]', 'net + tax + mean(data)'],
        variables: { rate: 0.19 },
      }),
      {
        results: [
          { name: 'net', result: '100', exact: true },
          { name: 'tax', result: '19', exact: true },
          { name: 'data', count: 3 },
          { result: '121', exact: true },
        ],
      },
    );
    assert.deepEqual(
      [
        (await run({ expressions: ['1', '2 +'] })).message,
        (await run({ expression: '1', expressions: ['1'] })).code,
        (await run({})).code,
        (await run({ expression: '1', variables: { 'a b': 1 } })).code,
        (await run({ expression: 'pi = 3' })).code,
        (await run({ expression: 'sin = 3' })).code,
        (await run({ expression: 'x - 1', variables: { x: -1e-7 } })).result,
      ],
      [
        'expression 2 of 2, column 4: expected a number, a name or `(`, got the end',
        'invalid_input',
        'invalid_input',
        'invalid_input',
        'invalid_expression',
        'invalid_expression',
        '-1.0000001',
      ],
    );
  });

  it('S3.math: says what is wrong and in which column', () =>
    table([
      ['1 / 0', 'division_by_zero@5'],
      ['1 mod 0', 'division_by_zero@7'],
      ['0 ^ -1', 'division_by_zero@3'],
      ['2 +', 'invalid_expression@4'],
      ['(2 + 3', 'invalid_expression@7'],
      ['2 + 3)', 'invalid_expression@6'],
      ['2 3', 'invalid_expression@3'],
      ['2 + * 3', 'invalid_expression@5'],
      ['1,000', 'invalid_expression@2'],
      ['2 # 3', 'invalid_expression@3'],
      ['foo + 1', 'invalid_expression@1'],
      ['1 + sqr(2)', 'invalid_expression@5'],
      ['sqrt()', 'invalid_expression@1'],
      ['sqrt(-1)', 'invalid_expression@1'],
      ['1 km + 1 s', 'invalid_expression@6'],
      ['1 km to s', 'invalid_expression@6'],
      ['20 degC * 2', 'invalid_expression@9'],
      ['20 degC + 20 degC', 'invalid_expression@9'],
      ['[1, 2] + 1', 'invalid_expression@1'],
      ['1.5!', 'invalid_expression@4'],
      ['0x', 'invalid_expression@1'],
      ['1__0', 'invalid_expression@1'],
      ['tan(90 deg)', 'invalid_expression@1'],
      ['asin(2)', 'invalid_expression@1'],
      ['', 'invalid_input'],
      ['   ', 'invalid_expression@4'],
      ['constructor', 'invalid_expression@1'],
      ['__proto__', 'invalid_expression@1'],
      ['toString()', 'invalid_expression@1'],
    ]));
});
