import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { createRedactor, type Hidden } from '../../../../src/core/audit/redact';
import { say, type Sentence, worded } from '../../../../src/core/base/sentence';
import { AuditStore } from '../../../../src/node/audit/auditStore';
import { listSegments } from '../../../../src/node/audit/layout';
import { fullRedactor } from '../../../../src/node/audit/fullRedactor';
import { finished, violation, withFolder } from '../../../support/auditEvents';
import { runs } from '../../../support/counts';
import { skipBecause } from '../../../support/skip';
import { workedMs } from '../../../support/processorTime';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const alnum = `${lower}${lower.toUpperCase()}${digits}`;
const hex = '0123456789abcdef';
const chars = (alphabet: string, length: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...alphabet), { minLength: length, maxLength: length }).map((all) => all.join(''));
const after = (prefix: string, alphabet: string, length: number): fc.Arbitrary<string> =>
  chars(alphabet, length).map((rest) => prefix + rest);

/** One generator for each class of secret.  */
const tokens: Readonly<Record<string, fc.Arbitrary<string>>> = {
  github: fc.constantFrom('ghp', 'gho', 'ghu', 'ghs', 'ghr').chain((kind) => after(`${kind}_`, alnum, 36)),
  'github fine-grained': after('github_pat_', alnum, 70),
  gitlab: fc.constantFrom('glpat', 'gldt', 'glrt').chain((kind) => after(`${kind}-`, alnum, 20)),
  npm: after('npm_', alnum, 36),
  aws: after('AKIA', `${lower.toUpperCase()}234567`, 16),
  'aws secret': after('AWS_SECRET_ACCESS_KEY = ', `${alnum}/+`, 40),
  slack: fc.tuple(chars(digits, 12), chars(alnum, 24)).map(([a, b]) => `xox${'b'}-${a}-${b}`),
  'slack webhook': fc
    .tuple(chars(alnum.toUpperCase(), 9), chars(alnum, 24))
    .map(([a, b]) => `https://hooks.slack.com/services/T${a}/B${a}/${b}`),
  stripe: after('sk_live_', alnum, 24),
  sendgrid: fc.tuple(chars(alnum, 22), chars(alnum, 43)).map(([a, b]) => `SG${'.'}${a}.${b}`),
  openai: after('sk-proj-', alnum, 48),
  anthropic: after('sk-ant-api03-', alnum, 90),
  google: after('AIza', `${alnum}_-`, 35),
  'json web token': fc
    .tuple(chars(alnum, 20), chars(alnum, 30), chars(alnum, 43))
    .map(([a, b, c]) => `ey${'J'}${a}.eyJ${b}.${c}`),
  'private key': chars(`${alnum}/+`, 200).map(
    (body) => `-----BEGIN RSA ${'PRIVATE'} KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`,
  ),
  'basic auth url': fc
    .tuple(chars(lower, 6), chars(alnum, 14))
    .map(([user, pass]) => `https://${user}:${pass}@example.com/path`),
  'database url': chars(alnum, 16).map((pass) => `postgres://admin:${pass}@db.example.com:5432/app`),
  bearer: chars(alnum, 40).map((token) => `Authorization: Bearer ${token}`),
  cookie: chars(alnum, 32).map((token) => `Cookie: session=${token}; theme=dark`),
  password: chars(alnum, 12).map((word) => `{"user":"bob","password":"${word}"}`),
  'query parameter': chars(alnum, 24).map((token) => `https://example.com/hook?access_token=${token}&page=2`),
  'command flag': chars(alnum, 16).map((word) => `mysql --user root --password ${word} db`),
  azure: chars(`${alnum}/+`, 86).map(
    (key) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${key}==;EndpointSuffix=core.windows.net`,
  ),
  databricks: after('dapi', hex, 32),
  docker: after('dckr_pat_', alnum, 27),
  vault: after('hvs.', alnum, 90),
  linear: after('lin_api_', alnum, 40),
  telegram: fc.tuple(chars('123456789', 10), chars(alnum, 33)).map(([id, rest]) => `${id}:AA${rest}`),
  'key store': chars(`${alnum}+/`, 1200),
};
/** The part of a generated text that must not be found again: its longest run without separators. */
const core = (text: string): string =>
  (text.match(/[A-Za-z0-9_+]{8,}/g) ?? [text])
    .filter(
      (run) =>
        !/^(?:postgres|session|password|Authorization|AWS_SECRET|DefaultEnd|EndpointSuffix|services|access_token|PRIVATE|example)/.test(
          run,
        ),
    )
    .sort((a, b) => b.length - a.length)[0] ?? text;

const readAll = (dir: string): string =>
  listSegments(dir)
    .map((name) => fs.readFileSync(path.join(dir, name), 'utf8'))
    .join('');

/** Records calls that carry a text in every place where a secret may stand. */
function everywhere(store: AuditStore, token: string): void {
  const headers = {
    Authorization: token,
    'X-Custom': `value ${token}`,
    list: [
      ['x-api-key', token],
      ['q', `a ${token}`],
    ],
    pairs: [{ name: 'cookie', value: token }],
  };
  const accesses = [
    {
      effect: 'network.http',
      resource: `https://example.com/?q=1#${token.includes('\n') ? '' : token}`,
      method: 'POST',
    },
  ] as const;
  store.record(
    finished({
      accesses,
      toolName: 'http_request',
      input: {
        url: token,
        text: `before ${token} after`,
        [token]: 1,
        nested: [{ deep: JSON.stringify({ headers, body: token }) }],
        headers,
      },
      payload: { body: token, lines: [`x=${token}`], headers },
      errorMessage: `request failed: ${token}`,
      outcome: 'tool_error',
      errorCode: 'network_error',
    }),
  );
  store.record(
    violation({ accesses, errorMessage: `no: ${token}`, rules: [token], input: { command: `curl -H "${token}"` } }),
  );
  store.record({ type: 'server', time: 0, server: 's', state: 'failed', detail: say('as_it_is', `exit: ${token}`) });
}

