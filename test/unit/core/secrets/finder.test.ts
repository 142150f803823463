import { strict as assert } from 'node:assert';
import { findByRules } from '../../../../src/core/secrets/finder';
import { runs } from '../../../support/counts';
import {
  drawnOf,
  drawnSecret,
  type CorpusRule,
  samplesOf,
  secretKinds,
  surroundings,
} from '../../../support/secretSamples';
import { drawnByForms } from '../../../support/secretlintForms';
import { itWithShared, readJson } from '../../../support/shared';
import { isHidden } from '../../../support/isHidden';

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

  it('D.redaction: hides what further services and programs give out', () => {
    const missed: string[] = [];
    for (const form of otherForms)
      for (let at = 0; at < 8; at++) {
        const text = drawnOf(form.replace('|', ''), at * 7 + 1);
        if (!findByRules(`a line\n${text}\nand another\n`).some(({ sure }) => sure)) missed.push(text);
      }
    assert.deepEqual(missed, []);
    const told = ['JWT_SECRET=<h:64>', 'API_TOKEN=<h:32>', "SECRET_KEY='django-insecure-<a:50>'"];
    for (const form of told) {
      const text = drawnOf(form, 4);
      assert.ok(findByRules(text).length > 0, text);
    }
    // What a value looks like decides the same here as in a file of the environment.
    for (const text of ['API_TOKEN=kzmtqwhbx7rnlpvc', 'api_key: 9f3-a1c-77b-e04-d52'])
      assert.equal(findByRules(text).length, 1, text);
    for (const text of ['API_TOKEN=shop-service-v2-production', 'api_key: readFromTheKeyFile2'])
      assert.deepEqual(findByRules(text), [], text);
  });
});

/** In the syntax of `drawnOf`; beginnings in two parts, so that no scanner takes this file for one that holds keys. */
const otherForms: readonly string[] = [
  'sk|-<h:32>',
  'xox|c-<d:12>-<d:12>-<d:12>-<h:64>',
  'xox|d-<B:60>%2B<B:60>%3D',
  '<d:10>|:AA<B:33>',
  'https://api.telegram.org/bot<d:10>|:AA<B:33>/send',
  'MTk4NjIyNDgzNDcxOTI1MjQ4|.<B:6>.<B:27>',
  'pat|-na1-<u:1>',
  'AQ|.Ab8RN6<B:45>',
  'pcsk|_<B:5>_<B:63>',
  're|_<B:8>_<B:24>',
  'nfp|_<B:36>',
  'CCIPAT|_<B:22>_<h:40>',
  'bkua|_<h:40>',
  'CFPAT|-<B:43>',
  'phx|_<B:43>',
  'ATTA|<h:64>A82A52D7',
  'napi|_<a:64>',
  'rnd|_<B:28>',
  'snyk|_uat.<h:8>.<B:120>',
  'xsmtpsib|-<h:64>-<B:16>',
  'sk|-lf-<u:1>',
  'csk|-<a:48>',
  'fc|-<h:32>',
  'jina|_<h:32><B:32>',
  'e2b|_<h:40>',
  'crsr|_<h:64>',
  'fw|_<B:24>',
  'xaat|-<u:1>',
  'rzp|_live_<B:14>',
  'pdl|_live_apikey_<a:26>_<B:22>_<B:3>',
  'sk|_org_live_<B:60>',
  'oy2|q7<a:41>',
  'cio|q7<B:30>',
  'perm|:<B:12>=.<B:8>=.<B:40>',
  '00D|<B:12>!AQ<B:90>',
  'SSWS| 00<B:40>',
  '<h:32>|-<h:8>-<h:8>',
  '<h:32>|-us12',
  '<d:15>||<B:27>',
  'sig|=<B:20>%2B<B:22>%3D',
  '<B:76>|AZDO<B:4>',
  '<B:42>|+ACR<B:6>',
  '<B:52>|JQQJ99BAACYeBjFXJ3w3AAABACOG<B:4>',
  'IQoJb3JpZ2luX2Vj|<B:200>',
  'FwoGZXIvYXdz|<B:200>',
  'X-Amz-Security-Token=IQoJb3JpZ2luX2Vj|<B:90>%2F<B:90>',
  'access-production|-4EB84EE6-EA2D-EA2A-7D49-B7EE83287ADC',
  'DATADOG_API_KEY=|<h:32>',
  'DD_API_KEY=|<h:32>',
  'TWILIO_AUTH_TOKEN=|<h:32>',
  'CF_API_TOKEN=|<B:40>',
  'VERCEL_TOKEN=|<B:22>7a',
  '_auth = |<B:40>',
  '_password=|<B:24>',
  '"client_token": "s|.<B:22>7a"',
  '{"auths":{"https://r.example/v1/":{"auth":"|Ym9iOkJ6WVAzMFZjRkZsQm9qMFc="}}}',
  'machine h.example login bob password |<B:16>',
  'db.example.com:5432:app:bob:|<B:14>7a',
  'users:\n- name: a\n  user:\n    token: |<B:60>',
  'Server=h;Database=d;User Id=sa;Password=|<B:8>#<B:8>;',
  'DRIVER=x;UID=sa;PWD=|<B:16>;',
  'PrivateKey = |<B:41>7E=',
  'const MailchimpSDK.initialize = |<h:32>-us11',
  'https:|//hooks%slack,com/workflows/<B:50>',
  'sk|-service-account-<B:20>T3BlbkFJ<B:20>',
  'sk|-kimi-<B:48>',
  'FLWSECK|-<a:32>-X',
  'squ|_<a:40>',
  'dtn|_<h:64>',
  'ctx7sk|-<u:1>',
  'wandb|_v1_<B:40>_<B:30>',
  'sk|_pr_my_key_<h:40>',
  'tr|_dev_<B:20>7a',
  'signkey|-prod-<h:64>',
  'RGAPI|-<u:1>',
  'prod:a-b-123||eyJ2MiI6I<B:60>',
  'Endpoint=https://a.azconfig.io;Id=x;Secret=|<B:43>=',
  'oaa|<B:14>.v1.eyJ<B:100>.<h:64>',
  "curl --user kevin:'|<B:16>' https://e.example/",
];
