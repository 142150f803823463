import { strict as assert } from 'node:assert';
import { findByRules } from '../../../../src/core/secrets/finder';
import { isOfWords } from '../../../../src/core/secrets/shape';
import { tokenRules } from '../../../../src/core/secrets/tokenRules';
import type { Finding } from '../../../../src/core/secrets/finding';
import { drawnOf } from '../../../support/secretSamples';

/** In the syntax of `drawnOf`; beginnings in two parts, so that no scanner takes this file for one that holds keys. */
const forms: readonly string[] = [
  'aio|_<B:28>', 'da2|-<a:26>', 'odt|_<B:32>', 'odt|_<B:8>_<B:32>', 'figp|_<B:40>', 'figr|_<B:40>', 'hawk|.<B:20>.<B:20>', 'live|_126031192_<B:30>',
  'NRRA|-<h:42>', 'NRIQ|-<w:32>', 'NRAA|-<h:27>', 'NRBR|-<h:19>', '<h:36>|NRAL', 'tk|.eyJ<B:60>.<B:22>', 'mdb_sa|_sk_<B:40>', 'ptr|_<B:43>=', 'rootly|_<h:64>',
  'slk|_<h:64>', 'spu|-<h:32>', 'alcht|_<B:30>', 'ak|_live_<B:30>', 'ramp|_sec_<B:48>', 'rh|-api-<u:1>', 'salad|_cloud_org_<B:50>', 'sdk|-<u:1>',
  'AKID|<B:32>', 'lip|_<B:20>', 'waka|_<u:1>', 'CCDB1|_<B:22>_<B:40>', 'KEY01|8F<d:28>_<B:22>', 'AVNS|_<B:19>', 'mlsn|.<h:64>', 'vercel|_blob_rw_<B:16>_<B:30>',
  'ddp|_<B:36>', 'zpka|_<h:32>_<h:8>', 'sec|-c-<B:48>', 'ion|_<B:42>', 'NF|-<B:32>', 'BBDC|-<B:44>', 'polar|_oat_<B:43>', 'unkey|_<B:24>', 'pk|_7043602_<A:32>',
  '1000|.<h:32>.<h:32>', 'sl|.u.<B:140>', 'sgp|_<B:64>', 'bb|_pr_<h:30>', 'EAAG|<B:150>', 'bkua|_<a:40>', 'PMAK|-<B:24>-<B:34>', 'pul|-<a:40>', 'sbp|_<a:40>',
  'https://outlook.office.com/webhook/<u:1>@<u:1>|/IncomingWebhook/<h:32>/<u:1>', 'https://hooks.zapier.com/hooks/catch|/<d:7>/<a:7>/',
  'hooks[.]slack[.]com/services/T<A:8>/B<A:8>|/<B:24>', 'hooks\\.slack\\.com/services/T<A:8>/B<A:8>|/<B:24>', 'xapp|-1-A12-2949-<a:6>', 'xox|o-<d:11>-<d:13>', 'glc|_eyJvIjoiMTIzIiwibiI6InRlc3QifQabcXYZ==',
  'TRELLO_TOKEN=|<h:32>', 'ASANA_PAT=|1/<d:16>:<h:32>', 'NGROK_AUTHTOKEN=|2<B:26>_<B:21>',
]; // prettier-ignore

const sureIn = (text: string): readonly Finding[] => findByRules(text).filter(({ sure }) => sure === true);

/** How much of a text somebody still sees. */
const leftOf = (text: string): string => {
  let left = '';
  let at = 0;
  for (const { start, end } of [...sureIn(text)].sort((a, b) => a.start - b.start)) {
    if (end <= at) continue;
    left += text.slice(at, Math.max(at, start));
    at = end;
  }
  return left + text.slice(at);
};