/** What of a finding must not be found again: a password of an address, or else every long run of token characters. */
function secretParts(raw: string): readonly string[] {
  const password = /:\/\/[^:@/\s]*:([^@\s]+)@/.exec(raw)?.[1];
  if (password !== undefined) return password.length >= 6 ? [password] : [];
  return (raw.match(/[A-Za-z0-9_+/=.-]{10,}/g) ?? []).filter(
    (run) => /\d/.test(run) && !/^(?:https?:|-{4,})|\.com|_url$/.test(run),
  );
}

describe('secrets in the audit', () => {
  for (const content of ['shape', 'redacted'] as const)
    it(`keeps none of ${runs(50, 200)} generated tokens of ${Object.keys(tokens).length} classes in arguments, results, errors and headers (${content})`, async () => {
      const withFinder = fullRedactor();
      await withFolder(async (dir) => {
        const secrets: string[] = [];
        const problems: string[] = [];
        for (const redactor of [withFinder, createRedactor()]) {
          const store = new AuditStore({
            dir,
            recording: () => ({ content, redactor }),
            onProblem: (said) => problems.push(worded(said)),
          });
          fc.assert(
            fc.property(
              fc.constantFrom(...Object.values(tokens)).chain((one) => one),
              (token) => {
                secrets.push(core(token));
                everywhere(store, token);
              },
            ),
            { numRuns: runs(50, 200) },
          );
          store.dispose();
        }
        const text = readAll(dir);
        assert.deepEqual(problems, []);
        assert.ok(secrets.length >= 2 * runs(50, 200));
        assert.deepEqual(
          [...new Set(secrets.filter((secret) => text.includes(secret) || text.includes(encodeURIComponent(secret))))],
          [],
        );
      });
    });

  it('keeps nothing of what the snapshots of secretlint call a secret, in arguments, results, errors and headers', async function () {
    // They look like secrets, so they are not copied here: a checkout of secretlint says where they are.
    const folder = process.env['SECRETLINT_SNAPSHOTS'] ?? '';
    if (!fs.existsSync(folder))
      skipBecause(this, 'SECRETLINT_SNAPSHOTS names no folder with the snapshots of its recommended preset');
    const redactor = fullRedactor();
    await withFolder(async (dir) => {
      const options = {
        recording: () => ({ content: 'redacted', redactor }) as const,
        onProblem: (said: Sentence) => assert.fail(worded(said)),
      };
      const store = new AuditStore({ dir, ...options });
      const others = new AuditStore({ dir: path.join(dir, 'others'), ...options });
      const inputs = fs
        .readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /^input\b/.test(path.basename(name)) && fs.statSync(path.join(folder, name)).isFile());
      const secrets: string[] = [];
      for (const name of inputs) {
        const input = fs.readFileSync(path.join(folder, name), 'utf8');
        const expected = path.join(folder, path.dirname(name), 'output.json');
        const output: unknown = fs.existsSync(expected) ? JSON.parse(fs.readFileSync(expected, 'utf8')) : {};
        const { messages = [] } = output as {
          messages?: readonly { range: readonly [number, number]; type?: string }[];
        };
        for (const { range, type } of messages)
          if (type !== 'ignore') secrets.push(...secretParts(input.slice(range[0], range[1])));
        // Some that are no secrets hold one glued to a word; they are recorded apart.
        everywhere(messages.length > 0 ? store : others, input);
      }
      store.dispose();
      others.dispose();
      const text = readAll(dir);
      assert.ok(inputs.length >= 100 && secrets.length >= 40, `${inputs.length} cases with ${secrets.length} secrets`);
      console.log(`      ${inputs.length} cases with ${secrets.length} secrets`);
      assert.deepEqual(
        [
          ...new Set(secrets.filter((secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)))),
        ].map((one) => one.slice(0, 12)),
        [],
      );
    });
  });

  it('finds a token behind an escaped line break or quote, as texts have that are JSON in JSON', () => {
    const redact = createRedactor().text;
    const token = `${'gs'}k_${'aB3dE6gH'.repeat(6)}`;
    const texts = [`a\n${token}`, `"key"\t${token}`, `x "AWS_ACCOUNT_ID"=>1234-5678-9012`].flatMap((text) => {
      const once = JSON.stringify(text);
      return [text, once, JSON.stringify(once)];
    });
    for (const text of texts) assert.doesNotMatch(redact(text), /aB3dE6gH|1234-5678-9012/, text);
  });

  it('says what was hidden, where and by which rule, and leaves the original alone', () => {
    const input = {
      url: 'https://bob:hunter22@example.com/a',
      headers: { authorization: 'Bearer abcdefghijklmnop', accept: 'text/html' },
      max_tokens: 100,
      items: ['--token', 'abc123def'],
    };
    const before = structuredClone(input);
    const hidden: Hidden[] = [];
    const value = createRedactor().value(input, hidden);
    assert.deepEqual(input, before);
    assert.deepEqual(value, {
      headers: { accept: 'text/html', authorization: '[hidden: secret name]' },
      items: ['--token', '[hidden: secret name]'],
      max_tokens: 100,
      url: 'https://[hidden: url credentials]@example.com/a',
    });
    assert.deepEqual(hidden, [
      { path: '/headers/authorization', rule: 'secret name' },
      { path: '/items/1', rule: 'secret name' },
      { path: '/url', rule: 'url credentials' },
    ]);
  });

  it('leaves plain words, paths and numbers as they are', () => {
    const texts = [
      'src/core/audit/secrets.ts',
      'file not found: `src/authentication/token-service.ts`; did you mean `src/auth.ts`',
      'https://example.com/docs/tokens?page=2#section',
      'line 12: expected string (got number)',
      'd3b07384d113edec49eaa6238ad5ff00 is the checksum',
      'input is not valid: /token must be string (got number)',
      'max_tokens: 4096',
    ];
    assert.deepEqual(texts.map(createRedactor().text), texts);
  });

  it('keeps no content of files even where content is kept', () =>
    withFolder((dir) => {
      const redactor = createRedactor();
      const store = new AuditStore({ dir, recording: () => ({ content: 'redacted', redactor }) });
      store.record(
        finished({
          input: { path: 'src/app.ts', content: 'top of the file', edits: [{ old: 'aaa-old', new: 'bbb-new' }] },
          payload: { content: 'file text here' },
        }),
      );
      store.record(
        finished({ toolName: 'add', accesses: [], input: { a: 1, note: 'kept words' }, payload: { sum: 3 } }),
      );
      store.dispose();
      const text = readAll(dir);
      assert.doesNotMatch(text, /top of the file|aaa-old|bbb-new|file text here/);
      const records = text
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        records.map((record) => [
          record['gen_ai.tool.call.arguments'],
          record['gen_ai.tool.call.result'],
          record.hidden,
        ]),
        [
          [
            {
              content: '[file content: 15 characters]',
              edits: [{ new: '[file content: 7 characters]', old: '[file content: 7 characters]' }],
              path: 'src/app.ts',
            },
            undefined,
            [
              { path: '/arguments/content', rule: 'file content' },
              { path: '/arguments/edits/0/new', rule: 'file content' },
              { path: '/arguments/edits/0/old', rule: 'file content' },
              { path: '/result', rule: 'file content' },
            ],
          ],
          [{ a: 1, note: 'kept words' }, { sum: 3 }, undefined],
        ],
      );
    }));

  it('takes linear time over hostile texts', () => {
    const redactor = createRedactor();
    const worst = [
      'a='.repeat(30_000),
      '://'.repeat(20_000),
      '-----BEGIN PRIVATE KEY-----'.repeat(2000),
      `password=${'\\"'.repeat(30_000)}`,
      'x'.repeat(65_000),
      'key:'.repeat(15_000),
      'eyJaaaaaaaa.'.repeat(5000),
      `${'aws '.repeat(16_000)}`,
    ];
    const started = workedMs();
    for (const text of worst) redactor.text(text);
    assert.ok(workedMs() - started < 4000, `took ${workedMs() - started} ms`);
  });
});
