import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { isAllowedPrivateHost, judgeAddress, judgeHost } from '../../../../src/core/hosts/address';
import { worded } from '../../../../src/core/base/sentence';
import { addressRefused } from '../../../../src/core/net/errors';
import { errorSaid } from '../../../../src/core/vocabulary/errors';
import { runs } from '../../../support/counts';
import { inGerman } from '../../../support/german';

describe('addresses', () => {
  it('are public only where they are global unicast and carry no other address inside', () => {
    const refused =
      '127.0.0.1 0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.0.1 169.254.169.254 100.64.0.1 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255 168.63.129.16 ::1 :: ::ffff:127.0.0.1 ::127.0.0.1 ::7f00:1 64:ff9b::7f00:1 64:ff9b:1::7f00:1 2002:7f00:1:: 2001:0:7f00:1:: fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 fec0::1 ff02::1 2001:db8::1 100::1 100:0:0:1::1 200::1 1000::1 4000::1 64:ff9b:2::1 5f00::1 3fff::1 [::1] nonsense';
    assert.deepEqual(
      refused.split(' ').filter((address) => judgeAddress(address).public),
      [],
    );
    const open = '1.1.1.1 8.8.8.8 93.184.216.34 172.32.0.1 2606:4700:4700::1111 2a00:1450:4001:80b::200e';
    assert.deepEqual(
      open.split(' ').filter((address) => !judgeAddress(address).public),
      [],
    );
  });

  it('are judged the same in every spelling that a URL accepts', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 0xffffffff }),
        fc.constantFrom('dec', 'hex', 'short', 'dotted hex', 'octal'),
        (value, form) => {
          const bytes = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255] as const;
          const spelled = {
            dec: String(value),
            hex: `0x${value.toString(16)}`,
            short: `${bytes[0]}.${value & 0xffffff}`,
            'dotted hex': bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
            octal: bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
          }[form];
          const host = judgeHost(new URL(`http://${spelled}/`).hostname);
          assert.deepEqual(host.verdict, judgeAddress(bytes.join('.')));
          const mapped = judgeHost(new URL(`http://[::ffff:${bytes.join('.')}]/`).hostname);
          assert.equal(mapped.verdict.public, judgeAddress(bytes.join('.')).public);
        },
      ),
      { numRuns: runs(20, 2_000) },
    );
  });

  it('are refused with what they are, for a model and for a person with a German editor', () => {
    const kinds = {
      '0.0.0.0': 'an unspecified address',
      '255.255.255.255': 'a broadcast address',
      '224.0.0.1': 'a multicast address',
      '169.254.1.1': 'a link-local address',
      '127.0.0.1': 'a loopback address',
      '100.64.0.1': 'a carrier-grade NAT address',
      '10.1.2.3': 'a private address',
      '[fc00::1]': 'a private address',
      '169.254.169.254': 'a cloud metadata address',
      '198.51.100.1': 'a reserved address (reserved)',
      '[200::1]': 'an address outside global unicast',
      'metadata.google.internal': 'a cloud metadata name',
      'a.localhost': 'a name of this machine',
      'a b': 'no host',
    };
    for (const [host, kind] of Object.entries(kinds)) {
      const { verdict } = judgeHost(host);
      assert.ok(!verdict.public, host);
      const error = addressRefused(host, verdict.kind);
      assert.equal(
        error.message,
        `\`${host}\` is refused: it is or resolves to ${kind}, and only public addresses are contacted; the user can name it in the setting \`agentCapabilities.network.allowedPrivateHosts\``,
      );
      assert.deepEqual(error.data.details, { host });
      assert.doesNotMatch(worded(errorSaid(error), inGerman), /UNTRANSLATED|\b(is|an|address|name of)\b/);
    }
    const none = judgeAddress('nonsense');
    assert.equal(!none.public && worded(none.kind, inGerman), 'keine Adresse');
  });

  it('of names are unknown before a lookup, but for those that mean this machine or a cloud', () => {
    assert.deepEqual(
      [
        'example.com',
        'localhost',
        'LOCALHOST.',
        'a.localhost',
        'metadata.google.internal',
        'localhost.example.com',
      ].map((name) => judgeHost(name).verdict.public),
      [true, false, false, false, false, true],
    );
  });

  it('can be allowed by name or address, with a port or for all of them, and in no other way', () => {
    const allows = (entry: string, host: string, port: number): boolean => isAllowedPrivateHost([entry], host, port);
    const yes: [string, string, number][] = [
      ['127.0.0.1', '127.0.0.1', 80],
      ['127.0.0.1:8080', '127.0.0.1', 8080],
      ['[::1]:3000', '[::1]', 3000],
      ['::1', '[::1]', 1],
      ['0:0:0:0:0:0:0:1', '[::1]', 1],
      ['Intranet.Example', 'intranet.example.', 443],
    ];
    const no: [string, string, number][] = [
      ['127.0.0.1:8080', '127.0.0.1', 80],
      ['127.0.0.1', '127.0.0.2', 80],
      ['127.0.0.1', 'localhost', 80],
      ['example', 'example.com', 80],
      ['[::1]:3000', '[::1]', 3001],
      ['', '127.0.0.1', 80],
      ['*', '127.0.0.1', 80],
    ];
    assert.deepEqual([yes.filter((one) => !allows(...one)), no.filter((one) => allows(...one))], [[], []]);
  });
});
