import { strict as assert } from 'node:assert';
import { generateKeyPairSync, sign as signAny } from 'node:crypto';
import { SaidError } from '../../src/core/base/sentence';
import { bundleType, signedBytes } from '../../src/core/bundles/envelope';
import { notNewer, openBundle } from '../../src/core/bundles/openBundle';
import { ed25519, signBytes } from '../../src/node/bundles/ed25519';
import { nodeCrypto } from '../../src/node/system';
import { payloadOf, signer } from './bundles';

export const mine = signer();
export const other = signer();
export const options = { name: 'acme', key: mine.publicKey, crypto: nodeCrypto, signatures: ed25519 };
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const good = mine.seal(payloadOf());
export const goodText = new TextDecoder().decode(good);
const held = openBundle(good, options);
const now = Date.parse('2026-06-01T00:00:00Z');

/** True where a file would come into force here, in the place of revision 2. */
export function isTaken(file: Uint8Array): boolean {
  try {
    return notNewer(openBundle(file, options), held, now) === undefined;
  } catch (error) {
    assert.ok(error instanceof SaidError, `refused by an error of no reader: ${String(error)}`);
    return false;
  }
}

/** The next revision, so that nothing but the attack keeps it out. */
export const next = (more: object = {}): object => payloadOf({ revision: 3, ...more });
export const nextText = JSON.stringify(next());
export const text = (payload: string): Uint8Array => mine.sign(payload);
export const envelope = (change: (parts: any) => unknown): Uint8Array => {
  const parts = JSON.parse(new TextDecoder().decode(mine.seal(next())));
  return bytes(`${JSON.stringify(change(parts) ?? parts, undefined, 2)}\n`);
};
const resign = (type: string, payload: string): Uint8Array => {
  const body = bytes(payload);
  const head = bytes(`DSSEv1 ${type.length} ${type} ${body.length} `);
  const sig = Buffer.from(signBytes(Buffer.concat([head, body]), mine.key)).toString('base64');
  return envelope((parts) => ({
    ...parts,
    payloadType: type,
    payload: Buffer.from(body).toString('base64'),
    signatures: [{ keyid: mine.publicKey.id, sig }],
  }));
};
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const definition = { sha256: nodeCrypto.sha256('{}'), text: '{}' };
export const defined = (name: string, one: unknown = definition): Uint8Array =>
  mine.seal(next({ definitions: { [name]: one } }));

