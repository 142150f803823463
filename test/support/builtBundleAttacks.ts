import { bytes, defined, envelope, mine, next, nextText, text } from './bundleAttacks';

type Attack = readonly [string, Uint8Array];

const values: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  'a number below zero': -1,
  'a fraction': 0.5,
  'a text': 'x',
  'an empty text': '',
  'a list': [],
  'a list of one': [{}],
  'an object': {},
  'an object with more': { x: { x: 1 } },
};
/** Where what stands there may be so: an empty part says nothing. */
const mayBe = (key: string, what: string): boolean =>
  what === 'an object' && ['settings', 'servers', 'definitions'].includes(key);

const payload: Readonly<Record<string, unknown>> = JSON.parse(nextText);
const twice = (key: string, first: unknown, name = key): Uint8Array =>
  text(nextText.replace(`"${key}":`, `"${name}":${JSON.stringify(first)},"${key}":`));

function* ofThePayload(): Generator<Attack> {
  for (const key of Object.keys(payload)) {
    for (const [what, value] of Object.entries(values))
      if (!mayBe(key, what)) yield [`${what} as \`${key}\``, mine.seal(next({ [key]: value }))];
    yield [`\`${key}\` twice, the same`, twice(key, payload[key])];
    yield [`\`${key}\` twice, first another`, twice(key, null)];
    yield [
      `\`${key}\` twice, once by an escape`,
      twice(key, payload[key], `\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}`),
    ];
    yield [`\`${key}\` with a capital beside it`, twice(key, payload[key], key[0]?.toUpperCase() + key.slice(1))];
    yield [`\`${key}\` with a space beside it`, twice(key, payload[key], `${key} `)];
    yield [`\`${key}\` with a joiner beside it`, twice(key, payload[key], `${key}\u200d`)];
  }
}

function* ofTheEnvelope(): Generator<Attack> {
  for (const key of ['payloadType', 'payload', 'signatures']) {
    for (const [what, value] of Object.entries(values))
      yield [`${what} as \`${key}\` of the envelope`, envelope((parts) => ({ ...parts, [key]: value }))];
    yield [`an envelope without \`${key}\``, envelope((parts) => void delete parts[key])];
    const whole = new TextDecoder().decode(mine.seal(next()));
    const again = `"${key}": ${JSON.stringify(JSON.parse(whole)[key])},`;
    yield [`\`${key}\` of the envelope twice`, bytes(whole.replace('{', `{\n  ${again}`))];
    yield [
      `\`${key}\` of the envelope with a capital beside it`,
      envelope((parts) => ({ ...parts, [key.toUpperCase()]: parts[key] })),
    ];
  }
  for (const key of ['keyid', 'sig']) {
    for (const [what, value] of Object.entries(values))
      yield [`${what} as \`${key}\` of the signature`, envelope((parts) => void (parts.signatures[0][key] = value))];
    yield [`a signature without \`${key}\``, envelope((parts) => void delete parts.signatures[0][key])];
    yield [`a space behind \`${key}\``, envelope((parts) => void (parts.signatures[0][key] += ' '))];
    yield [
      `\`${key}\` turned around`,
      envelope((parts) => void (parts.signatures[0][key] = [...parts.signatures[0][key]].reverse().join(''))),
    ];
  }
  for (const count of [2, 3, 100])
    yield [
      `the signature ${count} times`,
      envelope((parts) => void (parts.signatures = Array(count).fill(parts.signatures[0]))),
    ];
}

function* ofFiles(): Generator<Attack> {
  const inFront = [
    '../',
    '../../',
    'a/',
    '/',
    '//',
    '\\',
    '\\\\host\\share\\',
    'C:',
    'C:/',
    './',
    '.../',
    '~',
    ' ',
    '\t',
    '%2e%2e/',
    '\u2025/',
    '\uff0e\uff0e\uff0f',
    '\ufeff',
    'file:',
    'con\\',
  ];
  for (const place of inFront)
    yield [`a definition behind ${JSON.stringify(place)}`, defined(`${place}deploy.capability.json`)];
  for (const rest of [
    ' ',
    '.',
    '::$DATA',
    ':x',
    '\0.capability.json',
    '/.',
    '/..',
    '\\',
    '?x',
    '#x',
    '\n',
    '.exe',
    '~1',
  ])
    yield [`a definition before ${JSON.stringify(rest)}`, defined(`deploy.capability.json${rest}`)];
}

function* ofSize(): Generator<Attack> {
  const long = 'x'.repeat(1_000_000);
  yield ['a huge name', mine.seal(next({ name: long }))];
  yield ['a huge time', mine.seal(next({ expires: long }))];
  yield ['a huge number', text(nextText.replace('"revision":3', `"revision":3${'0'.repeat(1_000_000)}`))];
  yield ['a huge definition', defined('deploy.capability.json', { sha256: '', text: long })];
  yield [
    'many servers',
    mine.seal(
      next({ servers: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`s${at}`, { sha256: 'x' }])) }),
    ),
  ];
  yield ['a huge signature', envelope((parts) => void (parts.signatures[0].sig = long))];
  yield ['a huge key id', envelope((parts) => void (parts.signatures[0].keyid = long))];
  yield ['many signatures', envelope((parts) => void (parts.signatures = Array(10_000).fill(parts.signatures[0])))];
  yield ['much space', text(`${nextText}${' '.repeat(1_000_000)}`)];
  yield ['a deep envelope', bytes('{"payload":'.repeat(10_000))];
}

/** Attacks by construction: each part with each thing that it cannot be, doubled, renamed, moved, too large. */
export const builtAttacks: Readonly<Record<string, Uint8Array>> = Object.fromEntries([
  ...ofThePayload(),
  ...ofTheEnvelope(),
  ...ofFiles(),
  ...ofSize(),
]);
