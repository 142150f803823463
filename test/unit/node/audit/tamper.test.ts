import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { type Head, sealHead } from '../../../../src/core/audit/head';
import { say, worded } from '../../../../src/core/base/sentence';
import { AuditStore } from '../../../../src/node/audit/auditStore';
import { chainSeal } from '../../../../src/node/audit/hash';
import { headBytes, headPath, listSegments, parseSegmentName, readHead } from '../../../../src/node/audit/layout';
import { verifyFolder } from '../../../../src/node/audit/verifyFolder';
import { attacks, rewrite, sameFolder, writeLog as write } from '../../../support/auditAttacks';
import { finished, memoryKeeper, withFolder } from '../../../support/auditEvents';
import { runs } from '../../../support/counts';

const plain = chainSeal();

describe('verify', () => {
  it('finds every one of 1,000 random edits of segments and heads and names the file, at once and after two more starts, the first of which warns', () =>
    withFolder(async (root) => {
      const [clean, dir] = [path.join(root, 'clean'), path.join(root, 'edited')];
      for (let window = 0; window < 3; window++) write(clean, 20, { now: () => 1_800_000_000_000 + window * 1000 });
      const names = listSegments(clean);
      assert.ok(names.length > 4, 'several segments');
      assert.deepEqual((await verifyFolder(clean, plain)).faults, []);
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...Object.keys(attacks)),
          fc.constantFrom(...names),
          fc.nat({ max: 1_000_000 }),
          fc.nat({ max: 1_000_000 }),
          fc.integer({ min: 0, max: 2 }),
          async (kind, name, a, b, starts) => {
            fs.rmSync(dir, { recursive: true, force: true });
            fs.cpSync(clean, dir, { recursive: true });
            attacks[kind]?.(dir, name, a, b);
            if (sameFolder(clean, dir)) return;
            const warnings: string[][] = [];
            for (let start = 0; start < starts; start++) {
              const problems: string[] = [];
              write(dir, 3, { onProblem: (said) => problems.push(worded(said)) });
              warnings.push(problems);
            }
            const { ok, faults } = await verifyFolder(dir, plain);
            assert.equal(ok, false, `${kind} ${a} ${b} after ${starts} starts`);
            const text = faults.map((fault) => `${fault.file} ${worded(fault.said)}`).join();
            const named =
              kind === 'remove window' ? (parseSegmentName(name)?.window ?? '') : name.replace('.jsonl', '');
            assert.ok(text.includes(named), `${kind} ${a} ${b}: ${text}`);
            // What needs the whole log to be read is left to verify; what a start sees it tells once.
            const seen = warnings.map((one) => one.length);
            assert.ok(
              seen.every((count, at) => count <= (at === 0 ? 1 : 0)),
              `${kind}: ${JSON.stringify(warnings)}`,
            );
            if (/head|window|Segment|truncate/.test(kind) && starts > 0)
              assert.equal(seen[0], 1, `${kind} ${a} ${b} was not warned of`);
          },
        ),
        { numRuns: runs(25, 1000) },
      );
    })).timeout(300_000);

  it('never heals what a cut tail and a removed head leave: it notes and warns once, and verify finds it even with a new head that fits', () =>
    withFolder(async (dir) => {
      write(dir, 9);
      const [name = ''] = listSegments(dir);
      const head = readHead(dir, name);
      assert.ok(head);
      fs.rmSync(headPath(dir, name));
      rewrite(path.join(dir, name), (data) => data.subarray(0, data.lastIndexOf(10, data.length - 2) + 1));
      const cut = fs.readFileSync(path.join(dir, name));
      const problems: string[] = [];
      for (let start = 0; start < 3; start++) write(dir, 1, { onProblem: (said) => problems.push(worded(said)) });
      assert.deepEqual(problems, [
        `the audit log was changed from outside: ${name} has no head. Run Verify Audit, and Clear Audit to start anew`,
      ]);
      assert.deepEqual(fs.readFileSync(path.join(dir, name)), cut, 'evidence stays as it is');
      const messages = async (): Promise<string[]> =>
        (await verifyFolder(dir, plain)).faults.map(
          (fault) => `${fault.file === name} ${worded(fault.said).replace(/at .*notes/, 'at …, as … notes')}`,
        );
      assert.deepEqual(await messages(), ['true was found broken at …, as … notes: has no head', 'true has no head']);
      const last = JSON.parse(cut.toString().trimEnd().split('\n').at(-1) ?? '');
      fs.writeFileSync(
        headPath(dir, name),
        headBytes(sealHead({ ...head, seq: last.seq, hash: last.hash, bytes: cut.length }, plain)),
      );
      assert.deepEqual(await messages(), ['true was found broken at …, as … notes: has no head']);
      const noted = listSegments(dir)
        .flatMap((segment) => fs.readFileSync(path.join(dir, segment), 'utf8').trimEnd().split('\n'))
        .map((line) => JSON.parse(line))
        .filter((record) => record.event === 'audit.recovered');
      assert.deepEqual(
        noted.map((record) => [record.id, record.detail, record['error.type']]),
        [[name, 'has no head', 'chain_broken']],
      );
      const store = new AuditStore({ dir });
      store.clear('start anew', { type: 'user', id: 'u' });
      store.dispose();
      assert.deepEqual((await verifyFolder(dir, plain)).faults, [], 'a clearing with a reason starts anew');
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
        said: say('chain_changed'),
      });
    }));

  it('finds a segment that is gone, came back, was renamed, or whose head was changed', () =>
    withFolder(async (dir) => {
      write(dir, 60);
      const names = listSegments(dir);
      const [first = '', second = ''] = names;
      const file = path.join(dir, first);
      const keptFile = fs.readFileSync(file);
      const kept = fs.readFileSync(headPath(dir, first));
      const head = readHead(dir, first);
      assert.ok(head);
      const messages: string[] = [];
      const look = async (): Promise<void> => {
        messages.push(
          (await verifyFolder(dir, plain)).faults.map((fault) => worded(fault.said).replace(/\d+/g, 'N'))[0] ??
            'nothing',
        );
        fs.writeFileSync(file, keptFile);
        fs.writeFileSync(headPath(dir, first), kept);
      };
      const forge = (facts: Partial<Head>): void =>
        fs.writeFileSync(headPath(dir, first), headBytes(sealHead({ ...head, ...facts }, plain)));
      fs.rmSync(file);
      await look();
      fs.copyFileSync(path.join(dir, second), file);
      await look();
      fs.writeFileSync(headPath(dir, first), 'no head');
      await look();
      fs.rmSync(headPath(dir, first));
      await look();
      fs.writeFileSync(
        headPath(dir, first),
        kept.toString().replace(/"bytes":(\d)/, (_all, digit) => `"bytes":${(Number(digit) % 9) + 1}`),
      );
      await look();
      fs.writeFileSync(headPath(dir, first), kept.toString().replace(/ /, ''));
      await look();
      forge({ seq: head.seq + 90 });
      await look();
      forge({ state: 'retired' });
      await look();
      assert.deepEqual(messages, [
        'is missing, and no record says that it was removed',
        'does not follow the line before it: a record was removed, moved or inserted',
        'is not a head of this log',
        'has no head',
        'has a head that was changed',
        'is not a head of this log',
        'was cut: its head stands at record N, and its last is N',
        'was retired and is there again',
      ]);
      assert.equal((await verifyFolder(dir, plain)).ok, true);
    }));

  it('finds by heads that were kept elsewhere what was removed whole, cut or forged, and a start warns of it', () =>
    withFolder(async (root) => {
      const clean = path.join(root, 'clean');
      const dir = path.join(root, 'edited');
      const keeper = memoryKeeper();
      write(clean, 30, { keeper });
      const names = listSegments(clean);
      const last = names.at(-1) ?? '';
      const look = async (attack: () => void): Promise<string> => {
        fs.rmSync(dir, { recursive: true, force: true });
        fs.cpSync(clean, dir, { recursive: true });
        attack();
        const { faults } = await verifyFolder(dir, { ...plain, heads: keeper.heads() });
        const problems: string[] = [];
        const next = new AuditStore({
          dir,
          keeper: { ...keeper, keep() {} },
          onProblem: (said) => problems.push(worded(said)),
        });
        next.record(finished());
        next.dispose();
        return `${faults[0] ? worded(faults[0].said).replace(/\d+/g, 'N') : 'nothing'}; warned ${problems.length}`;
      };
      const head = readHead(clean, last);
      assert.ok(head);
      assert.deepEqual(
        [
          await look(() => undefined),
          await look(() => names.forEach((name) => attacks['remove segment and head']?.(dir, name, 0, 0))),
          await look(() => {
            const text = fs.readFileSync(path.join(dir, last), 'utf8');
            const lines = text.trimEnd().split('\n').slice(0, -1);
            const { seq, hash } = JSON.parse(lines.at(-1) ?? '');
            const cut = `${lines.join('\n')}\n`;
            fs.writeFileSync(path.join(dir, last), cut);
            fs.writeFileSync(
              headPath(dir, last),
              headBytes(sealHead({ ...head, seq, hash, bytes: cut.length }, plain)),
            );
          }),
          await look(() => {
            fs.rmSync(path.join(dir, last));
            fs.writeFileSync(headPath(dir, last), headBytes(sealHead({ ...head, state: 'retired' }, plain)));
          }),
        ],
        [
          'nothing; warned 0',
          'is missing with its head, though a head that is kept elsewhere names it; warned 1',
          'was cut: a head that is kept elsewhere stands at record N, and its last is N; warned 1',
          'is marked as retired, but no record says so and its head is still kept elsewhere; warned 0',
        ],
      );
    }));

  it('accepts what retention and a clearing removed, also where another window kept an old head of it', () =>
    withFolder(async (dir) => {
      const keeper = memoryKeeper();
      write(dir, 30, { keeper });
      const stale = keeper.heads();
      const store = new AuditStore({ dir, keeper });
      store.record(finished());
      const { segments } = store.retire({ retentionDays: 0, maxMegabytes: 0.012 });
      assert.ok(segments.length > 0);
      assert.deepEqual(
        keeper.heads().filter((head) => segments.includes(head.segment)),
        [],
      );
      assert.deepEqual((await verifyFolder(dir, { ...plain, heads: stale })).faults, []);
      store.clear('enough of it', { type: 'user', id: 'u' });
      assert.deepEqual((await verifyFolder(dir, { ...plain, heads: stale })).faults, []);
      store.dispose();
      assert.deepEqual((await verifyFolder(dir, { ...plain, heads: keeper.heads() })).faults, []);
    }));
});
