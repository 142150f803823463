// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { chainLine, chainStart } from '../../../../src/core/audit/chain';
import { type Head, sealHead } from '../../../../src/core/audit/head';
import { parseRecord } from '../../../../src/core/audit/record';
import { AuditStore } from '../../../../src/node/audit/auditStore';
import { chainSeal } from '../../../../src/node/audit/hash';
import { headBytes, headPath, listSegments, readHead } from '../../../../src/node/audit/layout';
import { verifyFolder } from '../../../../src/node/audit/verifyFolder';
import { attacks, rewrite, sameFolder, writeLog } from '../../../support/auditAttacks';
import { finished, withFolder } from '../../../support/auditEvents';
import { runs } from '../../../support/counts';

interface Places {
  readonly faults: readonly { readonly file: string; readonly line?: number }[];
}

interface Verdict extends Places {
  readonly ok: boolean;
  readonly faults: readonly { readonly file: string; readonly line?: number; readonly message: string }[];
}

const program = path.resolve('tools/verify-audit.mjs');
type Verify = (dir: string, options?: { key?: Uint8Array; kept?: readonly Head[] }) => Verdict;
const separate = async (): Promise<Verify> => ((await import(program)) as { verifyAudit: Verify }).verifyAudit;

/** The files that are named, where a head and its segment are one. */
const named = ({ faults }: Places): readonly string[] =>
  [...new Set(faults.map(({ file }) => file.replace(/^heads\//, '').replace(/\.jsonl?$/, '')))].sort();

function threeWindows(dir: string): void {
  for (let window = 0; window < 3; window++) writeLog(dir, 20, { now: () => 1_800_000_000_000 + window * 1000 });
}

function copyOf(clean: string, dir: string): void {
  fs.rmSync(dir, { recursive: true, force: true });
  fs.cpSync(clean, dir, { recursive: true });
}

/** Changes a record and makes the whole chain and all heads fit, as who has no key can where there is none. */
function rebuild(dir: string, edit: (line: string) => string): void {
  const seal = chainSeal();
  const places = new Map<string, { seq: number; hash: string }>();
  for (const name of listSegments(dir)) {
    const window = name.slice(0, name.lastIndexOf('-'));
    let place = places.get(window) ?? { seq: 0, hash: chainStart };
    const lines = fs
      .readFileSync(path.join(dir, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const { hash: _hash, ...body } = parseRecord(edit(line)) ?? assert.fail(line);
        const linked = chainLine(body, place.seq + 1, place.hash, seal.hash);
        place = { seq: place.seq + 1, hash: linked.hash };
        return linked.line;
      });
    places.set(window, place);
    const text = `${lines.join('\n')}\n`;
    fs.writeFileSync(path.join(dir, name), text);
    const head = readHead(dir, name) ?? assert.fail(name);
    fs.writeFileSync(
      headPath(dir, name),
      headBytes(sealHead({ ...head, ...place, bytes: Buffer.byteLength(text) }, seal)),
    );
  }
}

describe('the separate verifier', () => {
  it('D.report: imports nothing but Node', () => {
    const imports = [...fs.readFileSync(program, 'utf8').matchAll(/\b(?:from|import\(|require\()\s*'([^']+)'/g)];
    assert.deepEqual(
      imports.map(([, name = '']) => name).filter((name) => !name.startsWith('node:')),
      [],
    );
    assert.ok(imports.length >= 4);
  });

  it('D.report: finds every one-byte edit of segments and heads in 1,000 tries, as ours does', () =>
    withFolder(async (root) => {
      const verify = await separate();
      const [clean, dir] = [path.join(root, 'clean'), path.join(root, 'edited')];
      threeWindows(clean);
      assert.deepEqual(verify(clean).faults, []);
      copyOf(clean, dir);
      const files = listSegments(clean).flatMap((name) => [path.join(dir, name), headPath(dir, name)]);
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...files),
          fc.nat({ max: 1_000_000 }),
          fc.integer({ min: 1, max: 255 }),
          fc.constantFrom('change', 'remove', 'insert'),
          async (file, place, by, kind) => {
            const before = fs.readFileSync(file);
            const at = place % before.length;
            const byte = Buffer.of((before[at] ?? 0) ^ by);
            const rest = before.subarray(kind === 'insert' ? at : at + 1);
            const parts = [before.subarray(0, at), ...(kind === 'remove' ? [] : [byte]), rest];
            const after = Buffer.concat(parts);
            fs.writeFileSync(file, after);
            const found = verify(dir);
            const ours = await verifyFolder(dir, chainSeal());
            fs.writeFileSync(file, before);
            assert.equal(found.ok, false, `${kind} of byte ${at} of ${file}`);
            assert.ok(named(found).includes(path.basename(file).replace(/\.jsonl?$/, '')));
            assert.equal(ours.ok, false);
          },
        ),
        { numRuns: runs(60, 1000, 5000) },
      );
      assert.deepEqual(verify(dir).faults, []);
    })).timeout(300_000);

  it('D.report: agrees with ours on logs that were cut, reordered, exchanged, removed and rebuilt, with heads kept elsewhere and without', () =>
    withFolder(async (root) => {
      const verify = await separate();
      const [clean, dir] = [path.join(root, 'clean'), path.join(root, 'edited')];
      threeWindows(clean);
      const names = listSegments(clean);
      const kept = names.map((name) => readHead(clean, name) ?? assert.fail(name));
      const kinds = [...Object.keys(attacks), 'rebuild', 'retire', 'none'];
      let broken = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...kinds),
          fc.constantFrom(...names),
          fc.nat({ max: 1_000_000 }),
          fc.nat({ max: 1_000_000 }),
          fc.boolean(),
          fc.boolean(),
          async (kind, name, a, b, withHeads, startsAgain) => {
            copyOf(clean, dir);
            if (kind === 'rebuild') rebuild(dir, (line) => line.replace('src/app.ts', 'src/bpp.ts'));
            else if (kind === 'retire') {
              const store = new AuditStore({ dir });
              store.record(finished());
              store.retire({ retentionDays: 0, maxMegabytes: 0.01 });
              store.dispose();
            } else attacks[kind]?.(dir, name, a, b);
            if (startsAgain) writeLog(dir, 2, { onProblem: () => undefined });
            const heads = withHeads ? kept : [];
            const [found, ours] = [verify(dir, { kept: heads }), await verifyFolder(dir, { ...chainSeal(), heads })];
            const what = `${kind} ${a} ${b} ${withHeads} ${startsAgain} of ${name}`;
            assert.deepEqual(named(found), named(ours), what);
            const lines = ({ faults }: Places) =>
              faults.flatMap(({ file, line }) => (line === undefined ? [] : [`${file}:${line}`]));
            assert.deepEqual(lines(found).sort(), lines(ours).sort(), what);
            if (!ours.ok) broken++;
            if (kind === 'none' || kind === 'retire') assert.equal(ours.ok, true, what);
            else if (!sameFolder(clean, dir) && (kind !== 'rebuild' || withHeads)) assert.equal(found.ok, false, what);
          },
        ),
        { numRuns: runs(60, 200, 3000) },
      );
      assert.ok(broken > 10);
    })).timeout(300_000);

  it('D.report: with the key it finds what somebody without it rebuilt, and says so where the key is missing or another', () =>
    withFolder(async (dir) => {
      const verify = await separate();
      const key = Buffer.from('the key');
      writeLog(dir, 12, { key });
      assert.deepEqual(verify(dir, { key }).faults, []);
      for (const wrong of [{}, { key: Buffer.from('another') }])
        assert.match(verify(dir, wrong).faults[0]?.message ?? '', /is chained by/);
      rewrite(path.join(dir, listSegments(dir)[0] ?? ''), (data) =>
        Buffer.from(data.toString().replace('"v":1', '"v":2')),
      );
      assert.equal(verify(dir, { key }).faults[0]?.line, 1);
    }));

  it('S1.audit: neither takes other bytes for the same text where a record holds a replacement character', () =>
    withFolder(async (dir) => {
      const verify = await separate();
      const store = new AuditStore({ dir });
      store.record(finished({ accesses: [{ effect: 'fs.read', resource: 'a\uFFFD.txt' }] }));
      store.dispose();
      const [name = ''] = listSegments(dir);
      assert.equal((await verifyFolder(dir, chainSeal())).ok && verify(dir).ok, true);
      // The first bytes of an unfinished picture: as long, and read as the same character.
      rewrite(path.join(dir, name), (data) => {
        const at = data.indexOf(Buffer.from('\uFFFD'));
        return Buffer.concat([data.subarray(0, at), Buffer.of(0xf0, 0x9f, 0x98), data.subarray(at + 3)]);
      });
      assert.equal(verify(dir).ok, false);
      const ours = await verifyFolder(dir, chainSeal());
      assert.deepEqual(
        ours.faults.map(({ file, line }) => [file, line]),
        [[name, 2]],
      );
    }));

  it('D.report: as a program it says what it found, and by its exit code', () =>
    withFolder((dir) => {
      writeLog(dir, 5);
      const run = (...args: readonly string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
      const whole = run(dir);
      assert.deepEqual([whole.status, whole.stdout], [0, 'ok: 6 records in 1 segments\n'], whole.stderr);
      const [name = ''] = listSegments(dir);
      rewrite(path.join(dir, name), (data) => Buffer.from(data.toString().replace('success', 'succes5')));
      const broken = run(dir, '--json');
      assert.equal(broken.status, 1);
      assert.deepEqual(JSON.parse(broken.stdout).faults, [
        { file: name, line: 3, message: 'was changed: its hash does not fit' },
      ]);
      assert.deepEqual([run().status, run('--nothing').status], [2, 2]);
    }));

  it('D.report: as a program it says no ok of what it cannot read, and of what holds no log', () =>
    withFolder((root) => {
      const run = (...args: readonly string[]) => spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
      const [dir, file] = [path.join(root, 'log'), path.join(root, 'some-file.json')];
      fs.mkdirSync(dir);
      fs.writeFileSync(file, '{}');
      for (const place of [file, path.join(root, 'none')]) {
        const { status, stdout, stderr } = run(place);
        assert.deepEqual([status, stdout], [2, '']);
        assert.ok(stderr.startsWith(`${place} is no folder: there is nothing to verify\n`), stderr);
      }
      const empty = run(dir, '--json');
      assert.equal(empty.status, 1);
      assert.deepEqual(JSON.parse(empty.stdout).faults, [
        { file: dir, message: 'holds no segment and no head: there is nothing to verify' },
      ]);
      writeLog(dir, 5);
      const heads = path.join(dir, 'heads');
      fs.rmSync(heads, { recursive: true });
      fs.writeFileSync(heads, '');
      const unread = run(dir);
      assert.deepEqual([unread.status, unread.stdout, unread.stderr], [1, '', `${heads}: cannot be read (ENOTDIR)\n`]);
    }));
});
