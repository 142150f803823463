import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { Json } from '../../../../src/core/base/json';
import { SecretSession } from '../../../../src/core/secrets/session';
import { runs } from '../../../support/counts';
import { drawnOf, drawnSecret } from '../../../support/secretSamples';

const newSession = (): SecretSession => {
  let drawn = 0x1000_0000;
  return new SecretSession(
    () => (drawn += 7919).toString(16).slice(-8),
    () => 0,
  );
};
const options = { mode: 'hide', places: ['folder .'], isEnvironment: false } as const;
const hide = (value: Json, session = newSession()): Json => session.hide(value, options).value;

/** A text in another spelling: its pieces, between which a break leaves each piece whole. */
type Spelling = (text: string) => readonly string[];

const bytes = (text: string): readonly number[] => [...Buffer.from(text)];
const digits = (byte: number): string => byte.toString(16).padStart(2, '0');
const escaped =
  (write: (byte: number) => string): Spelling =>
  (text) =>
    bytes(text).map(write);

/** Codings that hold a text of any signs. */
const codings: Readonly<Record<string, Spelling>> = {
  base64: (text) => [...Buffer.from(text).toString('base64')],
  'base64 of URLs': (text) => [...Buffer.from(text).toString('base64url')],
  hexadecimal: (text) => [...Buffer.from(text).toString('hex')],
  'capital hexadecimal': (text) => [...Buffer.from(text).toString('hex').toUpperCase()],
  'digits in groups': (text) => [bytes(text).map(digits).join(' ')],
  'a list of bytes': (text) => [bytes(text).join(', ')],
  'a list in lines': (text) => [bytes(text).join(',\n    ')],
  'hexadecimal bytes': (text) => [bytes(text).map((byte) => `0x${digits(byte)}`).join(',')],
  'URL escapes': escaped((byte) => `%${digits(byte)}`),
  'URL escapes, twice': escaped((byte) => `%25${digits(byte)}`),
  'escapes of programs': escaped((byte) => `\\x${digits(byte)}`),
  'escapes of JSON': escaped((byte) => `\\u00${digits(byte)}`),
  'octal escapes': escaped((byte) => `\\${byte.toString(8).padStart(3, '0')}`),
  'HTML escapes': escaped((byte) => `&#${byte};`),
}; // prettier-ignore

/** What cuts a text and is not meant. */
const breaks: readonly string[] = [
  '\n', '\r\n', '\n    ', '\n\t', '=\n', '\\\n', '\\\n  ', '\\n', '" + "', "' + '", '"\n  + "', '" +\n    "', '" "', "' . '",
  '\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u034f', '\ufe0f', '\u{e0041}', '\u001b[0m', '\u001b[1;31m', '\u001b]8;;\u0007',
]; // prettier-ignore

/** The same pieces with a break before some of them, none of which has one already. */
const cut = (pieces: readonly string[], places: readonly number[], sign: string): readonly string[] => {
  const at = new Set(places.map((place) => 1 + (place % Math.max(1, pieces.length - 1))));
  const isCut = (piece: string): boolean => breaks.some((one) => piece.startsWith(one));
  return pieces.map((piece, index) => (at.has(index) && !isCut(piece) ? sign + piece : piece));
};

/** What is shown of what stood between two quotes, without the signs that cut it. */
const leftOf = (shown: string): string =>
  shown
    .slice('before "'.length, -'" behind'.length)
    .replace(/\{\{secret:[^}]*\}\}/g, '')
    .replace(/\\n|[^\x21-\x7e]|["'+=\\.]|\[[\d;]*m|\]8;;/g, '');

interface Step {
  readonly name: string;
  /** Of a break. */
  readonly sign?: string;
  /** Where it cuts. */
  readonly places: readonly number[];
}

const step: fc.Arbitrary<Step> = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...Object.keys(codings)).map((name) => ({ name })),
      fc.constantFrom(...breaks).map((sign) => ({ name: JSON.stringify(sign), sign })),
    ),
    fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
  )
  .map(([one, places]) => ({ ...one, places }));

/** Two of them; what is two codings already stands for one of them only once. */
const pair = fc.tuple(step, step).filter((steps) => !steps.every(({ name }) => name === 'URL escapes, twice'));

/** The text after some steps, each a coding or a break. */
function composed(secret: string, steps: readonly Step[]): string {
  let pieces: readonly string[] = [...secret];
  for (const { name, sign, places } of steps)
    pieces = sign === undefined ? (codings[name] ?? assert.fail)(pieces.join('')) : cut(pieces, places, sign);
  return pieces.join('');
}

/** What other seeds found: a tabulator by a number of one digit, and a sign of joined texts at a line's end. */
const foundOnce: [string, [Step, Step]][] = [
  [';a,?;,;@A~a*!-_*', [{ name: 'a line', sign: '\n\t', places: [1] }, { name: 'HTML escapes', places: [] }]],
  ['~0-$_,*;!!~*:_A/?', [{ name: 'a line', sign: '\n', places: [0] }, { name: 'a line', sign: '\n', places: [0] }]],
]; // prettier-ignore