describe('forms of keys', () => {
  it('D.redaction: of services that give out tokens with a beginning of their own are hidden', () => {
    const missed = forms.flatMap((form) =>
      [3, 17, 29, 41].map((at) => drawnOf(form.replace('|', ''), at)).filter((text) => sureIn(`a\n${text}\nb\n`).length === 0),
    ); // prettier-ignore
    assert.deepEqual(missed, []);
  });

  it('D.redaction: of letters and digits alone are hidden behind `=` without quotes', () => {
    for (const form of [
      'LT|AI<B:20>',
      '4b|1d<B:38>',
      'sq|0atp-<B:22>',
      'EA|AC<B:150>',
      'oy|2q7<a:41>',
      'EZ|AK<B:54>',
    ]) {
      const key = drawnOf(form.replace('|', ''), 6);
      for (const text of [`KEY=${key}`, `ARG token=${key}`, `?id=${key}&x=1`, `${key}\n`])
        assert.ok(!leftOf(`a\n${text}\nb`).includes(key.slice(8, 20)), text);
    }
  });

  it('D.redaction: addresses of shops and channels are hidden with each spelling of a dot, and no other host is taken', () => {
    const webhook = (sign: string): string => drawnOf(`hooks${sign}slack${sign}com/services/T<A:8>/B<A:8>/<B:24>`, 5);
    const shop = (sign: string): string => drawnOf(`https://<h:7>a:<h:7>a@gems${sign}contribsys${sign}com`, 5);
    for (const sign of ['.', '\\.', '\\\\.', '%2E', '%2e', '[.]', '(.)', '[dot]', ' dot ', '&#46;', '&#x2E;', '&period;', '\\u002e'])
      assert.ok(sureIn(webhook(sign)).length > 0, sign);
    for (const sign of ['.', '\\.', '[.]', '(.)', '[dot]']) assert.ok(sureIn(shop(sign)).length > 0, sign);
    // The path gives a webhook away, whatever one sign stands for the dot: `hooks-slack-com` in the name of a file.
    for (const sign of ['_', '-', 'x', '|']) assert.ok(sureIn(webhook(sign)).length > 0, sign);
    // As an import path may have them.
    for (const sign of ['', '--', '.my', '/', ' ']) assert.deepEqual(sureIn(webhook(sign)), [], sign);
  }); // prettier-ignore

  it('D.redaction: are looked for by expressions in which every quantifier is bounded', () => {
    for (const { kind, pattern } of tokenRules)
      assert.doesNotMatch(pattern.source.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, 'x'), /[*+]|\{\d+,\}/, kind);
  });

  it('D.redaction: names in code behind the beginning of any token are left, and what is drawn there is not', () => {
    const names = [
      'utf8ToBase64UrlConverter',
      'serializeBase64UrlType',
      'addEvent2Listener3WithBody',
      'ResetPasswordStateTransitionHandlerV2',
      'getOperationArgumentValueFromParameter',
      'interaction_required_for_token_2',
      'release-notes-of-version-2024-11',
      'useDefaultBrokerAccount',
      'AuxiliaryAuthenticationHeaderPolicyOptions',
      'import_auxiliaryAuthenticationHeaderPolicy1',
      'x509CertificateToPkcs12Bundle',
      'oauth2ClientForS3BucketReader',
    ];
    const beginnings = [
      ...tokenRules.flatMap(({ anchors }) => anchors).filter((one) => /[_.]$|^.{3}-$/.test(one)),
      's.',
    ];
    assert.ok(beginnings.length > 100);
    const hidden = beginnings.flatMap((begin) =>
      names.map((name) => `"${begin}${name}"`).filter((text) => sureIn(text).length > 0),
    );
    assert.deepEqual(hidden, []);
    for (const [length, most] of [
      [16, 10],
      [20, 6],
      [24, 4],
      [40, 1],
    ] as const) {
      const taken = Array.from({ length: 1000 }, (_none, at) => drawnOf(`<B:${length}>`, at)).filter(isOfWords);
      assert.ok(taken.length <= most, `${length}: ${taken.join(' ')}`);
    }
  });

  it('D.redaction: of Vault before version 1.10 are hidden without quotes, and no property of `s` is', () => {
    const key = `s.${drawnOf('<B:4>7<B:4>3<B:14>', 5)}`;
    for (const text of [`token: ${key}`, `VAULT=${key}`, `a\n${key}\nb`, `\`${key}\``]) assert.ok(sureIn(text).length > 0, text);
    for (const text of [' s.addEvent2Listener3WithBody(x)', ' s.longNameOfAMethodWithout', '=s.version2.part3.moreOfItHere'])
      assert.deepEqual(sureIn(text), [], text);
  }); // prettier-ignore

  it('D.redaction: in the options of curl are hidden in another line, alone, and as a name without a password', () => {
    const key = drawnOf('q7<B:18>', 8);
    for (const text of [
      `curl -X POST https://h.example/x \\\n  -H 'a: b' \\\n  -u dev:${key}`,
      `curl -u ":${key}" https://h.example`,
      `curl -u "${key}:" https://h.example`,
      `curl -u "me@h.example/token:${key}" https://h.example`,
      `curl -H 'Authorization: Api-Token ${key}' https://h.example`,
      `curl -H 'Authorization: GenieKey ${drawnOf('<u:1>', 4)}' https://h.example`,
    ])
      assert.ok(sureIn(text).length > 0, text);
    for (const text of ['curl -u dev: https://h.example', 'curl -u : --negotiate https://h.example', 'curl --user "$NAME:"', 'curl -u $NAME_OF_THE_USER_12: https://h.example'])
      assert.deepEqual(sureIn(text), [], text);
  }); // prettier-ignore

  it('D.redaction: a web token in base64 is hidden by its first member, in one line and over several', () => {
    const body = Buffer.from(`{"typ":"JWT","kid":"${drawnOf('<B:60>', 3)}"}`).toString('base64url');
    const whole = Buffer.from(`${body}.${drawnOf('<B:43>', 4)}`).toString('base64');
    const lines = whole.replace(/.{76}/g, '$&\n');
    for (const text of [`x: ${whole} y`, `x:\n${lines}\nnext=1`]) {
      const left = leftOf(text);
      assert.ok(!left.includes(whole.slice(20, 40)) && !left.includes(whole.slice(-20)), left);
      assert.ok(/y$|next=1$/.test(left), left);
    }
    for (const text of [`ZXlK${drawnOf('</:60>', 2)}`, 'ZXlKaGJHY2lPaU', `ZXlKaGJHY2lPaUpJVXpJ`])
      assert.deepEqual(sureIn(text), [], text);
  });

  it('D.redaction: of a bot of Discord are hidden whatever its number begins with', () => {
    for (const head of ['Nzk5', 'OTUy', 'ODQz', 'Mjk1', 'NDE0']) {
      const key = `${head}${drawnOf('<B:20>.<B:6>.<B:27>', 3)}`;
      for (const text of [`DISCORD_TOKEN=${key}`, `BOT_TOKEN: ${key}`, `client.login('${key}');`, `bot.run("${key}")`])
        assert.ok(!leftOf(text).includes(key), text);
    }
  });

  it('D.redaction: values of a Secret of Kubernetes are hidden, and nothing of other manifests or of templates is', () => {
    const [password, other] = [btoa(drawnOf('<B:14>7a', 2)), btoa(drawnOf('<B:20>7a', 5))];
    const certificate = btoa('-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQY');
    const values = `data:\n  # of the shop\n  user: ${btoa('admin')}\n  db-value: ${password}\n\n  "other": '${other}'\n  tls.crt: ${certificate}\n`;
    const metadata = 'metadata:\n  name: shop-2a\n  labels:\n    release: a7Bc9dE2fG4hJ6kL\n';
    for (const text of [
      `apiVersion: v1\nkind: Secret\n${metadata}${values}type: Opaque\n`,
      `apiVersion: v1\n${values}kind: Secret\n${metadata}`,
      `kind: ConfigMap\ndata:\n  a: b\n---\r\nkind: "Secret"\n${values}`,
      `{\n  "kind": "Secret",\n  "data": {\n    "db-value": "${password}",\n    "o": "${other}",\n    "c": "${certificate}"\n  }\n}`,
    ]) {
      const left = leftOf(text);
      assert.ok(!left.includes(password) && !left.includes(other), left);
      assert.ok(left.includes(certificate), left);
      assert.ok(!text.includes('labels') || left.includes(metadata), left);
    }
    const plain = `kind: Secret\nstringData:\n  token: ${drawnOf('<B:14>7a', 8)}\n  note: for the shop\n`;
    assert.ok(!leftOf(plain).includes(drawnOf('<B:14>7a', 8)) && leftOf(plain).includes('for the shop'), plain);
    for (const text of [
      `kind: ConfigMap\n${values}`,
      `kind: SecretStore\n${values}`,
      `the secret\n${values}`,
      `kind: Secret\nkind: ConfigMap\n${values}`,
      `kind: Secret\n---\nkind: ConfigMap\n${values}`,
      'kind: Secret\ndata:\n  password: {{ .Values.password2 | b64enc }}\n  token: <the token in base64>\n',
      `kind: Secret\ndata:\n  password: ${btoa('mypassword')}\n`,
    ])
      assert.deepEqual(sureIn(text), [], text);
  });

  it('D.redaction: values of a Secret of Kubernetes are hidden in each way in which a manifest is written', () => {
    const plain = drawnOf('<B:14>7a', 6);
    const [value, other, more] = [btoa(plain), btoa(drawnOf('<B:20>7a', 3)), btoa(drawnOf('<B:17>7a', 4))];
    const long = btoa(drawnOf('<B:3000>', 9));
    const object = { apiVersion: 'v1', data: { password: value, user: 'YWRtaW4=', 'a-b': other }, kind: 'Secret' };
    const yaml = `apiVersion: v1\ndata:\n  password: ${value}\n  "a-b": "${other}"\nkind: Secret\nmetadata:\n  name: a7Bc9dE2fG4hJ6kL\n`;
    const numbered = yaml.split('\n').map((line, at) => `    ${at + 9}\t${line}`);
    const ways: Record<string, string> = {
      'one line': JSON.stringify(object),
      'several lines': JSON.stringify(object, null, 2),
      'with its metadata first': JSON.stringify({ metadata: { ownerReferences: [{ kind: 'X' }], data: {} }, ...object }),
      'in a text of JSON': JSON.stringify({ last: JSON.stringify(object) }),
      'in a text within a text, in lines': JSON.stringify({ a: JSON.stringify({ b: JSON.stringify(object, null, 1) }) }),
      'in a list': JSON.stringify({ items: [{ kind: 'ConfigMap', data: { x: 'y' } }, object, { data: {}, kind: 'Y' }] }),
      'in quotes of a program': `x = {'kind': 'Secret', 'data': {'password': '${value}', 'a-b': '${other}'}}`,
      'braces in YAML': `kind: Secret\ndata: {password: ${value}, "a-b": '${other}'} # so\n`,
      'YAML in a text of JSON': JSON.stringify({ content: yaml }),
      'YAML in a text within a text': JSON.stringify([JSON.stringify({ content: yaml })]),
      'its kind first in a text': JSON.stringify({ content: yaml.replace('kind: Secret\n', '').replace(/^/, 'kind: Secret\n') }),
      'lines with numbers': numbered.join('\n'),
      'added lines': yaml.replace(/^(?=.)/gm, '+'),
      'removed lines': yaml.replace(/^(?=.)/gm, '-'),
      'added lines among others': yaml.replace(/^(?=.)/gm, ' ').replace(/^ (?=.*(?:password|a-b))/gm, '+'),
      'in a comment': yaml.replace(/^(?=.)/gm, '# '),
      'lines of a block': `kind: Secret\ndata:\n  password: |\n    ${value}\n  a-b: >-\n    ${other.slice(0, 12)}\n    ${other.slice(12)}\ntype: Opaque\n`,
      'two sections': `kind: Secret\nstringData:\n  password: ${plain}\ndata:\n  a-b: ${other}\n  password: ${value}\n`,
      'an item of a list': `items:\n- data:\n    password: ${value}\n    a-b: ${other}\n  kind: Secret\n- kind: ConfigMap\n  data:\n    x: y\n`,
      'behind a long value': `data:\n  a: ${long}\n  password: ${value}\n  b: ${long}\n  a-b: ${other}\nkind: Secret\n`,
      'behind a long value of JSON': JSON.stringify({ kind: 'Secret', data: { a: long, password: value, b: long, 'a-b': other } }),
    };
    for (const [way, text] of Object.entries(ways)) {
      const left = leftOf(text);
      assert.ok(![value, other.slice(0, 12), other.slice(-12), plain].some((one) => left.includes(one)), `${way}: ${left}`);
      assert.ok(way === 'one line' || !text.includes('a7Bc9dE2') || left.includes('a7Bc9dE2fG4hJ6kL'), `${way}: ${left}`);
    }
    const map = { kind: 'ConfigMap', data: { 'a-b': more } };
    for (const text of [
      JSON.stringify({ items: [object, map] }), JSON.stringify([map, object]), JSON.stringify({ ...object, x: map }),
      JSON.stringify({ x: JSON.stringify(map), ...object }), `${yaml}---\nkind: ConfigMap\ndata:\n  a-b: ${more}\n`,
      `kind: ConfigMap\ndata:\n  a-b: ${more}\n---\n${yaml}`, `${JSON.stringify({ content: yaml })},${JSON.stringify({ data: map.data })}`,
      `items:\n- kind: Secret\n  data:\n    a: ${value}\n- data:\n    a-b: ${more}\n  kind: ConfigMap\n`,
    ])
      assert.ok(leftOf(text).includes(more), text);
  }); // prettier-ignore

  it('D.redaction: in lists of names that say keys, and passwords with brackets, per cents and dollars are hidden', () => {
    const hidden: readonly (readonly [before: string, form: string, after: string])[] = [
      ['privateKeys: ["0x', '<h:64>', '"]'],
      ['secretKeys = ["', '<B:40>', '"]'],
      ['curl -u admin:', 'qT7wZ4pLk9]', ' https://h'],
      ['curl "https://h?a=1&b=2" -H "Accept: a;q=1" -u admin:', 'qT7%sZ4pLk9', ''],
      ['Server=db;User Id=sa;Password=', 'kdjw(8Xz!2q', ';'],
      ['machine h.example.org login ann password ', 'hunter(42)x9', ''],
      ['<add key="Password" value="', '$9xKq2Lmz8Tw', '" />'],
      ['<add key="Password"\n                value="', '$9xKq2Lmz8Tw', '"\n    />'],
      ['kind: Secret\nstringData:\n  password: ', 'Zk82kd#9sLm2pQ', '\n'],
      ['kind: Secret\nstringData:\n  passphrase: ', 'correct horse battery staple', ' # of the shop\n'],
      ['kind: Secret\nstringData:\n  "db-pass": "', 'Zk,82kd9sLm2pQ', '",\n'],
      [
        'kind: Secret\ndata:\n  .dockerconfigjson: ',
        btoa('{"auths":{"r.shop.dev":{"username":"ann","password":"kd82mZq4"}}}'),
        '\r\n',
      ],
    ];
    const shown = hidden.filter(([before, form, after]) => {
      const key = drawnOf(form, 7);
      return leftOf(`${before}${key}${after}`).includes(key);
    });
    assert.deepEqual(shown, []);
  });

  it('D.redaction: passwords that are given to programs by an option, and cookies that let in again, are hidden', () => {
    const key = drawnOf('q7<B:18>', 8);
    for (const text of [
      `docker login -u bob -p ${key} registry.example.com`, `podman login --password=${key} r.example`, `az login --service-principal -u id -p ${key} --tenant t`,
      `mysql -u root -p${key} shop`, `mysqldump --single-transaction -uroot -p'${key}' shop`, `mariadb -p${key}`, `sshpass -p '${key}' ssh a@b`,
      `sqlcmd -S h -U sa -P ${key}`, `openssl pkcs12 -in a.p12 -passin pass:${key} -out b`, `keytool -list -storepass ${key} -keypass ${key}`,
      `Cookie: theme=dark; session=${key}`, `Set-Cookie: connect.sid=s%3A${key}; HttpOnly`, `curl -H 'cookie: a=b; auth_token=${key}' https://h.example`, `{"Cookie": "PHPSESSID=${key}"}`,
    ])
      assert.ok(!leftOf(text).includes(key), text);
    for (const text of [
      'docker login -u bob --password-stdin registry.example.com', 'docker login -u bob -p $REGISTRY_PASSWORD2', 'docker login -p "${PW_OF_2}"', 'az login -p <password-1>',
      'mysql -h db2.example.org --port=3306 shop', 'mysql -u root -p shop2024', 'sshpass -p "$SSH_PW2" ssh a@b', 'sshpass -e ssh a@b', 'openssl -passin env:NAME_OF_2_PW',
      'keytool -storepass changeit', 'Cookie: theme=dark-2024-11-release-3; lang=en-GB-oxendict', 'cookie: session=<the session of 2024>', 'const cookie = parse(sessionId2, tokenAuth3);',
      'if (login) open({ -p: readTheSecondPart2() })',
    ])
      assert.equal(leftOf(text), text);
  }); // prettier-ignore

  it('D.redaction: everyday words behind `authorization`, `secret` and the options of other commands are left', () => {
    const left = [
      'authorization, see rfc6749-section-4.1.2',
      'android-sdk-123e4567-e89b-12d3-a456-426614174000',
      'aio_9fceb02d0ae598e95dc970b74767',
      'xoxo-1-2-3-a',
      '* authorization: revert 9fceb02d0ae598e95dc970b74767f19372d61af8',
      'authorization: denied 123e4567-e89b-12d3-a456-426614174000',
      'authorization: use oauth2-proxy/v7.5.1',
      'const authorization = await oauth2Client.credentials;',
      'authorization: enabled rbac.authorization.k8s.io/v1beta1',
      "const n = { kind: 'secret',\n data: {\n publicKey: customerIdentifier,\n label: translatedLabel,\n } }",
      'items:\n- apiVersion: v1\n  data:\n    a: cGFzcw==\n  kind: Secret\n- apiVersion: v1\n  data:\n    session_key: userprofile1\n  kind: ConfigMap\n',
      'RUN curl -sSL https://h.example.org/a.tgz \\\n | tar xz \\\n && rsync -u deploy@h.example.org:/var/www/release-2024.11/site3 .',
      'RUN curl -s https://h.example.org && docker run -u node:node-18-alpine3 img',
    ];
    assert.deepEqual(
      left.filter((text) => leftOf(text) !== text),
      [],
    );
  });

  it('D.redaction: what only begins like one, or holds the name of a service within two words, is left', () => {
    for (const form of [
      'static void GLC_CreateLightmapTexturesIndividual(void);',
      'checksum: eaac<h:124>',
      'https://cdn.example/video.ico-<h:32>.png',
      'https://notes.example/API-<A:32>',
      'https://img.example/s640/EXO-XOXO-teaser-exo-k-34521098-720-516.jpg',
      'https://img.example/2018-250-xoxo-indieweb-1.jpg',
      'xoxe.xoxp-1-SlackAppConfigurationAccess2TokenHere',
      '<B:30>/<B:20>+EZAK<B:60>/<B:20>',
      '<add key="ClearTextPassword" value="%NameOfTheVariable2%" />',
      'SetSysctl = "q7<a:22>"',
      'rookTable = 00<B:40>',
      'const sumObj = "su<B:12>"',
      'sumOfExposures = "<B:64>"',
      'CameraKit: <h:40>',
      'discord_token = "00000000000000000000000000000000"',
      'live_demo2_thisIsTheNameOfAFunctionThatIsLong',
      'api-reference-2f31f1e2-overview',
      'sdk-2024-01-15-release-notes-of-it',
      'lip_gloss_and_other_things',
      'aws_policy = "AmazonManagedEC2InstanceTheDefaultPolicy"',
      'user=read(x), password=decode_token2Part(data[0])',
      'sl.setAttribute2(name)',
      'pk_column_of_table_2_is_here',
      'trello_avatar: "<h:32>"',
      '"md5_of_trello": "<h:32>"',
      'trelloMd5Sum = "<h:32>"',
      'trello_fingerprint = "<h:32>"',
      `okta_key = "00${'a'.repeat(40)}"`,
      `SSWS 00${'x'.repeat(40)}`,
    ]) {
      const text = drawnOf(form, 9);
      assert.deepEqual(sureIn(text), [], text);
    }
    for (const text of ['linkedInToken', 'LinkedInSecret', 'LINKEDIN_KEY', 'myLinkedIn.key'])
      assert.ok(sureIn(`${text} = "${drawnOf('q7<a:14>', 2)}"`).length > 0, text);
  });
});
