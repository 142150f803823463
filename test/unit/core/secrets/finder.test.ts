import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { findByRules } from '../../../../src/core/secrets/finder';
import { cases, full, runs } from '../../../support/counts';
import { workedMs } from '../../../support/processorTime';
import { drawnSecret, type CorpusRule, samplesOf, secretKinds, surroundings } from '../../../support/secretSamples';
import { drawnByForms } from '../../../support/secretlintForms';
import { itWithShared, readJson } from '../../../support/shared';

const isHidden = (text: string, secret: string): boolean => {
  const at = text.indexOf(secret);
  return findByRules(text).some(
    ({ start, end, sure }) => sure === true && start < at + secret.length && end > at && end - start >= 6,
  );
};

/** Ids that services print in public, and rules by entropy alone: what is told and not hidden. */
const guesses = /client-id|generic|^curl|terraform|hashicorp-tf-password|freemius|kubernetes/;

describe('finding secrets', () => {
  itWithShared(
    'corpora/secrets/rules.json',
    'D.redaction: finds at least 98 in 100 of what the rules of the corpus describe',
    (file) => {
      const { rules } = readJson(file) as { readonly rules: readonly CorpusRule[] };
      const missed: string[] = [];
      let all = 0;
      const seeds = Array.from({ length: runs(3, 20) }, (_none, at) => at + 1);
      for (const rule of rules.filter(({ id }) => !guesses.test(id)))
        for (const sample of samplesOf(rule, seeds)) {
          all++;
          if (!findByRules(`const x = 1;\n${sample}\nfoo();\n`).some(({ sure }) => sure)) missed.push(rule.id);
        }
      assert.ok(all >= 250, `${all} samples`);
      assert.ok(missed.length <= all * 0.02, `${missed.length} of ${all}: ${[...new Set(missed)].join(', ')}`);
    },
  );

  it('D.redaction: hides whole, or all but 2 in 100, what the rules of secretlint describe', () => {
    const missed: string[] = [];
    let all = 0;
    for (let seed = 1; seed <= runs(10, 100); seed++)
      for (const { rule, text, drawn } of drawnByForms(seed))
        for (const around of [`${text}\n`, `const a = '${text}';\nuse(a);\n`]) {
          all++;
          const sure = findByRules(around).filter((one) => one.sure === true);
          const left = drawn.find((part) => !sure.some(({ start, end }) => around.slice(start, end).includes(part)));
          if (left !== undefined || sure.length === 0) missed.push(`${rule}: ${text.slice(0, 60)}`);
        }
    assert.ok(all >= 1400, `${all} texts`);
    assert.ok(missed.length <= all * 0.02, `${missed.length} of ${all}: ${missed.slice(0, 20).join('\n')}`);
  });

  it('D.redaction: hides a key in one line of JSON, with its line breaks escaped once or again', () => {
    const [, , , , , , body = ''] = Array.from({ length: 7 }, (_, at) => drawnSecret(at).secret);
    const lines = [body.padEnd(64, 'Ab3/x'), body.padEnd(64, 'Cd4+y')].map((one) =>
      one.replace(/[^A-Za-z0-9+/]/g, 'x'),
    );
    for (const feed of ['\\n', '\\r\\n', '\\\\n']) {
      const key = ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join(feed);
      const text = `{\n  "key": "${key}",\n  "next": 1\n}\n`;
      for (const line of lines) assert.ok(isHidden(text, line), text);
    }
  });

  it('D.redaction: finds 2,000 drawn secrets of 60 kinds in 12 surroundings', () => {
    assert.ok(secretKinds.length >= 60 && surroundings.length >= 12);
    const missed: string[] = [];
    for (let at = 0; at < 2000; at++) {
      const { kind, secret } = drawnSecret(at);
      const around = surroundings[at % surroundings.length];
      if (around && !isHidden(around(secret), secret)) missed.push(`${kind} in ${around('…')}`);
    }
    assert.ok(missed.length <= 40, `${missed.length} missed: ${[...new Set(missed)].slice(0, 20).join('\n')}`);
  });

  it('D.redaction: hides a key line by line and leaves what begins and ends it', () => {
    const body = Array.from({ length: 5 }, (_, at) =>
      drawnSecret(at + 7)
        .secret.padEnd(64, 'Ab3/')
        .slice(0, 64)
        .replace(/[^A-Za-z0-9]/g, 'x'),
    );
    const text = ['a', '-----BEGIN RSA PRIVATE KEY-----', ...body, '-----END RSA PRIVATE KEY-----', 'b'].join('\n');
    const found = findByRules(text).map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(
      found.filter((one) => body.includes(one)),
      body,
    );
    assert.ok(found.every((one) => !one.includes('\n') && !one.includes('-----')));
    // The part of a file that begins within a key.
    const rest = text.slice(text.indexOf(body[2] ?? ''));
    const shown = findByRules(rest).map(({ start, end }) => rest.slice(start, end));
    assert.ok(body.slice(2).every((line) => shown.includes(line)));
  });

  it('D.redaction: leaves hashes, ids, lock files, public keys and code as they are', () => {
    const plain = [
      'd3b07384d113edec49eaa6238ad5ff00  file.txt',
      'sha512-9Q8bJ0bRq8vJcR0KQzvK8y2wX1cX3m8r6o5aYF1gk0gYtT8f2Jm5S1r0uQ9kX7bQ1hVb2mJcY7xvK0dHq3mQ==',
      '"integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="',
      'id: 123e4567-e89b-12d3-a456-426614174000',
      'commit 2678b13a5d1a9c0b7e6f8d4c3b2a19080706f5e4',
      '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo\n-----END PUBLIC KEY-----',
      '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----',
      '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0Fzq3c8vT7o0Yc6h1q5J9b6b6yYH2mC3l2Wv0kqzqP me@host',
      'const key = keys[index]; token = tokens.next(); password = await ask("Password:");',
      'https://user:password@example.com/ and postgres://${user}:${password}@host/db',
      'AKIAIOSFODNN7EXAMPLE and sk_test_xxxxxxxxxxxxxxxxxxxxxxxx and ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
      'OPENAI_API_KEY=your-key-here',
      'GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}',
      'authorization = base64.decodebytes(authorization[1].encode())',
      '`Authorization: AWS4-HMAC-SHA256 Credential=mock_access_key/20220524/us-east-1/cognito-idp/aws4_request`',
      '"AWS::Config::AggregationAuthorization": "283bee55be96a8f1",',
      '"AmazonRoute53AutoNamingFullAccess": "arn:aws:iam::aws:policy/AmazonRoute53AutoNamingFullAccess",',
      '"EC2InstanceProfileForImageBuilder": "arn:aws-us-gov:iam::aws:policy/EC2InstanceProfileForImageBuilder",',
    ];
    for (const text of plain)
      assert.deepEqual(
        findByRules(text).filter(({ sure }) => sure),
        [],
        text,
      );
  });

  it('D.redaction: hides something in at most one of 10,000 files of packages', function () {
    this.timeout(300_000);
    const hidden: string[] = [];
    let files = 0;
    for (const file of packageFiles(runs(1500, 20_000))) {
      const text = readFileSync(file, 'utf8');
      files++;
      const [first] = findByRules(text).filter(({ sure }) => sure);
      if (first) hidden.push(`${file}: ${first.rule} ${text.slice(first.start, first.end).slice(0, 30)}`);
    }
    assert.ok(!full || files > 5000, `${files} files`);
    assert.ok(hidden.length <= Math.ceil(files / 10_000), `${hidden.length} of ${files}:\n${hidden.join('\n')}`);
  });

  it('D.redaction: looks through a megabyte within a moment', () => {
    const text = Array.from(
      { length: 20_000 },
      (_, at) => `const value${at} = read(source[${at}], { key: 'k' });\n`,
    ).join('');
    findByRules(text);
    const started = workedMs();
    findByRules(text);
    // Some 13 ms on the team's machine; see test/bench/README.md.
    assert.ok((workedMs() - started) / (text.length / 1e6) < 250);
  });

  it('D.redaction: takes time in proportion to the text, whatever stands in it', () => {
    const hostile = [
      'ghp_', 'sk-', 'sk-proj-', 'xoxb-', 'airtable', 'aws = ', 'eyJaaaaaaaaaaaaaaaaaaaaa.', '://', '://a:', 'curl -u ',
      '-----BEGIN PRIVATE KEY-----', '-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', '-----END PRIVATE KEY', 'password="', 'authorization: bearer ',
      'PuTTY-User-Key-File-2:', 'Q~', '_mmk', '.atlasv1.', 'token   ', 's.', 'SK', '<add key="Password" ', 'a3-', '"',
      '&amp;', '%41', '\\/', '&#65;', 'x\0',
    ]; // prettier-ignore
    for (const piece of cases(hostile, 10)) {
      // The same amount in eight texts and in one: the clock is too coarse for one small text.
      const time = (length: number, times: number): number => {
        const text = piece.repeat(Math.ceil(length / piece.length));
        const started = workedMs();
        for (let at = 0; at < times; at++) findByRules(text);
        return workedMs() - started;
      };
      const [once, eight] = full ? [60_000, 480_000] : [20_000, 160_000];
      time(20_000, 1);
      const small = Math.min(time(once, 8), time(once, 8));
      const large = Math.min(time(eight, 1), time(eight, 1));
      assert.ok(large <= 4 * small + 30, `${piece}: 8 times ${once} bytes in ${small} ms, ${eight} in ${large} ms`);
    }
  });
});

/**
 * Files of this project's own packages that are text, at most so many. Secretlint's own rules hold keys to test with.
 */
function packageFiles(most: number): string[] {
  const files: string[] = [];
  const folders = ['node_modules'];
  for (let folder = folders.shift(); folder !== undefined && files.length < most; folder = folders.shift()) {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const place = path.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!/secretlint/.test(place)) folders.push(place);
      } else if (
        entry.isFile() &&
        /\.(?:[cm]?[jt]s|json|md|map|ya?ml|txt|html|css)$/.test(entry.name) &&
        statSync(place).size < 400_000
      )
        files.push(place);
    }
  }
  return files.slice(0, most);
}
