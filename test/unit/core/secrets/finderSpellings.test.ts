import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { findByRules } from '../../../../src/core/secrets/finder';
import { namedRules } from '../../../../src/core/secrets/namedRules';
import { runs } from '../../../support/counts';
import { drawnOf, drawnSecret } from '../../../support/secretSamples';
import { isHidden } from '../../../support/isHidden';

describe('finding secrets however they are written', () => {
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

  it('D.redaction: hides the key of a service wherever its name stands before it', () => {
    const forms: Readonly<Record<string, string>> = {
      datadog: '<h:32>',
      plaid: '<a:30>',
      heroku: '<h:8>-<h:4>-<h:4>-<h:4>-<h:12>',
      aws_secret: 'q7</:38>',
    };
    const capital = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const places: readonly ((name: string, value: string) => string)[] = [
      (name, value) => `- name: ${name.toUpperCase()}_KEY\n  value: ${value}`,
      (name, value) => JSON.stringify({ name: `${name.toUpperCase()}_KEY`, value }, undefined, 2),
      (name, value) => `<add key="${capital(name)}Key" value="${value}" />`,
      (name, value) => `<key>${capital(name)}Key</key>\n\t<string>${value}</string>`,
      (name, value) => `ENV ${name.toUpperCase()}_KEY ${value}`,
      (name, value) => `run --${name}-key ${value} --now`,
      (name, value) => `run --${name}-key "${value}"`,
      (name, value) => `setx ${name.toUpperCase()}_KEY "${value}"`,
      (name, value) => `set -gx ${name.toUpperCase()}_KEY ${value}`,
      (name, value) => `#define ${name.toUpperCase()}_KEY "${value}"`,
      (name, value) => `private readonly ${name}Key: string = '${value}';`,
      (name, value) => `${name}_key: str = "${value}"`,
      (name, value) => `const ${name.toUpperCase()}_KEY: &'static str = "${value}";`,
      (name, value) => `public string ${capital(name)}Key { get; set; } = "${value}";`,
      (name, value) => `const char ${name}_key[] = "${value}";`,
      (name, value) => `${name}_api_token${' '.repeat(40)}= "${value}"`,
      (name, value) => `variable "${name}_token" {\n  type    = string\n  default = "${value}"\n}`,
      (name, value) => `const k = process.env.${name.toUpperCase()}_KEY ?? '${value}';`,
      (name, value) => `${name}Key: isProduction ? "${value}" : ""`,
      (name, value) => `${name}_key = b"${value}"`,
      (name, value) => `${name}_key = f'${value}'`,
      (name, value) => `NSString *${name}Key = @"${value}";`,
      (name, value) => `${name}_key =\n    "${value}"`,
      (name, value) => `${name}_key= \\\n  ${value}`,
      (name, value) => `${name}_key: >-\n  ${value}\n`,
      (name, value) => `${name}_keys:\n  - ${value}\n`,
      (name, value) => `"${name}Keys": ["${value}"]`,
      (name, value) => `${name}_key = [[${value}]]`,
      (name, value) => `**${name}_key**: \`${value}\``,
      (name, value) => `- \`${name.toUpperCase()}_KEY\`: \`${value}\``,
      (name, value) => `| ${name.toUpperCase()}_KEY | ${value} |`,
      (name, value) => `The ${capital(name)} key is \`${value}\`.`,
      (name, value) => `${name}_key = “${value}”`,
      (name, value) => `${name} 密钥：${value}`,
      (name, value) => `\u001b[32m${name}_key\u001b[0m=\u001b[31m${value}\u001b[0m`,
      (name, value) => `$config['${name}']['key'] = '${value}';`,
      (name, value) => `new ${capital(name)}({ key: '${value}' })`,
      (name, value) => `${name}_key <- "${value}"`,
      (name, value) => `[${name}]\napi_key = "${value}"`,
      (name, value) => `${name}:\n  api_key: ${value}\n`,
      (name, value) => JSON.stringify(JSON.stringify(JSON.stringify({ [`${name}_token`]: value }))),
    ];
    for (const place of places)
      for (const [name, form] of Object.entries(forms)) {
        const value = drawnOf(form, places.indexOf(place) + 3);
        const text = `first line\n${place(name, value)}\nlast line\n`;
        assert.ok(isHidden(text, value), text);
      }
  });

  it('D.redaction: calls the key of each service by its own kind, which decides the hosts that it may go to', () => {
    const id = '<h:8>-<h:4>-<h:4>-<h:4>-<h:12>';
    const keys: readonly (readonly [text: string, kind: string])[] = [
      [`CODECOV_TOKEN=${id}`, 'codecov-key'],
      [`POSTMARK_API_TOKEN=${id}`, 'postmark-key'],
      [`EXA_API_KEY=${id}`, 'exa-key'],
      [`SENDBIRD_TOKEN=${id}`, 'sendbird-key'],
      [`SQUARESPACE_TOKEN=${id}`, 'squarespace-key'],
      [`SNYK_TOKEN=${id}`, 'snyk-key'],
      [`CONSUL_HTTP_TOKEN=${id}`, 'consul-token'],
      [`NOMAD_TOKEN=${id}`, 'nomad-token'],
      ['DEEPGRAM_API_KEY=<h:40>', 'deepgram-key'],
      ['WANDB_API_KEY=<h:40>', 'wandb-key'],
      ['GITEA_TOKEN=<h:40>', 'gitea-token'],
      ['AZURE_OPENAI_API_KEY=<h:32>', 'azure-ai-key'],
      ['AZURE_DEVOPS_EXT_PAT=<a:52>', 'azure-devops-token'],
      ['x = <B:76>AZDO<B:4>', 'azure-devops-token'],
      ['x = <B:52>JQQJ99BAACYeBjFXJ3w3AAABACOG<B:4>', 'azure-ai-key'],
      ['x = <B:42>+ACR<B:6>', 'azure-registry-key'],
      ['DefaultEndpointsProtocol=https;AccountName=a;AccountKey=<B:86>==', 'azure-account-key'],
      ['Endpoint=sb://a.servicebus.windows.net/;SharedAccessKey=<B:43>=', 'azure-shared-access-key'],
    ];
    for (const [form, kind] of keys) {
      const text = drawnOf(form, 11);
      const found = findByRules(text).filter(({ sure }) => sure);
      assert.deepEqual([...new Set(found.map(({ rule }) => rule))], [kind], text);
    }
    // Whatever is added next: two names in one rule stand for one service, by their spelling or as it is said here.
    const said =
      'aliyun confluence jira amazon secret_access_key secretaccesskey arm_client_secret cf_api_token cf_api_key ' +
      'co_api_key dd_api_key dd_app_key artifactory bintray xray new-york-times newyorktimes client_token ' +
      'ocp-apim-subscription-key registrytoken presharedkey';
    const start = (name: string): string => name.replace(/[_-]/g, '').slice(0, 5);
    const others = namedRules.flatMap(({ names }) => names.filter((name) => start(name) !== start(names[0] ?? '')));
    assert.deepEqual([...new Set(others)].sort(), said.split(' ').sort());
  });

  it('D.redaction: hides every line of a key, however its line breaks are written', () => {
    const lines = Array.from({ length: 5 }, (_, at) => drawnOf('<B:64>', at));
    const key = ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----'];
    const breaks = ['\n', '\r\n', '\r', '%0A', '%0D%0A', '&#10;', '&#xA;', '&#13;&#10;', '<br>', '<br/>'];
    const escaped = [
      '\\u000a',
      '\\x0a',
      '\\n',
      '\\r\\n',
      '\\\\n',
      '\\\\\\\\n',
      '\u001b[0m\n\u001b[31m',
      '\\u001b[0m\\n',
    ];
    const texts = [...breaks, ...escaped].flatMap((feed) => {
      const text = key.join(feed);
      return [text, feed.startsWith('%') ? text.replaceAll(' ', '%20') : `${text}${feed}`];
    });
    const other = '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n'.concat(
      lines.join('\n'),
      '\n---- END SSH2 ENCRYPTED PRIVATE KEY ----',
    );
    for (const text of [...texts, other])
      for (const line of lines) assert.ok(isHidden(`a\n${text}\nb`, line), JSON.stringify(text));
    const [n = '', d = '', p = ''] = lines;
    for (const text of [
      JSON.stringify({ kty: 'RSA', n, d, p }),
      JSON.stringify({ d, p, n, kty: 'RSA' }, undefined, 2),
      JSON.stringify(
        JSON.stringify({
          keys: [
            { kty: 'EC', d, x: n },
            { kty: 'oct', k: p },
          ],
        }),
      ),
      `<RSAKeyValue><Modulus>${n}</Modulus><P>${p}</P><D>${d}</D></RSAKeyValue>`,
    ])
      assert.ok(isHidden(text, d) && isHidden(text, p), text);
    assert.ok(!isHidden(JSON.stringify({ kty: 'RSA', n, d }), n));
  });

  it('D.redaction: hides passwords in addresses with any sign, and no part of a template', () => {
    const letters = fc.stringMatching(/^[A-Za-z0-9]{4}7[A-Za-z]{3}$/).filter((one) => new Set(one).size > 5);
    const sign = fc.constantFrom(..."!$&'()*+,;=-._~?[]{^|<>#".split(''), '%24', '');
    fc.assert(
      fc.property(letters, sign, letters, (before, between, behind) => {
        const password = `${before}${between}${behind}`;
        fc.pre(!/example|secret|token|password|lorem|foobar|\$\w+$|['>)\]][+,;)]/i.test(password));
        const text = `DATABASE=postgres://app:${password}@db.example.com:5432/app`;
        assert.ok(isHidden(text, password), text);
      }),
      { numRuns: runs(100, 1000) },
    );
    for (const text of [
      'ftp://u:bhcTnFWVyNuOxQ@h/',
      'https://f95b6fb4:8e8c77d8@gems.contribsys.com',
      'https://uHmUeXBK6TO4DdYyqbua9jZ4I7UZuUpAO2GVTu1R@github.com/o/r.git',
    ])
      assert.ok(
        findByRules(text).some(({ sure }) => sure),
        text,
      );
    for (const text of [
      '`postgres://${user}:${pass1word2}@${host}`',
      "'http://' + a1b2 + ':' + c3d4 + '@host'",
      'https://{user}:{pa55}@host',
      'https://user:$PASSWORD1@host',
      'https://user:%(pass1)s@host',
      'https://<user>:<pa55word>@host',
      "fetch('http://localhost:8080');a1b2('x@y')",
    ])
      // prettier-ignore
      assert.ok(!findByRules(text).some(({ sure }) => sure), text);
  });

  it('D.redaction: hides a token wherever the lines of base64 break within it', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 61 }),
        fc.integer({ min: 0, max: 120 }),
        fc.constantFrom(64, 76),
        fc.constantFrom('\n', '\r\n', '\n    ', '\\n'),
        (number, before, width, feed) => {
          const { secret } = drawnSecret(number);
          const whole = Buffer.from(`${'some words '.repeat(11).slice(0, before)}\n${secret}\nmore of it here\n`);
          const text = whole.toString('base64').replace(new RegExp(`.{${width}}(?=.)`, 'g'), `$&${feed}`);
          let shown = '';
          let at = 0;
          for (const { start, end, sure } of [...findByRules(text)].sort((a, b) => a.start - b.start)) {
            if (sure !== true || end <= at) continue;
            shown += `${text.slice(at, Math.max(at, start))}${'A'.repeat(end - Math.max(at, start))}`;
            at = end;
          }
          const read = Buffer.from((shown + text.slice(at)).replaceAll(feed, ''), 'base64').toString('latin1');
          assert.ok(!read.includes(secret.slice(0, 12)) && !read.includes(secret.slice(-12)), text);
        },
      ),
      { numRuns: runs(100, 1000) },
    );
  });
});
