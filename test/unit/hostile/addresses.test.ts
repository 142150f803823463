import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { judgeAddress, judgeHost } from '../../../src/core/net/address';
import { canonicalHost, hostTexts } from '../../../src/core/net/canonicalHost';
import { runs } from '../../support/counts';

/** Spellings of a host, with the one form in which it is compared. `undefined`: no URL can carry it. */
const spellings: readonly (readonly [string, string | undefined])[] = [
  ['evil.example', 'evil.example'],
  ['EVIL.Example', 'evil.example'],
  ['evil.example.', 'evil.example'],
  ['evil.example..', 'evil.example'],
  ['evil.example。', 'evil.example'],
  ['evil．example', 'evil.example'],
  ['evil｡example', 'evil.example'],
  ['ｅｖｉｌ.example', 'evil.example'],
  ['e%76il.example', 'evil.example'],
  ['evil%2eexample', 'evil.example'],
  ['evil%2Eexample%2e', 'evil.example'],
  ['so\u00adft.example', 'soft.example'],
  ['evil.ex\tam\nple', 'evil.example'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--bcher-kva.example'],
  ['bu\u0308cher.example', 'xn--bcher-kva.example'],
  ['XN--Bcher-KVA.example', 'xn--bcher-kva.example'],
  ['faß.example', 'xn--fa-hia.example'],
  ['127.1', '127.0.0.1'],
  ['127.0.0.1.', '127.0.0.1'],
  ['127.0.0.1..', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['0177.0.0.1', '127.0.0.1'],
  ['017700000001', '127.0.0.1'],
  ['①②⑦.⓪.⓪.①', '127.0.0.1'],
  ['１２７。０。０。１', '127.0.0.1'],
  ['%31%32%37.0.0.1', '127.0.0.1'],
  ['[::ffff:8.8.8.8]', '8.8.8.8'],
  ['::ffff:808:808', '8.8.8.8'],
  ['[0:0:0:0:0:0:0:1]', '::1'],
  ['::1', '::1'],
  ['::1%lo', '::1'],
  ['[fe80::1%25eth0]', 'fe80::1'],
  ['', undefined],
  ['.', undefined],
  ['a b', undefined],
  ['a/b', undefined],
  ['a\\b', undefined],
  ['user@evil.example', undefined],
  ['evil.example:80', undefined],
  ['256.256.256.256', undefined],
  ['1.2.3.4.5', undefined],
  ['[::1', undefined],
  ['[::ffff:0177.0.0.1]', undefined],
  ['xn--a', undefined],
  ['%00', undefined],
];

/** Addresses that lead to 169.254.169.254 through a gateway, or are it. */
const metadata = [
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::a9fe:a9fe]',
  '[::ffff:0:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::a9fe:a9fe]',
  '[64:ff9b:1:a9fe:a9:fe00::]',
  '[2002:a9fe:a9fe::1]',
  '[2001:0:a9fe:a9fe::1]',
  '[2001:0:808:808:0:0:5601:5601]',
  '[fe80::5efe:a9fe:a9fe]',
  '[2606:4700::200:5efe:a9fe:a9fe]',
  '[fd00:ec2::254]',
  '[fd00:0ec2:0::0254]',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '169.254.170.2',
  'metadata.google.internal',
  'METADATA.google.internal.',
  'metadata。google。internal',
];

describe('hosts in hostile spellings', () => {
  for (const [text, wanted] of spellings)
    it(`S1.policy: ${JSON.stringify(text)} means ${wanted ?? 'no host'}`, () => {
      assert.equal(hostTexts(text)[0], wanted);
    });

  for (const host of metadata)
    it(`S1.policy: ${host} is known as a cloud's metadata service`, () => {
      const { verdict } = judgeHost(host);
      assert.deepEqual([verdict.public, !verdict.public && verdict.metadata], [false, true]);
    });

  for (const host of ['localhost', 'LocalHost.', 'a.b.localhost', 'localhost。', 'ip6-localhost', 'host.docker.internal', 'localhost%2e'])
    it(`S1.policy: ${host} is known as a name of this machine`, () => {
      assert.equal(judgeHost(host).verdict.public, false);
    });

  it('S1.policy: means one host, and the same after it was read again', () => {
    fc.assert(
      fc.property(fc.domain(), fc.array(fc.constantFrom('.', '。', '%2e'), { maxLength: 3 }), (domain, dots) => {
        const host = canonicalHost(domain.toUpperCase() + dots.join(''));
        if (host.type !== 'name') return;
        assert.deepEqual(canonicalHost(host.name), host);
        assert.equal(new URL(`http://${domain}/`).hostname, host.name);
      }),
      { numRuns: runs(5_000) },
    );
  });

  it('S1.policy: an IPv4 address inside an IPv6 one never makes it public where it would not be by itself', () => {
    const hex = (high: number, low: number): string => ((high << 8) | low).toString(16);
    fc.assert(
      fc.property(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)), ([a, b, c, d]) => {
        const plain = judgeAddress(`${a}.${b}.${c}.${d}`);
        const [one, two] = [hex(a, b), hex(c, d)];
        const forms = [
          `::ffff:${one}:${two}`,
          `::${one}:${two}`,
          `::ffff:0:${one}:${two}`,
          `64:ff9b::${one}:${two}`,
          `64:ff9b:1::${one}:${two}`,
          `2002:${one}:${two}::`,
          `2001:0:${one}:${two}::`,
          `2606:4700::5efe:${one}:${two}`,
        ];
        if (!plain.public)
          assert.deepEqual(
            forms.filter((form) => judgeAddress(form).public),
            [],
          );
        if (!plain.public && plain.metadata)
          assert.deepEqual(
            forms.filter((form) => {
              const verdict = judgeAddress(form);
              return verdict.public || !verdict.metadata;
            }),
            [],
          );
      }),
      { numRuns: runs(20_000, 300) },
    );
  });
});
