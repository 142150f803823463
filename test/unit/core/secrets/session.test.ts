import { strict as assert } from 'node:assert';
import type { Json } from '../../../../src/core/base/json';
import { readOwnPatterns } from '../../../../src/core/secrets/ownPatterns';
import { SecretSession } from '../../../../src/core/secrets/session';
import { workedMs } from '../../../support/processorTime';
import { drawnSecret } from '../../../support/secretSamples';

const options = { mode: 'hide', places: ['folder .'], isEnvironment: false } as const;
const newSession = (): SecretSession => {
  let drawn = 0x1000_0000;
  let time = 0;
  return new SecretSession(
    () => (drawn += 7919).toString(16).slice(-8),
    () => time++,
  );
};
const hide = (value: Json, session = newSession()): string => JSON.stringify(session.hide(value, options).value);

const aws = 'wJalrUtnFEMIaK7MDENGbPxRfiCYkq9cZt2LmN0b';
const body = Array.from({ length: 5 }, (_, at) =>
  drawnSecret(at + 7)
    .secret.replace(/[^A-Za-z0-9]/g, 'x')
    .padEnd(64, 'Qb3/')
    .slice(0, 64),
);
const pem = ['-----BEGIN PRIVATE KEY-----', ...body, '-----END PRIVATE KEY-----'];

describe('hiding secrets in values', () => {
  it('D.redaction: a name beside a value says what it is: of a field, of an entry, before it in a list', () => {
    const named: readonly Json[] = [
      { aws_secret_access_key: aws },
      { env: [{ name: 'AWS_SECRET_ACCESS_KEY', value: aws }] },
      { headers: [['aws_secret_access_key', aws]] },
      { list: ['aws_secret_access_key', aws] },
      { rows: [{ key: 'aws_secret_access_key', value: aws }] },
      { text: `AWS_SECRET_ACCESS_KEY=${aws}` },
    ];
    for (const value of named) assert.ok(!hide(value).includes(aws), hide(value));
  });

  it('D.redaction: a secret that is the name of a field is hidden too', () => {
    const { secret } = drawnSecret(42);
    assert.ok(!hide({ [secret]: 1 }).includes(secret));
    const session = newSession();
    session.know('Tr0ub4dor', 'env-value', []);
    assert.ok(!hide({ counts: { Tr0ub4dor: 1 } }, session).includes('Tr0ub4dor'));
  });

  it('D.redaction: the lines of a key that stand one by one in a list are hidden', () => {
    const shapes: readonly Json[] = [
      pem,
      { lines: pem },
      { matches: pem.map((text, at) => ({ line: at + 1, text })) },
      { rows: pem.map((text) => ({ a: 1, b: text })) },
    ];
    for (const value of shapes) for (const line of body) assert.ok(!hide(value).includes(line), hide(value));
  });

  it('D.redaction: what was put together from several places gives a value no further place', () => {
    const session = newSession();
    const { secret } = drawnSecret(42);
    session.hide(secret, { ...options, places: ['folder .'] });
    const mixed = session.hide({ a: secret }, { ...options, places: ['host evil.example'], isMixed: true });
    const [placeholder = ''] = [...mixed.hidden];
    assert.equal(session.putBack(placeholder, ['host evil.example'], () => false).type, 'refused');
    assert.equal(session.putBack(placeholder, ['folder .'], () => false).type, 'done');
  });

  it('D.redaction: a hostile pattern ends after its time, and what it has not seen is hidden', async () => {
    const layers = { managed: {}, user: {}, workspace: { 'redaction.patterns': [{ kind: 'slow', pattern: 'x+y|x' }] } };
    const { patterns, faults } = await readOwnPatterns(layers);
    assert.deepEqual(faults, []);
    const session = newSession();
    session.usePatterns(patterns);
    const { value } = session.hide({ a: `a ${'x'.repeat(5000)} swordfish`, b: 'later text' }, options);
    assert.doesNotMatch(JSON.stringify(value), /swordfish|later text/);
  });

  it('D.redaction: a pattern that cannot be read is told by its row and hides nothing, the others do', async () => {
    const rows = [{ pattern: '(' }, { kind: 'a' }, null, { pattern: '(?=a)' }, { kind: 'ok', pattern: 'ok_[0-9]{9}' }];
    const { patterns, faults } = await readOwnPatterns({
      managed: {},
      user: { 'redaction.patterns': rows },
      workspace: {},
    });
    assert.deepEqual(
      faults.map((fault) => /^row \d/.exec(fault)?.[0]),
      ['row 1', 'row 2', 'row 3', 'row 4'],
    );
    assert.deepEqual(
      patterns.map(({ kind }) => kind),
      ['ok'],
    );
  });

  it('D.redaction: thousands of tokens on a hostile page cost time in proportion to the page', () => {
    const page = (count: number): Json =>
      Array.from(
        { length: count },
        (_, at) => `ghp_${at.toString(36).padStart(6, 'x')}Abc9dEf8gHi7jKl6mNo5pQr4s${at % 10}Tuv`,
      );
    const time = (count: number): number => {
      const session = newSession();
      const text = page(count);
      const started = workedMs();
      session.hide(text, options);
      session.hide(text, { ...options, isPart: true });
      return workedMs() - started;
    };
    time(100);
    const small = Math.min(time(200), time(200));
    const large = time(1600);
    assert.ok(large <= 30 * (small + 1), `200 in ${small} ms, 1,600 in ${large} ms`);
  });
});
