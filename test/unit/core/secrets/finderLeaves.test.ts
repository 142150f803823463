import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { findByRules } from '../../../../src/core/secrets/finder';
import { full, runs } from '../../../support/counts';
import { drawnOf } from '../../../support/secretSamples';

describe('what is no secret is left as it is', () => {
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

  it('D.redaction: leaves checksums and ids beside the names of services, bytes in base64 and documented examples', () => {
    const md5 = drawnOf('<h:32>', 5);
    const bytes = `EAAA${drawnOf('<B:60>', 1)}\n${drawnOf('</:64>', 2)}\n`;
    for (const text of [
      `"assets/icons/facebook.png": "${md5}"`,
      `AWS_LC_COMMIT=${drawnOf('<h:40>', 6)}`,
      `aws_secret_key = ${drawnOf('<h:40>', 6)}`,
      `"discord.js": "${drawnOf('<h:64>', 7)}"`,
      `linear_etag: ${md5}`,
      `AIRTABLE_BASE_ID=app${drawnOf('<B:14>', 8)}`,
      `heroku_app_id: ${drawnOf('<h:8>-<h:4>-<h:4>-<h:4>-<h:12>', 9)}`,
      `cache-key-${md5}`,
      'Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
      'Authorization: Basic dXNlcm5hbWU6cGFzc3dvcmQ=',
      bytes,
      bytes.replace('EAAA', 'LTAI'),
      `${drawnOf('</:64>', 3)}\n${bytes.replace('EAAA', 'EAAM')}`,
      `${drawnOf('</:64>', 3)}\nAKCp${drawnOf('<B:60>', 4)}\n`,
      `ltai${drawnOf('<a:20>', 4)}`,
    ])
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
    for (const file of packageFiles(runs(1500, 10_000, 25_000))) {
      const text = readFileSync(file, 'utf8');
      files++;
      const [first] = findByRules(text).filter(({ sure }) => sure);
      if (first) hidden.push(`${file}: ${first.rule} ${text.slice(first.start, first.end).slice(0, 30)}`);
    }
    assert.ok(!full || files > 5000, `${files} files`);
    assert.ok(hidden.length <= Math.ceil(files / 10_000), `${hidden.length} of ${files}:\n${hidden.join('\n')}`);
  });

  it('D.redaction: leaves code that is named as beginnings of keys are', () => {
    for (const line of [
      'final _password = TextEditingController();',
      '_auth = AuthenticationService(client)',
      'self._auth = HTTPBasicAuthHandler(user, pw)',
      '_password = getPasswordFromEnvironment2()',
      '_auth = services.authenticationService1.create()',
      'fw_downloadAndVerifyImage(image);',
      'fw_updateFirmwareSignature',
      're_compile1_thisIsALongFunctionName(x)',
      'rnd_generateAnotherPseudoRandomNumber',
    ])
      assert.deepEqual(
        findByRules(line).filter(({ sure }) => sure),
        [],
        line,
      );
  });
});

// prettier-ignore

/**
 * Files of this project's own packages that are text, at most so many, from all of them evenly. Secretlint's own rules
 * hold keys to test with.
 */
function packageFiles(most: number): string[] {
  const files: string[] = [];
  const folders = ['node_modules'];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
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
  const apart = Math.max(1, files.length / most);
  return Array.from({ length: Math.min(most, files.length) }, (_, at) => files[Math.floor(at * apart)] ?? '');
}
