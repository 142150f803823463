import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { type Head, sealHead } from '../../../../src/core/audit/head';
import { chainStart } from '../../../../src/core/audit/chain';
import { worded } from '../../../../src/core/base/sentence';
import { AuditStore } from '../../../../src/node/audit/auditStore';
import { chainSeal } from '../../../../src/node/audit/hash';
import { headBytes, headPath, listSegments, readHead, readHeads } from '../../../../src/node/audit/layout';
import { verifyFolder } from '../../../../src/node/audit/verifyFolder';
import { finished, withFolder } from '../../../support/auditEvents';

type Line = Readonly<Record<string, unknown>>;
const empty = { seq: 0, hash: chainStart, bytes: 0 };
const torn = '{"actor":"agé';
const startedAt = Date.parse('2026-11-21T08:00:00Z');

const linesOf = (file: string): readonly string[] => fs.readFileSync(file, 'utf8').split('\n').slice(0, -1);

/** What a window that was killed leaves of its only segment, and then two windows that start one after the other. */
async function recovered(key: Uint8Array | undefined, leave: (file: string, head: Head) => Partial<Head>) {
  return withFolder(async (dir) => {
    const seal = chainSeal(key);
    const options = { dir, ...(key === undefined ? {} : { key }), now: () => startedAt };
    const dead = new AuditStore(options);
    for (let at = 0; at < 3; at++) dead.record(finished());
    dead.dispose();
    const [segment = ''] = listSegments(dir);
    const [file, closed] = [path.join(dir, segment), readHead(dir, segment)];
    assert.ok(closed);
    const facts = { ...closed, pid: 2 ** 22 + 7, state: 'open' as const, ...leave(file, closed) };
    fs.writeFileSync(headPath(dir, segment), headBytes(sealHead(facts, seal)));
    const left = fs.readFileSync(file, 'utf8');
    const problems: string[] = [];
    const texts: string[] = [];
    for (const hours of [1, 2]) {
      const now = (): number => startedAt + hours * 3_600_000;
      const next = new AuditStore({ ...options, now, onProblem: (said) => problems.push(worded(said)) });
      next.record(finished());
      next.dispose();
      texts.push(fs.readFileSync(file, 'utf8'));
    }
    const { faults } = await verifyFolder(dir, seal);
    assert.deepEqual([problems, faults], [[], []]);
    assert.equal(texts[1], texts[0], 'a second start finds nothing to set right');
    const own = listSegments(dir).filter((one) => one !== segment);
    const notes = own.flatMap((one) => linesOf(path.join(dir, one)).map((line): Line => JSON.parse(line)));
    return { segment, left, file: texts[0] ?? '', head: readHeads(dir).get(segment), notes };
  });
}

describe('What the next window notes in a segment of a killed one', () => {
  const withoutLast = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1);
  const states: Readonly<Record<string, (file: string, head: Head) => Partial<Head>>> = {
    'behind all that its head names': (file) => (fs.appendFileSync(file, torn), {}),
    'behind lines beyond its head': (file) => (fs.appendFileSync(file, torn), empty),
    'behind its first line alone': (file) => (fs.writeFileSync(file, `${linesOf(file)[0]}\n${torn}`), empty),
  };
  for (const [where, leave] of Object.entries(states))
    for (const key of [undefined, new Uint8Array(32).fill(7)])
      it(`is one record at its end of a line that was cut ${where}${key ? ', sealed with the key' : ''}`, async () => {
        const { segment, left, file, head } = await recovered(key, leave);
        const kept = withoutLast(left);
        assert.ok(file.startsWith(kept), 'no finished line is touched');
        const [line = '', ...more] = file.slice(kept.length).split('\n');
        assert.deepEqual(more, [''], 'one line more');
        const before: Line = JSON.parse(kept.trimEnd().split('\n').at(-1) ?? '');
        const note: Line = JSON.parse(line);
        const { event, id, detail, time, seq, prev, hash } = note;
        assert.deepEqual(
          { event, id, detail, time, seq, prev },
          {
            event: 'audit.recovered',
            id: segment,
            detail: `a line of ${Buffer.byteLength(torn)} bytes was never finished and was cut`,
            time: '2026-11-21T09:00:00.000Z',
            seq: Number(before['seq']) + 1,
            prev: before['hash'],
          },
        );
        assert.equal(note['error.type'], undefined, 'it is no break');
        assert.deepEqual(note['said'], { args: [Buffer.byteLength(torn)], code: 'note_torn' });
        assert.deepEqual(head && [head.state, head.seq, head.hash, head.bytes], [
          'closed',
          seq,
          hash,
          Buffer.byteLength(file),
        ]);
      });

  for (const [what, length] of [
    ['a part of its first line', 100],
    ['one byte', 1],
    ['nothing', 0],
  ] as const)
    it(`is nothing where ${what} is left: it begins with its own opening or stays empty, and nobody names it`, async () => {
      const { segment, file, head, notes } = await recovered(undefined, (of) => (fs.truncateSync(of, length), empty));
      assert.equal(file, '');
      assert.deepEqual(head && [head.state, head.seq, head.hash, head.bytes], ['closed', 0, chainStart, 0]);
      // A chain that named it would miss it once somebody removes what holds nothing.
      assert.ok(notes.length > 0);
      assert.deepEqual(
        notes.filter(({ id }) => id === segment),
        [],
      );
    });
});
