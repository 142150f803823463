import { strict as assert } from 'node:assert';
import type { Json } from '../../../../src/core/base/json';
import { readOwnPatterns } from '../../../../src/core/secrets/ownPatterns';
import { learnFiles } from '../../../../src/core/gate/learnFiles';
import { SessionSources } from '../../../../src/core/secrets/sessionSources';
import { SecretSession } from '../../../../src/core/secrets/session';
import { nodeCrypto } from '../../../../src/node/system';
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
      faults.map(({ message }) => /^row \d/.exec(message)?.[0]),
      ['row 1', 'row 2', 'row 3', 'row 4'],
    );
    assert.deepEqual(
      patterns.map(({ kind }) => kind),
      ['ok'],
    );
  });

  it('D.redaction: a text that was shown before is looked through anew once another value or pattern is known', async () => {
    const session = newSession();
    const text = `${'const a = 1;\n'.repeat(200)}say blue-heron-over-lake and room 4711-bell\n${'let b = 2;\n'.repeat(200)}`;
    const shown = (isPart: boolean): string => String(session.hide(text, { ...options, isPart }).value);
    for (const isPart of [false, true, false, true]) assert.equal(shown(isPart), text);
    session.know('blue-heron-over-lake', 'env-value', []);
    for (const isPart of [false, true, false, true]) {
      assert.ok(!shown(isPart).includes('heron'), shown(isPart).slice(2600, 2700));
      assert.ok(shown(isPart).includes('4711-bell'));
    }
    const rows = [{ kind: 'room', pattern: '[0-9]{4}-bell' }];
    const { patterns } = await readOwnPatterns({ managed: {}, user: { 'redaction.patterns': rows }, workspace: {} });
    session.usePatterns(patterns);
    for (const isPart of [false, true]) assert.ok(!/heron|4711-bell/.test(shown(isPart)));
  });

  it('D.redaction: the same text again costs a small part of the first time', () => {
    const session = newSession();
    const texts = Array.from({ length: 20 }, (_, at) =>
      `const value${at} = read(source, { key: 'k' });\n`.repeat(1000),
    );
    const worked = (times: number): number => {
      const started = workedMs();
      for (let at = 0; at < times; at++) for (const text of texts) session.hide({ content: text }, options);
      return workedMs() - started;
    };
    const first = worked(1);
    const again = worked(10);
    assert.ok(again <= 5 * first + 20, `first ${first} ms, ten times again ${again} ms`);
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

  it('D.redaction: parts of a known value are hidden however many texts and values there are', () => {
    const session = newSession();
    session.know('Tr0ub4dor-and-three', 'env-value', ['folder .']);
    for (let at = 0; at < 3000; at++) session.know(`noise${at}value${at * 7919}x`, 'env-value', []);
    const cut = { ...options, isPart: true };
    const list = [...Array.from({ length: 400 }, (_one, at) => `line ${at} of a file`), '4dor-and-three = here'];
    assert.doesNotMatch(JSON.stringify(session.hide(list, cut).value), /and-three/);
    // All of them begin like a value: what there is no time to compare counts as one.
    const hostile = [...Array.from({ length: 400 }, (_one, at) => `ub4dor ${at}`), 'Tr0ub4dor-and-th'];
    assert.doesNotMatch(JSON.stringify(session.hide(hostile, cut).value), /and-th/);
  });

  it('D.redaction: values of `.env` are known however many a page makes up', () => {
    const session = newSession();
    for (let start = 0; start < 25_000; start += 5000)
      session.learn(
        Array.from(
          { length: 5000 },
          (_one, at) => `ghp_${(start + at).toString(36).padStart(6, 'x')}Abc9dEf8gHi7jKl6mNo5pQr4s${at % 10}Tuv`,
        ).join('\n'),
        [],
        false,
      );
    session.know('Tr0ub4dor-and-three', 'env-value', []);
    assert.doesNotMatch(hide({ a: 'x Tr0ub4dor-and-three y' }, session), /Tr0ub4dor/);
  });

  it('D.redaction: in an environment file, quotes, later lines, comments and other signs hide no value', () => {
    const value = 'Tr0ub4dor';
    for (const line of [
      `DB_PASSWORD=${value}`,
      `export  DB_PASSWORD='${value}'`,
      `PASSWORD="a\\"b ${value}"`,
      `PASSWORD="first of it\nthen ${value}\nend"`,
      `# PASSWORD=${value}`,
      `  #PASSWORD=${value}`,
      `PASSWORD: ${value}`,
      `- PASSWORD=${value}`,
      `set PASSWORD=${value}`,
      `PW=${value}`,
      `SMTP_PW=${value}`,
      `CREDS=bob:${value}`,
      `PASSWORD+=${value}`,
      `COOKIE=${value}`,
      `\ufeffPASSWORD=${value}`,
      `A=1\rPASSWORD=${value}\rB=2`,
      `PASSWORD=$${value}`,
      `PASSWORD=<${value}`,
    ]) {
      // prettier-ignore
      const text = `APP=web\n${line}\nB=x\n`;
      const shown = String(newSession().hide(text, { ...options, isEnvironment: true }).value);
      assert.ok(!shown.includes('ub4dor'), shown);
      assert.equal(shown.split(/\r|\n/).length, text.split(/\r|\n/).length);
    }
    const plain =
      'DEBUG=true\nURL=${BASE}/x\nNAME=$NAME\n# The password = of the house\nPASSWORD=${OTHER}\nHOST: localhost\n';
    assert.equal(newSession().hide(plain, { ...options, isEnvironment: true }).value, plain);
  });

  it('D.redaction: addresses, hosts and mail in an environment file are no secrets, but what they carry is', () => {
    const plain = [
      'COOKIE_DOMAIN=.example.com',
      'JWT_ISSUER=https://auth.example.com',
      'SESSION_REDIS_URL=redis://localhost:6379',
      'AUTH_HOST=db1.example.com:5432',
      'SEED_URL=https://example.org/seed',
      'TOKEN_URL=https://example.org/oauth2/token?v=2',
      'AUTH_URL=https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1',
      'AUTH_URL=https://login.example.com/shop-service-v2-production',
      'SESSION_HOST=shop-service-v2-production.example.com',
      'KEY_SERVER=keys.example.org',
      'AUTHOR_MAIL=jane.doe@example.com',
      '# Author: jane.doe@example.com',
      '# Key: rotate-every-30-days',
    ].join('\n');
    assert.equal(newSession().hide(plain, { ...options, isEnvironment: true }).value, plain);
    const drawn = 'q7Rz2LmX9vKc4TbN';
    for (const line of [
      `JWT_ISSUER=https://auth.example.com/${drawn}`,
      `SESSION_URL=https://a.example/x?key=${drawn}`,
      `REDIS_SESSION=redis://:${drawn}@localhost:6379`,
      `SLACK_WEBHOOK=https://hooks.example.com/services/${drawn.toLowerCase()}`,
      'API_TOKEN=hunter2.example',
      'API_KEY=hunter2.example',
      'SESSION=a1b2c3d4e5f6.0a1b2c3d4e5f',
      `COOKIE=${drawn.toLowerCase()}.example`,
      'SESSION_HOST=kzmtqwhbx7rnlpvc.example.com',
      'SESSION_URL=https://a.example/x?key=q7rz2lmx9%2Fvkc4tbn',
      'SESSION_URL=https://a.example/hRt_bnWqXzLmKp-VcJyT4d',
      'SESSION_HOST=9f3-a1c-77b-e04-d52.example.com',
      'PASSWORD=jane.doe@example.com',
    ]) {
      const shown = String(newSession().hide(line, { ...options, isEnvironment: true }).value);
      assert.match(shown, /\{\{secret:/, line);
    }
  });

  it('D.redaction: a file that could not be read, or was learnt by other patterns, is learnt again', async () => {
    const session = newSession();
    const { secret } = drawnSecret(42);
    const bytes = new TextEncoder().encode(`token = ${secret}`);
    let fails = true;
    const path = { folder: { name: 'work' }, path: 'notes.txt' };
    const files = {
      stat: async () => ({ type: 'file', size: bytes.length, modifiedMs: 1 }),
      open: async () => {
        if (fails) throw new Error('busy');
        return {
          read: async (at: number, length: number) => bytes.slice(at, at + length),
          close: async () => undefined,
        };
      },
    };
    const resolved = new Map([['a', { files, path: Promise.resolve({ real: path }) }]]);
    const call = { input: { offset: 0 }, resolved, tool: { source: { type: 'builtin' } } };
    const accesses = [{ effect: 'fs.read', resource: 'notes.txt' }];
    const learn = () =>
      learnFiles({
        gate: { ports: { files, crypto: nodeCrypto } },
        call,
        session,
        accesses,
        payload: {},
        places: [],
      } as never);
    const end = secret.slice(-10);
    const isHidden = () => !JSON.stringify(session.hide(end, { ...options, isPart: true }).value).includes(end);
    await learn();
    assert.ok(!isHidden());
    fails = false;
    await learn();
    assert.ok(isHidden());
    assert.ok(session.hasLearnt('work/notes.txt', `1 ${bytes.length}`));
    session.usePatterns([]);
    assert.ok(!session.hasLearnt('work/notes.txt', `1 ${bytes.length}`));
  });

  it('D.redaction: an environment file that could not be read is read again', async () => {
    const bytes = new TextEncoder().encode('PASSWORD=Tr0ub4dor-and-three');
    let fails = true;
    let time = 0;
    const sources = new SessionSources({
      files: {
        folders: () => [{ name: 'work' }],
        readDirectory: async () => [{ name: '.env', type: 'file' }],
        stat: async () => ({ type: 'file', size: bytes.length, modifiedMs: 1 }),
        open: async () => {
          if (fails) throw new Error('busy');
          return { read: async () => bytes, close: async () => undefined };
        },
      },
      secrets: { names: async () => [] },
      clock: { monotonic: () => time },
      crypto: { randomId: () => '0123abcd' },
      log: { warn: assert.fail },
      settings: () => ({ layers: { managed: {}, user: {}, workspace: {} } }),
    } as never);
    const isHidden = async () => !hide('it is Tr0ub4dor-and-three', await sources.session()).includes('Tr0ub4dor');
    assert.ok(!(await isHidden()));
    fails = false;
    time += 6000;
    assert.ok(await isHidden());
  });
});
