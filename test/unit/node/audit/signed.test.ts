import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { main } from '../../../../src/cli/main';
import { auditKeyVariable } from '../../../../src/cli/auditSink';
import { chainLine, chainStart } from '../../../../src/core/audit/chain';
import { sealHead } from '../../../../src/core/audit/head';
import { parseRecord } from '../../../../src/core/audit/record';
import { AuditStore } from '../../../../src/node/audit/auditStore';
import { type Sentence, worded } from '../../../../src/core/base/sentence';
import { FolderReader } from '../../../../src/node/audit/folderReader';
import { chainSeal } from '../../../../src/node/audit/hash';
import { headBytes, headPath, listSegments, readHead } from '../../../../src/node/audit/layout';
import { finished, violation, withFolder } from '../../../support/auditEvents';

const key = Buffer.from('a key from secret storage');

function write(dir: string, more: { key?: Uint8Array; onProblem?: (said: Sentence) => void } = {}): void {
  const store = new AuditStore({ dir, ...more });
  for (let at = 0; at < 5; at++) store.record(at % 2 === 0 ? finished() : violation());
  store.dispose();
}

/**
 * What somebody does who may write the folder, knows the program and has no key: changes a record, and makes chain and
 * heads fit.
 */
function rebuild(dir: string): void {
  const plain = chainSeal();
  for (const name of listSegments(dir)) {
    const file = path.join(dir, name);
    const head = readHead(dir, name);
    assert.ok(head);
    let place = { seq: 0, hash: chainStart };
    const lines = fs
      .readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const record = parseRecord(line);
        assert.ok(record);
        const { hash: _hash, ...body } = record;
        const edited = body.outcome === 'denied' ? { ...body, outcome: 'success' as const } : body;
        const linked = chainLine(edited, place.seq + 1, place.hash, plain.hash);
        place = { seq: place.seq + 1, hash: linked.hash };
        return `${linked.line}\n`;
      });
    const text = lines.join('');
    fs.writeFileSync(file, text);
    // The name of the key is in the old head, so it can be copied; what it vouches for cannot.
    const forged = sealHead(
      { ...head, ...place, bytes: Buffer.byteLength(text) },
      { ...plain, alg: head.alg, ...(head.key === undefined ? {} : { key: head.key }) },
    );
    fs.writeFileSync(headPath(dir, name), headBytes(forged));
  }
}

const messages = async (dir: string, withKey?: Uint8Array): Promise<string[]> => [
  ...new Set(
    (await new FolderReader(dir, withKey ? { key: withKey } : {}).verify()).faults.map((fault) =>
      worded(fault.said).replace(/[0-9a-f]{16}/g, '…'),
    ),
  ),
];

describe('an audit that is signed with a key', () => {
  it('S1.audit: finds what somebody without the key built anew whole, which no chain without a key can', () =>
    withFolder(async (root) => {
      const [signed, plain] = [path.join(root, 'signed'), path.join(root, 'plain')];
      write(signed, { key });
      write(plain);
      assert.deepEqual([await messages(signed, key), await messages(plain)], [[], []]);
      rebuild(signed);
      rebuild(plain);
      assert.deepEqual(await messages(plain), [], 'without a key the forged log fits');
      assert.deepEqual(await messages(signed, key), [
        'has a head that was changed',
        'was changed: its hash does not fit its text',
      ]);
      const problems: string[] = [];
      write(signed, { key, onProblem: (said) => problems.push(worded(said)) });
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', /the audit log was changed from outside: \S+ has a head that was changed/);
    }));

  it('says in words that a key is missing, is another one, or was given where none is used', () =>
    withFolder(async (root) => {
      const [signed, plain] = [path.join(root, 'signed'), path.join(root, 'plain')];
      write(signed, { key });
      write(plain);
      assert.deepEqual(
        [await messages(signed), await messages(signed, Buffer.from('another')), await messages(plain, key)],
        [
          ['is chained with a key, which verifying needs'],
          ['is chained with another key (…) than the one at hand (…)'],
          ['is chained without a key, but a key was given'],
        ],
      );
      const said: string[] = [];
      const io = { out: (text: string) => said.push(text), error: (text: string) => said.push(text) };
      const codes = [
        await main(['audit', 'verify', signed], { ...io, environment: { [auditKeyVariable]: key.toString() } }),
        await main(['audit', 'verify', signed], { ...io, environment: {} }),
      ];
      assert.deepEqual(codes, [0, 1]);
      assert.match(
        said.join('\n'),
        /^ok: 6 records in 1 segment follow one another\n\S+\.jsonl: is chained with a key, which verifying needs$/,
      );
    }));

  it('keeps both logs readable where signing is switched on and off, and each verifies on its own', () =>
    withFolder(async (root) => {
      const [signed, plain] = [path.join(root, 'audit-signed'), path.join(root, 'audit')];
      for (let turn = 0; turn < 2; turn++) {
        write(plain);
        write(signed, { key });
      }
      const count = async (dir: string): Promise<number> =>
        (await new FolderReader(dir).page({ tool: ['write_file'] }, { limit: 100 })).found.length;
      assert.deepEqual([await count(signed), await count(plain)], [10, 10]);
      assert.deepEqual([await messages(signed, key), await messages(plain)], [[], []]);
      // Where one folder was used for both, as a command line may, nothing of it is lost either, and verify says which
      // need the key.
      write(plain, { key });
      assert.equal(await count(plain), 15);
      assert.ok((await messages(plain)).includes('is chained with a key, which verifying needs'));
    }));
});
