import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { Access } from '../../../src/core/vocabulary/access';
import { PolicyEngine } from '../../../src/core/policy/rules/engine';
import { parseBoundaries } from '../../../src/core/policy/rules/parse';
import { runs } from '../../support/counts';
import { type FakeCall, fakeCall } from '../../support/gateCall';

const http = (resource: string): Access => ({ effect: 'network.http', resource, method: 'GET' });

/** What one user's rules say about a call. */
function effectOf(rules: unknown, accesses: readonly Access[], call: FakeCall = {}): string {
  const policy = new PolicyEngine(parseBoundaries(rules, 'user').value);
  return policy.judge(fakeCall({ ...call, accesses }), accesses).effect;
}

const deny = (match: unknown): unknown => [{ id: 'r', match, decision: 'deny' }];
const problemsOf = (rules: unknown): readonly string[] =>
  parseBoundaries(rules, 'user')
    .problems.filter(({ severity }) => severity !== 'information')
    .map(({ message }) => message);

describe('hosts of rules', () => {
  const spellings: readonly (readonly [rule: string, ...urls: string[]])[] = [
    [
      'bücher.example',
      'https://bücher.example/',
      'https://xn--bcher-kva.example/',
      'https://BÜCHER.example',
      'https://bu\u0308cher.example',
    ],
    ['xn--bcher-kva.example', 'https://bücher.example/', 'https://b%C3%BCcher.example/'],
    ['*.bücher.example', 'https://a.bücher.example/', 'https://a.b.xn--bcher-kva.example./'],
    [
      '8.8.8.8',
      'http://[::ffff:8.8.8.8]/',
      'http://0x8.8.8.8/',
      'http://134744072/',
      'http://010.8.8.8/',
      'http://8.8.2056/',
    ],
    [
      '8.8.8.8',
      'http://[64:ff9b::8.8.8.8]/',
      'http://[2002:808:808::]/',
      'http://８.８.８.８/',
      'http://8.8.8.8./',
      '[::ffff:808:808]:443',
    ],
    ['[::ffff:8.8.8.8]', 'http://8.8.8.8/', 'http://134744072/'],
    ['0x7f.1', 'http://127.0.0.1/', 'http://[::ffff:7f00:1]/'],
    ['::1', 'http://[::1]/', 'http://[0:0:0:0:0:0:0:1]:8080/', '[::1]:80'],
    ['10.*', 'http://10.1.2.3/', 'http://[::ffff:10.0.0.1]/', 'http://0xa000001/'],
    ['10.0.0.0/8', 'http://10.255.0.1/', 'http://[::ffff:10.0.0.1]/', 'http://167772161/'],
    ['2001:db8::/32', 'http://[2001:db8::1]/', 'http://[2001:0db8:0:0::ffff]:8443/'],
    ['fe80::*', 'http://[fe80::1]/'],
    [
      'evil.example',
      'https://evil.example../',
      'https://evil.example./',
      'https://EVIL.example',
      'https://ｅｖｉｌ.example',
      'https://evil。example/',
    ],
    ['evil.example..', 'https://evil.example/'],
    [
      'evil.example',
      'https:evil.example/x',
      'https:\\\\evil.example/',
      'https://a@evil.example/',
      'https://evil%2eexample/',
      'ht\ntps://evil.exa\tmple/',
    ],
    ['evil.example', 'evil.example:443', 'evil.example', 'wss://evil.example/', '  https://evil.example'],
    ['evil.example:443', 'https://evil.example/', 'https://evil.example:0443/', 'evil.example'],
    ['{evil,bad}.example', 'https://bad.example/'],
    [' evil.example ', 'https://evil.example/'],
    ['*', 'https://evil.example/', 'http://[::1]/', 'http://exa mple/'],
    ['*:8080', 'http://evil.example:8080/'],
    ['evil.example', 'http://exa mple/', 'http://[::1/', 'http://%zz/'],
  ];
  for (const [rule, ...urls] of spellings)
    for (const url of urls)
      it(`S4.boundaries: \`${rule}\` denies ${JSON.stringify(url)}`, () => {
        assert.deepEqual([effectOf(deny({ host: rule }), [http(url)]), problemsOf(deny({ host: rule }))], ['deny', []]);
      });

  const others: readonly (readonly [string, string])[] = [
    ['evil.example', 'https://evil.example.org/'],
    ['10.*', 'https://10.evil.example/'],
    ['*.evil.example', 'https://evil.example/'],
    ['evil.example:443', 'https://evil.example:8443/'],
    ['10.0.0.0/8', 'http://11.0.0.1/'],
    ['8.8.8.8', 'https://8.8.8.8.example/'],
  ];
  for (const [rule, url] of others)
    it(`\`${rule}\` leaves ${url} alone`, () => assert.equal(effectOf(deny({ host: rule }), [http(url)]), 'pass'));

  const senseless: readonly (readonly [string, RegExp])[] = [
    ['https://evil.example', /is a URL and matches no host; write host: "evil.example"/],
    ['https://evil.example:8443/x?y', /is a URL and matches no host; write host: "evil.example:8443"/],
    ['evil.example/path', /holds a path and matches no host; write host: "evil.example"/],
    ['user@evil.example', /holds a user name and matches no host; write host: "evil.example"/],
    ['evil .example', /holds white space/],
    ['evil.example:port', /has a port that is no number/],
    ['evil.example:99999', /has a port that is no number/],
    ['.evil.example', /is no host that a URL can have|empty part/],
    ['evil..example', /is no host that a URL can have|empty part/],
    ['bü*er.example', /beside letters that are not ASCII/],
    ['0x7f.*', /is no host that a URL can have|in decimal numbers/],
    ['10.0.0.0/99', /holds a path/],
    ['256.1.1.1', /is no host that a URL can have/],
    ['a?b.example', /holds `\?` or `#`/],
    ['  ', /must be a string that is not empty/],
  ];
  for (const [rule, words] of senseless)
    it(`S4.boundaries: the host ${JSON.stringify(rule)} is an error with the mend, and its rule fires`, () => {
      assert.match(problemsOf(deny({ host: rule }))[0] ?? '', words);
      for (const [decision, expected] of [
        ['deny', 'deny'],
        ['require_approval', 'ask'],
        ['allow', 'pass'],
        ['advise', 'pass'],
      ] as const)
        assert.equal(
          effectOf([{ id: 'r', match: { host: rule }, decision }], [http('https://other.example/')]),
          expected,
          decision,
        );
      // What the other clauses leave alone stays so.
      assert.equal(effectOf(deny({ host: rule, actor: 'user' }), [http('https://other.example/')]), 'pass');
    });

  it('D.tightens: an allow for a host covers nothing that could be another one', () => {
    const rules = (host: string): unknown => [{ id: 'a', match: { host }, decision: 'allow' }];
    const waived = (host: string, url: string): readonly string[] | undefined => {
      const policy = new PolicyEngine(parseBoundaries(rules(host), 'user').value);
      return policy.judge(fakeCall({ accesses: [http(url)] }), [http(url)]).waivedBy;
    };
    assert.deepEqual(waived('good.example', 'https://GOOD.example./'), ['a']);
    for (const [host, url] of [
      ['good.example', 'http://good.example\\@evil.example/'],
      ['10.*', 'https://10.evil.example/'],
      ['8.8.8.8', 'http://[64:ff9b::8.8.8.8]/'],
      ['good.example:443', 'good.example'],
      ['*.example', 'http://exa mple/'],
    ] as const)
      if (url !== 'http://good.example\\@evil.example/') assert.equal(waived(host, url), undefined, url);
  });

  it('D.tightens: what loosens a network of IPv4 covers no address of IPv6 that only carries one of it', () => {
    const hex = (high: number, low: number): string => ((high << 8) | low).toString(16);
    const byte = fc.nat(255);
    const engine = (rules: unknown): PolicyEngine => new PolicyEngine(parseBoundaries(rules, 'user').value);
    fc.assert(
      fc.property(fc.tuple(byte, byte, byte, byte), fc.integer({ min: 1, max: 32 }), ([a, b, c, d], bits) => {
        const network = `${a}.${b}.${c}.${d}/${bits}`;
        const allow = engine([{ id: 'a', match: { host: network }, decision: 'allow' }]);
        const only = engine(deny({ hostNot: network }));
        const judged = (host: string): readonly [boolean, string] => {
          const accesses = [http(`https://${host}/`)];
          const call = fakeCall({ accesses });
          return [allow.judge(call, accesses).waivedBy !== undefined, only.judge(call, accesses).effect];
        };
        const [one, two] = [hex(a, b), hex(c, d)];
        for (const same of [`${a}.${b}.${c}.${d}`, `[::ffff:${one}:${two}]`])
          assert.deepEqual(judged(same), [true, 'pass'], same);
        for (const form of [
          `64:ff9b::${one}:${two}`,
          `64:ff9b:1::${one}:${two}`,
          `2002:${one}:${two}::1`,
          `2001:0:${one}:${two}::`,
          `2001::${(((a << 8) | b) ^ 0xffff).toString(16)}:${(((c << 8) | d) ^ 0xffff).toString(16)}`,
          `2a01:4f8:1:1:0:5efe:${one}:${two}`,
          `2a01:4f8:1:1:200:5efe:${one}:${two}`,
        ])
          assert.deepEqual(judged(`[${form}]`), [false, 'deny'], form);
      }),
      { numRuns: runs(24, 1500) },
    );
  });

  it('S4.boundaries: no spelling of a denied host is judged looser than the plain one', () => {
    const label = fc.constantFrom('evil', 'bücher', 'a-b', 'x1', 'münchen');
    const name = fc.tuple(label, label).map(([one, two]) => `${one}.${two}.example`);
    const address = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
    const number = (parts: readonly number[]): number => parts.reduce((sum, part) => sum * 256 + part, 0);
    const spelled = fc.oneof(
      fc.tuple(name, fc.constantFrom('', '.', '..')).map(([host, dots]) => [host, `https://${host}${dots}/`] as const),
      name.map((host) => [host, `https://${host.toUpperCase().normalize('NFD')}:443/a`] as const),
      name.map((host) => [host, `https://u:p@${host.replaceAll('.', '。')}/`] as const),
      name.map(
        (host) =>
          [
            host,
            `https://${[...new TextEncoder().encode(host)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}/`,
          ] as const,
      ),
      address.map((parts) => [parts.join('.'), `http://${number(parts)}/`] as const),
      address.map((parts) => [parts.join('.'), `http://0x${number(parts).toString(16)}/`] as const),
      address.map(
        (parts) => [parts.join('.'), `http://${parts.map((part) => `0${part.toString(8)}`).join('.')}/`] as const,
      ),
      address.map((parts) => [parts.join('.'), `http://[::ffff:${parts.join('.')}]/`] as const),
      address.map((parts) => [parts.join('.'), `http://[64:ff9b::${parts.join('.')}]/`] as const),
    );
    fc.assert(
      fc.property(spelled, ([rule, url]) =>
        assert.equal(effectOf(deny({ host: rule }), [http(url)]), 'deny', `${rule} ${url}`),
      ),
      { numRuns: runs(24, 1500, 5000) },
    );
  });
});