/** Beside the changed bytes: what somebody would try who holds the network, the file, or the key and makes a slip. */
export const namedAttacks: Readonly<Record<string, Uint8Array>> = {
  'an empty file': bytes(''),
  'an empty object': bytes('{}\n'),
  'a list': bytes('[]\n'),
  'no JSON': bytes('bundle'),
  'bytes that are no text': Uint8Array.of(0xff, 0xfe, 0x00),
  'the payload without an envelope': bytes(nextText),
  'the payload as text in the envelope': envelope((parts) => ({ ...parts, payload: nextText })),
  'another key': other.seal(next()),
  'another key that calls itself mine': envelope((parts) => {
    parts.signatures[0].sig = Buffer.from(signBytes(signedBytes(bytes(nextText)), other.key)).toString('base64');
    parts.payload = Buffer.from(nextText).toString('base64');
  }),
  'another key that stands first': envelope((parts) => {
    parts.signatures.unshift(JSON.parse(new TextDecoder().decode(other.seal(next()))).signatures[0]);
  }),
  'another key that stands second': envelope((parts) => {
    parts.signatures.push(JSON.parse(new TextDecoder().decode(other.seal(next()))).signatures[0]);
  }),
  'the key of RSA': envelope((parts) => {
    parts.signatures[0].sig = signAny('sha256', signedBytes(bytes(nextText)), rsa).toString('base64');
  }),
  'no signatures': envelope((parts) => ({ ...parts, signatures: [] })),
  'signatures that are none': envelope((parts) => ({ ...parts, signatures: 'none' })),
  'signatures left out': envelope(({ signatures: _gone, ...parts }) => parts),
  'an empty signature': envelope((parts) => void (parts.signatures[0].sig = '')),
  'a signature of null': envelope((parts) => void (parts.signatures[0].sig = null)),
  'a signature of zeros': envelope((parts) => void (parts.signatures[0].sig = Buffer.alloc(64).toString('base64'))),
  'half a signature': envelope((parts) => void (parts.signatures[0].sig = parts.signatures[0].sig.slice(0, 44))),
  'a signature with a byte more': envelope((parts) => {
    const sig = Buffer.concat([Buffer.from(parts.signatures[0].sig, 'base64'), Buffer.of(0)]);
    parts.signatures[0].sig = sig.toString('base64');
  }),
  'the signature of another payload': envelope((parts) => {
    parts.signatures[0].sig = JSON.parse(goodText).signatures[0].sig;
  }),
  'the signature in the other alphabet of base64': envelope((parts) => {
    parts.signatures[0].sig = Buffer.from(parts.signatures[0].sig, 'base64').toString('base64url');
  }),
  'the signature over the order of the curve': envelope((parts) => {
    const sig = Buffer.from(parts.signatures[0].sig, 'base64');
    let carry = 0n;
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    for (let at = 0; at < 32; at++) {
      const sum = BigInt(sig[32 + at] ?? 0) + ((order >> BigInt(8 * at)) & 255n) + carry;
      sig[32 + at] = Number(sum & 255n);
      carry = sum >> 8n;
    }
    parts.signatures[0].sig = sig.toString('base64');
  }),
  'no key id': envelope((parts) => void delete parts.signatures[0].keyid),
  'an empty key id': envelope((parts) => void (parts.signatures[0].keyid = '')),
  'the key id of another': envelope((parts) => void (parts.signatures[0].keyid = other.publicKey.id)),
  'the key id in capitals': envelope((parts) => {
    parts.signatures[0].keyid = parts.signatures[0].keyid.toUpperCase();
  }),
  'the signed bytes without a type': envelope((parts) => {
    parts.signatures[0].sig = Buffer.from(signBytes(Buffer.from(parts.payload, 'base64'), mine.key)).toString('base64');
  }),
  'another type that is signed': resign('application/json', nextText),
  'a type that is signed and longer': resign(`${bundleType};v=2`, nextText),
  'an empty type that is signed': resign('', nextText),
  'a property more in the envelope': envelope((parts) => ({ ...parts, note: 'x' })),
  'a property more in the signature': envelope((parts) => void (parts.signatures[0].cert = 'x')),
  'the properties in another order': envelope(({ payload, ...parts }) => ({ payload, ...parts })),
  'a double payload': bytes(goodText.replace('{', `{\n  "payload": "${Buffer.from(nextText).toString('base64')}",`)),
  'a double payload at the end': bytes(
    goodText.replace(/\n\}\n$/, `,\n  "payload": "${Buffer.from(nextText).toString('base64')}"\n}\n`),
  ),
  'doubled signatures': bytes(goodText.replace(/\n\}\n$/, ',\n  "signatures": []\n}\n')),
  'an envelope in one line': bytes(JSON.stringify(JSON.parse(new TextDecoder().decode(mine.seal(next()))))),
  'an envelope with a byte order mark': bytes(`\ufeff${new TextDecoder().decode(mine.seal(next()))}`),
  'an envelope with a line more': bytes(`${new TextDecoder().decode(mine.seal(next()))}\n`),
  'two envelopes': bytes(goodText + goodText),
  'a prototype in the envelope': bytes(goodText.replace('{', '{\n  "__proto__": { "payload": "" },')),
  'a payload that wraps base64': envelope((parts) => void (parts.payload = parts.payload.replace(/(.{64})/g, '$1\n'))),
  'a payload with stray bits in its base64': envelope((parts) => {
    const whole = Buffer.from(`${nextText}${' '.repeat((4 - (nextText.length % 3)) % 3)}`);
    parts.payload = whole.toString('base64').replace(/.(=+)$/, 'B$1');
  }),
  'an older revision': mine.seal(payloadOf({ revision: 1 })),
  'the same revision with other rules': mine.seal(payloadOf({ settings: {} })),
  'the revision 0': mine.seal(payloadOf({ revision: 0 })),
  'a revision below zero': mine.seal(payloadOf({ revision: -3 })),
  'half a revision': mine.seal(payloadOf({ revision: 2.5 })),
  'a revision as text': mine.seal(payloadOf({ revision: '3' })),
  'a revision without end': text(nextText.replace('"revision":3', '"revision":1e999')),
  'a revision that counts no more': text(nextText.replace('"revision":3', '"revision":9007199254740993')),
  'no revision': text(nextText.replace('"revision":3,', '')),
  'another name': mine.seal(next({ name: 'other' })),
  'a name that leads out': mine.seal(next({ name: '../acme' })),
  'a name in capitals': mine.seal(next({ name: 'Acme' })),
  'no name': text(nextText.replace('"name":"acme",', '')),
  'one that has expired': mine.seal(next({ expires: '2026-02-01T00:00:00Z' })),
  'one that expires before it begins': mine.seal(next({ issued: '2127-01-01T00:00:00Z' })),
  'a time that is none': mine.seal(next({ expires: 'never' })),
  'a day that is none': mine.seal(next({ expires: '2126-02-31T00:00:00Z' })),
  'a time as a number': mine.seal(next({ expires: 1e15 })),
  'no expiry': text(nextText.replace(/"expires":"[^"]*",/, '')),
  'a later form': mine.seal(next({ bundle: 2 })),
  'no form': text(nextText.replace('"bundle":1,', '')),
  'doubled rules': text(nextText.replace('"settings":', '"settings":{},"settings":')),
  'a doubled revision': text(nextText.replace('"revision":3', '"revision":1,"revision":3')),
  'a doubled revision in two spellings': text(nextText.replace('"settings":', '"Settings":{},"settings":')),
  'doubled rules of one setting': text(
    nextText.replace('"policy.boundaries":', '"policy.boundaries":[],"policy.boundaries":'),
  ),
  'a doubled clause of a rule': text(nextText.replace('"path":"keys/**"', '"path":"none","path":"keys/**"')),
  'a double by an escape': text(nextText.replace('"settings":', '"settin\\u0067s":{},"settings":')),
  'a prototype': text(nextText.replace('{', '{"__proto__":{"settings":{}},')),
  'a prototype in the settings': text(nextText.replace('"settings":{', '"settings":{"__proto__":{},')),
  'a constructor': text(nextText.replace('"servers":{', '"servers":{"constructor":{},')),
  'a property that nobody knows': mine.seal(next({ setings: {} })),
  'settings that are none': mine.seal(next({ settings: [] })),
  'settings of null': mine.seal(next({ settings: null })),
  'a setting that nobody knows': mine.seal(next({ settings: { 'policy.boundarys': [] } })),
  'a setting of another type': mine.seal(next({ settings: { 'policy.boundaries': 'none' } })),
  'a setting that says where bundles come from': mine.seal(next({ settings: { 'policy.bundles': {} } })),
  'a setting that says where the managed file is': mine.seal(next({ settings: { 'policy.managedFile': '/tmp/x' } })),
  'a comment': text(nextText.replace('{', '{/* x */')),
  'a trailing comma': text(nextText.replace(/\}$/, ',}')),
  'something after it': text(`${nextText} {}`),
  'a byte order mark': text(`\ufeff${nextText}`),
  'bytes that are no text in it': mine.sign(Buffer.concat([Buffer.from(nextText), Buffer.of(0xff)])),
  'nothing in it': text(''),
  'a list in it': text('[]'),
  'null in it': text('null'),
  'nested too deep': text(
    nextText.replace('"settings":{', `"settings":{"limits":${'['.repeat(5000)}${']'.repeat(5000)},`),
  ),
  huge: mine.seal(next({ description: 'x'.repeat(1_000_000) })),
  'huge and not JSON': new Uint8Array(1_000_001),
  'a swapped definition': defined('deploy.capability.json', { ...definition, text: '{"id":"other"}' }),
  'a definition with the hash of nothing': defined('deploy.capability.json', { ...definition, sha256: '' }),
  'a definition with a hash in capitals': defined('deploy.capability.json', {
    ...definition,
    sha256: definition.sha256.toUpperCase(),
  }),
  'a definition without a hash': defined('deploy.capability.json', { text: '{}' }),
  'a definition without a text': defined('deploy.capability.json', { sha256: definition.sha256 }),
  'a definition with more': defined('deploy.capability.json', { ...definition, path: '/etc/passwd' }),
  'two definitions with each other’s texts': mine.seal(
    next({
      definitions: {
        'a.capability.json': { sha256: nodeCrypto.sha256('{"a":1}'), text: '{"b":1}' },
        'b.capability.json': { sha256: nodeCrypto.sha256('{"b":1}'), text: '{"a":1}' },
      },
    }),
  ),
  'a server with a hash that is none': mine.seal(next({ servers: { files: { sha256: 'x' } } })),
  'a server with more': mine.seal(next({ servers: { files: { sha256: definition.sha256, command: 'sh' } } })),
  'a server that is text': mine.seal(next({ servers: { files: definition.sha256 } })),
  ...Object.fromEntries(
    [
      '../deploy.capability.json',
      '..\\deploy.capability.json',
      '/etc/deploy.capability.json',
      'C:\\deploy.capability.json',
      'a/../../deploy.capability.json',
      'a/deploy.capability.json',
      './deploy.capability.json',
      '.capability.json',
      '..capability.json',
      'deploy.capability.json/',
      'deploy.capability.json\0',
      'deploy\n.capability.json',
      'deploy.capability.json.sh',
      'file:///deploy.capability.json',
      '~/deploy.capability.json',
      '%2e%2e%2fdeploy.capability.json',
      '\u202edeploy.capability.json',
      'deploy.capability.JSON',
      'boundaries.json',
      '',
    ].map((name) => [`the definition ${JSON.stringify(name)}`, defined(name)]),
  ),
};