/** With the kind alone in the place of each placeholder. */
const withKinds = (shown: string): string =>
  shown.replace(/\{\{secret:([a-z-]+):[^}]*\}\}/g, (_all, kind: string) => `<${kind}>`);

describe('secrets that are broken or coded once more', () => {
  it('D.redaction: a known value is hidden by any two codings or breaks, and nothing around it', () => {
    const value = fc
      .stringMatching(/^[A-Za-z0-9!#$*,/:;?@^_~-]{16,40}$/)
      .filter((one) => new Set(one).size > 8 && !/\{\{/.test(one));
    fc.assert(
      fc.property(value, pair, (secret, steps) => {
        const session = newSession();
        session.know(secret, 'env-value', ['folder .']);
        const text = `before "${composed(secret, steps)}" behind`;
        const shown = String(hide(text, session));
        const left = leftOf(shown);
        // The last letters of base64 may stay, however often each of them is escaped.
        assert.ok(
          left.length <= Math.max(8, 0.2 * leftOf(text).length),
          `${steps.map(({ name }) => name)}: ${JSON.stringify({ text, shown, left })}`,
        );
        assert.ok(shown.startsWith('before "') && shown.endsWith('" behind'), shown);
      }),
      { numRuns: runs(1000, 20_000), examples: foundOnce },
    );
  });

  it('D.redaction: a token that its form gives away is hidden by any two of them too', () => {
    const missed = new Set<string>();
    let all = 0;
    const number = fc.nat({ max: 10_000 });
    fc.assert(
      fc.property(number, pair, (drawn, steps) => {
        const { kind, secret } = drawnSecret(drawn);
        all++;
        const shown = String(hide(`before "${composed(secret, steps)}" behind`));
        assert.ok(shown.startsWith('before "') && shown.endsWith('" behind'), shown);
        if (!shown.includes('{{secret:')) missed.add(`${kind}: ${steps.map(({ name }) => name).join(', ')}`);
      }),
      { numRuns: runs(500, 5000) },
    );
    assert.ok(missed.size <= 0.02 * all, [...missed].join('\n'));
  });

  it('D.redaction: exactly the characters of a token that is cut are replaced, line by line', () => {
    const token = drawnSecret(0).secret;
    const [one, two] = [token.slice(0, 14), token.slice(14)];
    const shown = (text: string): string => withKinds(String(hide(text)));
    const kind = '<github-token>';
    const texts: readonly (readonly [text: string, left: string])[] = [
      [`a = ${one}\n    ${two}\nb = 1\n`, `a = ${kind}\n    ${kind}\nb = 1\n`],
      [`a ${one}=\r\n${two} b`, `a ${kind}=\r\n${kind} b`],
      [`a ${one}\\\n  ${two} b`, `a ${kind}\\\n  ${kind} b`],
      [`const a = "${one}" +\n  "${two}";`, `const a = "${kind}" +\n  "${kind}";`],
      [`const a = '${one}' + '${two}';`, `const a = '${kind}';`],
      [`x\u200b ${one}\u200b${two}\u200b\n`, `x\u200b ${kind}\u200b\n`],
      [`${one}\u001b[0m${two}\u001b[0m: b`, `${kind}\u001b[0m: b`],
      [`[1,${[...Buffer.from(` ${token} `)].join(',')},2]`, `[1,32,${kind},32,2]`],
      [`x=${Buffer.from(`a: ${token}, b`).toString('hex')};`, `x=613a20${kind}2c2062;`],
    ];
    for (const [text, left] of texts) assert.equal(shown(text), left);
    const data = [...Buffer.from(`a ${token}`)];
    assert.deepEqual(JSON.parse(withKinds(JSON.stringify(hide({ type: 'Buffer', data })))), {
      type: 'Buffer',
      data: [97, 32, kind],
    });
    assert.deepEqual(hide({ data: [...Buffer.from('a line of words')] }), {
      data: [...Buffer.from('a line of words')],
    });
  });

  it('D.redaction: a word below a token or beside it stays, and words that stand below each other are no token', () => {
    const token = drawnSecret(0).secret;
    for (const after of ['\nNEXT_VALUE_2=1', '\nnext', '\\\n  --option2', '" "next2', "' + 'Rest1", '\n9fceb02d0ae598e95dc970b74767'])
      assert.ok(String(hide(`KEY="${token}${after}"`)).endsWith(`${after}"`), after);
    for (const text of [
      'src/secrets1/aws_key\n9fceb02d0ae598e95dc970b74767f19372d61af8\n',
      `${drawnOf('<h:40>', 1)}\n${drawnOf('<h:40>', 2)}\n${drawnOf('<h:64>', 3)}\n`,
      `-----BEGIN CERTIFICATE-----\n${Array.from({ length: 9 }, (_, at) => drawnOf('</:64>', at)).join('\n')}\n-----END CERTIFICATE-----\n`,
      'node_modules/sk-component-2.0.1\nnode_modules/api-reference-3.4.5-release\nREADME.md\n',
      '"ghp_" + name2 + "ABCDEFGHIJKL123456"',
      `[${Array.from({ length: 300 }, (_, at) => (at * 7919) % 256).join(', ')}]`,
    ])
      assert.equal(hide(text), text);
  }); // prettier-ignore
});
