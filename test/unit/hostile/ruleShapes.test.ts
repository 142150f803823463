import { strict as assert } from 'node:assert';
import type { Access } from '../../../src/core/vocabulary/access';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../../src/core/policy/rules/parse';
import { fakeCall } from '../../support/gateCall';

const http = (resource: string): Access => ({ effect: 'network.http', resource, method: 'GET' });
const read = (resource: string): Access => ({ effect: 'fs.read', resource });

function judged(match: unknown, access: Access): { readonly effect: string; readonly told: string } {
  const { value, problems } = parseBoundaries([{ id: 'r', match, decision: 'deny' }], 'user');
  const { effect } = new PolicyEngine(value).judge(fakeCall({ accesses: [access] }), [access]);
  const told = problems.filter(({ severity }) => severity !== 'information').map(({ message }) => message);
  return { effect, told: told.join('; ') };
}

describe('rules as people write them who know another notation', () => {
  // Each was accepted without a word and matched nothing.
  const hosts: readonly (readonly [rule: string, url: string, told: RegExp])[] = [
    ['evil.example,bad.example', 'https://bad.example/', /holds `,`.*write a list/],
    ['evil.example;bad.example', 'https://bad.example/', /holds `;`/],
    ['evil.example|bad.example', 'https://bad.example/', /holds `\|`/],
    ['(evil|bad).example', 'https://bad.example/', /holds `\(`/],
    ['!good.example', 'https://bad.example/', /does not negate; .*`hostNot`/],
    ['!(good).example', 'https://bad.example/', /does not negate/],
    ['{evil,bad', 'https://bad/', /holds `\{`/],
    ['evil.example"', 'https://evil.example/', /holds `"`/],
    ['"evil.example"', 'https://evil.example/', /holds `"`/],
    ['evil.example$', 'https://evil.example/', /holds `\$`/],
    ['*.evil.example$', 'https://a.evil.example/', /holds `\$`/],
    ['~evil.example', 'https://evil.example/', /holds `~`/],
    ['evil.example=', 'https://evil.example/', /holds `=`/],
    ['192.168.1.1-5', 'http://192.168.1.3/', /as a network/],
    ['192.168.1.1-192.168.1.5', 'http://192.168.1.3/', /as a network/],
    ['fe80:*', 'http://[fe80::1]/', /write `\[fe80:\*\]`/],
    ['2001:*', 'http://[2001:db8::1]/', /write `\[2001:\*\]`/],
  ];
  for (const [rule, url, told] of hosts)
    it(`S4.boundaries: the host ${JSON.stringify(rule)} is an error with the mend, and its rule fires`, () => {
      const found = judged({ host: rule }, http(url));
      assert.equal(found.effect, 'deny');
      assert.match(found.told, told);
    });

  const fires: readonly (readonly [rule: string, url: string])[] = [
    ['*.*', 'https://a.example/'],
    ['*.*', 'http://10.0.0.1/'],
    ['*.*.*.*', 'http://10.0.0.1/'],
    ['[fe80:*]', 'http://[fe80::1]/'],
    ['[2001:*]', 'http://[2001:db8::1]/'],
    ['☕.example', 'https://xn--53h.example/'],
    ['faß.example', 'https://xn--fa-hia.example/'],
    ['日本語.jp', 'https://日本語。jp/'],
    ['日本語.*', 'https://日本語.jp/'],
    ['*.日本語.jp', 'https://a.xn--wgv71a119e.jp/'],
    ['127.0.0.1/8', 'http://127.9.9.9/'],
    ['0.0.0.0/0', 'http://[::ffff:1.2.3.4]/'],
    ['::ffff:0:0/96', 'http://1.2.3.4/'],
    ['::/0', 'http://[2001:db8::1]/'],
    ['{10.0.0.0/8,192.168.0.0/16}', 'http://192.168.3.3/'],
    ['evil{1..3}.example', 'https://evil2.example/'],
    ['{evil,bad}.{com,net}', 'https://bad.net/'],
    ['10.0.*.1', 'http://10.0.9.1/'],
    ['16843009', 'http://1.1.1.1/'],
    ['1.1', 'http://1.0.0.1/'],
    ['ev_il.example', 'https://ev_il.example/'],
    ['evil\u00ad.example', 'https://evil.example/'],
    ['evil.example:443', 'wss://evil.example/'],
    ['*:22', 'ssh://git@evil.example:22/x'],
  ];
  for (const [rule, url] of fires)
    it(`S4.boundaries: the host ${JSON.stringify(rule)} denies ${url} and is right as it is`, () =>
      assert.deepEqual(judged({ host: rule }, http(url)), { effect: 'deny', told: '' }));

  for (const [rule, url] of [
    ['10.*', 'https://10.evil.example/'],
    ['*.*', 'https://plain/'],
    ['fass.example', 'https://faß.example/'],
    ['localhost', 'http://127.0.0.1/'],
  ] as const)
    it(`the host ${rule} leaves ${url} alone`, () => assert.equal(judged({ host: rule }, http(url)).effect, 'pass'));

  const paths: readonly (readonly [rule: string, path: string, effect: string, told: RegExp])[] = [
    ['file:///srv/a', '/srv/a', 'deny', /is a URL and matches no path; .*"\/srv\/a"/],
    ['https://x.example/a', 'a', 'deny', /is a URL/],
    ['"secret"', 'secret', 'pass', /in quotes/],
    ['^secret$', 'secret', 'pass', /looks like an expression/],
    ['.*secret.*', 'a/secret', 'pass', /looks like an expression/],
    ['secret|key', 'key', 'pass', /holds `\|`.*braces/],
    ['(secret|key)', 'key', 'pass', /holds `\|`/],
    ['src/(secret|key)/**', 'src/key/a', 'pass', /holds `\|`/],
    ['@(secret|key)/**', 'key/a', 'deny', /^$/],
    ['src/?(a|b)c', 'src/ac', 'deny', /^$/],
    ['ẞ', 'ß', 'deny', /^$/],
    ['straẞe/**', 'STRASSE/x', 'deny', /^$/],
    ['strasse/**', 'STRAẞE/x', 'deny', /^$/],
    ['file', 'ﬁle', 'deny', /^$/],
    ['å', '\u212b', 'deny', /^$/],
    ['K', '\u212a', 'deny', /^$/],
    ['{c..a}/x', 'b/x', 'deny', /^$/],
    ['{001..003}', '002', 'deny', /^$/],
    ['{a,{b,{c,d}}}', 'd', 'deny', /^$/],
    ['[S]ecret', 'secret', 'deny', /^$/],
    ['[É]x', 'éx', 'deny', /^$/],
    ['[]a]x', ']x', 'deny', /^$/],
    ['a/**/**/b', 'a/b', 'deny', /^$/],
    ['C:\\x\\**', 'c:/x/y', 'deny', /backslash/],
    ['longsecretname.txt', 'LONGSE~1.TXT', 'deny', /^$/],
  ];
  for (const [rule, path, effect, told] of paths)
    it(`S4.boundaries: the path ${JSON.stringify(rule)} held against ${JSON.stringify(path)}`, () => {
      const found = judged({ path: rule }, read(path));
      assert.equal(found.effect, effect);
      assert.match(found.told, told);
    });
});
