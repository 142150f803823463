import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { say } from '../../../../src/core/base/sentence';
import { GrantStore } from '../../../../src/core/policy/grants/grants';
import { resourceKey } from '../../../../src/core/policy/grants/resourceKey';
import { permissionReasons } from '../../../../src/core/vocabulary/decision';
import { nodeCrypto } from '../../../../src/node/system';
import { runs } from '../../../support/counts';
import { fakeCall } from '../../../support/gateCall';
import { FakeClock, MemoryStore } from '../../../support/toolContext';

const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,6}$/);
const random = { seed: 23, numRuns: runs(50, 5000) };

/** A path and the same with `.` and doubled slashes in it. */
const paths = fc
  .tuple(
    fc.array(word, { minLength: 1, maxLength: 5 }),
    fc.array(fc.constantFrom('/', '//', '/./', '/.//'), { minLength: 5, maxLength: 5 }),
    fc.constantFrom('', './', './/'),
  )
  .map(([parts, joins, lead]) => ({
    effect: 'fs.write',
    plain: parts.join('/'),
    spelled: lead + parts.reduce((sum, part, at) => (at === 0 ? part : `${sum}${joins[at]}${part}`), ''),
  }));

const mixed = (text: string, bits: readonly boolean[]): string =>
  [...text].map((one, at) => (bits[at % bits.length] ? one.toUpperCase() : one)).join('');

/** A URL and the same in other letters of its host, with its own port and a fragment. */
const places = fc
  .tuple(
    word,
    word,
    fc.array(word, { maxLength: 3 }),
    fc.array(fc.boolean(), { minLength: 3, maxLength: 9 }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([host, top, parts, bits, port, fragment]) => ({
    effect: 'network.http',
    plain: `https://${host}.${top}/${parts.join('/')}`,
    spelled: `${mixed('https', bits)}://${mixed(`${host}.${top}`, bits)}${port ? ':443' : ''}/${parts.join('/')}${fragment ? '#x' : ''}`,
  }));

const lines = fc
  .tuple(
    fc.array(word, { minLength: 1, maxLength: 5 }),
    fc.array(fc.constantFrom(' ', '  ', '\t', ' \t'), { minLength: 6, maxLength: 6 }),
  )
  .map(([words, blanks]) => ({
    effect: 'system.exec',
    plain: words.join(' '),
    spelled: words.reduce((sum, one, at) => `${sum}${blanks[at]}${one}`, ''),
  }));

const permission = [{ said: say(permissionReasons.agent) }];

describe('one key for what is touched', () => {
  it('D.questions: whoever allowed a path, a host or a statement is not asked for another spelling of it', () => {
    fc.assert(
      fc.property(fc.oneof(paths, places, lines), ({ effect, plain, spelled }) => {
        const grants = new GrantStore({
          clock: new FakeClock(),
          crypto: nodeCrypto,
          workspace: new MemoryStore(),
          user: new MemoryStore(),
        });
        for (const [first, second] of [
          [plain, spelled],
          [spelled, plain],
        ] as const) {
          const call = fakeCall({ accesses: [{ effect, resource: first }] });
          const grant = grants.add({ scope: 'session', cover: 'resources' }, call, call.accesses, permission);
          const other = fakeCall({ accesses: [{ effect, resource: second }] });
          assert.ok(grants.covering(other, other.accesses, permission), `${first} and ${second}`);
          grants.revoke(grant.id);
        }
        grants.dispose();
      }),
      random,
    );
  });

  it('two things never have one key', () => {
    const others: readonly (readonly [string, string, string])[] = [
      ['fs.write', 'a/b', 'a/c'],
      ['fs.write', 'a/../b', 'b'],
      ['fs.write', '/a', 'a'],
      ['fs.write', '//a/b', '/a/b'],
      ['fs.write', 'a', 'a/'],
      ['fs.write', 'A', 'a'],
      ['fs.write', '', '.'],
      ['fs.write', 'a\\..\\b', 'b'],
      ['network.http', 'https://a.com/', 'http://a.com/'],
      ['network.http', 'https://a.com/', 'https://a.com:8443/'],
      ['network.http', 'https://a.com/x', 'https://a.com/X'],
      ['network.http', 'https://a.com/?a', 'https://a.com/'],
      ['network.http', 'https://u@a.com/', 'https://a.com/'],
      ['network.http', 'https://a.com\\@b.com/', 'https://b.com/'],
      ['network.http', 'https://a.com\\@b.com/', 'https://a.com/'],
      ['network.http', 'https://a.com/%2e%2e/x', 'https://a.com/%2E%2E/y'],
      ['network.socket', 'a.com:80', 'a.com:81'],
      ['system.exec', 'echo "a  b"', 'echo "a b"'],
      ['system.exec', "echo 'a\tb'", "echo 'a b'"],
      ['system.exec', 'echo a\\  b', 'echo a\\ b'],
      ['system.exec', 'a\nb', 'a b'],
      ['system.exec', 'a #  b', 'a # b'],
    ];
    for (const [effect, one, other] of others)
      assert.notEqual(resourceKey(effect, one), resourceKey(effect, other), `${one} and ${other}`);
  });

  it('a key is the key of itself, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('fs.read', 'system.exec', 'database.read'),
        fc.string({ unit: 'binary' }),
        (effect, text) => {
          const key = resourceKey(effect, text);
          assert.equal(resourceKey(effect, key), key);
        },
      ),
      random,
    );
  });
});
