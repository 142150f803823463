import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import type { Head } from '../../../../src/core/audit/chain';
import { AuditStore } from '../../../../src/node/audit/auditStore';
import { chainHash } from '../../../../src/node/audit/hash';
import { listSegments } from '../../../../src/node/audit/layout';
import { verifyFolder } from '../../../../src/node/audit/verifyFolder';
import { finished, violation, withFolder } from '../../../support/auditEvents';
import { runs } from '../../../support/counts';

const plain = { hash: chainHash(), alg: 'sha256' } as const;

function write(dir: string, records: number, options: Partial<ConstructorParameters<typeof AuditStore>[0]> = {}): void {
  const store = new AuditStore({ dir, maxSegmentBytes: 8000, ...options });
  for (let at = 0; at < records; at++) {
    store.record(
      at % 7 === 0 ? violation({ time: at * 1000 }) : finished({ time: at * 1000, durationMs: at, input: { path: `src/${at}.ts` } }),
    );
    if (at % 10 === 0) store.flush();
  }
  store.dispose();
}

const edits = {
  flip(data: Buffer, a: number, b: number): Buffer {
    const copy = Buffer.from(data);
    const at = a % data.length;
    copy[at] = (copy[at] ?? 0) ^ (1 << (b % 8));
    return copy;
  },
  remove(data: Buffer, a: number, b: number): Buffer {
    const at = a % data.length;
    return Buffer.concat([data.subarray(0, at), data.subarray(at + 1 + (b % 400))]);
  },
  removeLine(data: Buffer, a: number): Buffer {
    const lines = data.toString().trimEnd().split('\n');
    lines.splice(a % lines.length, 1);
    return Buffer.from(lines.length === 0 ? '' : `${lines.join('\n')}\n`);
  },
  swapLines(data: Buffer, a: number, b: number): Buffer {
    const lines = data.toString().trimEnd().split('\n');
    const x = a % lines.length;
    const y = (x + 1 + (b % Math.max(1, lines.length - 1))) % lines.length;
    [lines[x], lines[y]] = [lines[y] ?? '', lines[x] ?? ''];
    return Buffer.from(`${lines.join('\n')}\n`);
  },
  insert(data: Buffer, a: number, b: number): Buffer {
    const at = a % (data.length + 1);
    return Buffer.concat([data.subarray(0, at), Buffer.from('\n{ "x"1'.slice(b % 7, (b % 7) + 1)), data.subarray(at)]);
  },
  repeatLine(data: Buffer, a: number, b: number): Buffer {
    const lines = data.toString().trimEnd().split('\n');
    lines.splice(b % (lines.length + 1), 0, lines[a % lines.length] ?? '');
    return Buffer.from(`${lines.join('\n')}\n`);
  },
  truncate(data: Buffer, a: number): Buffer {
    return data.subarray(0, a % data.length);
  },
  truncateLine(data: Buffer, a: number): Buffer {
    const ends = [...data.keys()].filter((at) => data[at] === 10);
    return data.subarray(0, a % ends.length === 0 ? 0 : (ends[(a % ends.length) - 1] ?? 0) + 1);
  },
} as const;

describe('verify', () => {
  it('finds every one of 1,000 random edits and names the file', () =>
    withFolder(async (dir) => {
      write(dir, 60);
      const names = listSegments(dir);
      assert.ok(names.length > 2, 'several segments');
      assert.equal((await verifyFolder(dir, plain)).ok, true);
      const originals = new Map(names.map((name) => [name, fs.readFileSync(path.join(dir, name))]));
      const kinds = Object.keys(edits) as (keyof typeof edits)[];
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...kinds),
          fc.constantFrom(...names),
          fc.nat({ max: 1_000_000 }),
          fc.nat({ max: 1_000_000 }),
          async (kind, name, a, b) => {
            const data = originals.get(name) ?? Buffer.alloc(0);
            const edited = edits[kind](data, a, b);
            if (edited.equals(data)) return;
            fs.writeFileSync(path.join(dir, name), edited);
            const { ok, faults } = await verifyFolder(dir, plain);
            fs.writeFileSync(path.join(dir, name), data);
            assert.equal(ok, false, `${kind} ${a} ${b}`);
            assert.equal(faults[0]?.file, name);
          },
        ),
        { numRuns: runs(1000, 200) },
      );
    }));

  it('names the line where a chain breaks', () =>
    withFolder(async (dir) => {
      write(dir, 9);
      const [name = ''] = listSegments(dir);
      const lines = fs.readFileSync(path.join(dir, name), 'utf8').split('\n');
      lines[3] = (lines[3] ?? '').replace('success', 'succese').replace('denied', 'deniet');
      fs.writeFileSync(path.join(dir, name), lines.join('\n'));
      assert.deepEqual((await verifyFolder(dir, plain)).faults[0], {
        file: name,
        line: 4,
        message: 'was changed: its hash does not fit its text',
      });
    }));

  it('finds a segment that is gone, came back, was renamed, or whose head was changed', () =>
    withFolder(async (dir) => {
      write(dir, 60);
      const names = listSegments(dir);
      const [first = '', second = ''] = names;
      const file = path.join(dir, first);
      const head = path.join(dir, 'heads', first.replace('.jsonl', '.json'));
      const keptFile = fs.readFileSync(file);
      const keptHead = fs.readFileSync(head);
      const messages: string[] = [];
      const look = async (): Promise<void> => {
        messages.push((await verifyFolder(dir, plain)).faults.map((fault) => fault.message.replace(/\d+/g, 'N'))[0] ?? 'nothing');
        fs.writeFileSync(file, keptFile);
        fs.writeFileSync(head, keptHead);
      };
      fs.rmSync(file);
      await look();
      fs.copyFileSync(path.join(dir, second), file);
      await look();
      fs.writeFileSync(head, 'no head');
      await look();
      fs.rmSync(head);
      await look();
      fs.writeFileSync(head, keptHead.toString().replace(/"seq":(\d)/, '"seq":9$1'));
      await look();
      fs.writeFileSync(head, keptHead.toString().replace('"closed"', '"retired"'));
      await look();
      assert.deepEqual(messages, [
        'is missing, and no record says that it was removed',
        'does not follow the line before it: a record was removed, moved or inserted',
        'is not a head of this log',
        'has no head',
        'was cut: its head stands at record N, and its last is N',
        'was retired and is there again',
      ]);
      assert.equal((await verifyFolder(dir, plain)).ok, true);
    }));

  it('finds a log that was built anew whole, by its key or by a head that was kept elsewhere', () =>
    withFolder(async (dir) => {
      const heads: Head[] = [];
      write(dir, 5, { key: Buffer.from('secret'), onHead: (head) => heads.push(head) });
      const keyed = { hash: chainHash(Buffer.from('secret')), alg: 'hmac-sha256' } as const;
      assert.equal((await verifyFolder(dir, keyed)).ok, true);
      assert.match((await verifyFolder(dir, plain)).faults[0]?.message ?? '', /chained with a key/);
      assert.match((await verifyFolder(dir, { ...keyed, hash: chainHash(Buffer.from('guess')) })).faults[0]?.message ?? '', /was changed/);
      assert.equal((await verifyFolder(dir, { ...keyed, heads })).ok, true);
      const moved = heads.map((head) => ({ ...head, hash: 'f'.repeat(64) }));
      assert.match((await verifyFolder(dir, { ...keyed, heads: moved })).faults[0]?.message ?? '', /was rebuilt/);
    }));
});
