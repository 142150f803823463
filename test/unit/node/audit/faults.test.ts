import { strict as assert } from 'node:assert';
import { execFileSync, fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { type AuditFs, nodeAuditFs } from '../../../../src/node/audit/auditFs';
import { AuditStore } from '../../../../src/node/audit/auditStore';
import { chainHash } from '../../../../src/node/audit/hash';
import { headPath, listSegments, readHead } from '../../../../src/node/audit/layout';
import { verifyFolder } from '../../../../src/node/audit/verifyFolder';
import { finished, withFolder } from '../../../support/auditEvents';
import { runs } from '../../../support/counts';
import { skipBecause } from '../../../support/skip';

const plain = { hash: chainHash(), alg: 'sha256' } as const;
const records = (dir: string): Record<string, unknown>[] =>
  listSegments(dir).flatMap((name) =>
    fs
      .readFileSync(path.join(dir, name), 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line)),
  );

/** Bundles the child that writes until it is killed. */
function child(dir: string): string {
  const file = path.join(dir, 'child.cjs');
  buildSync({
    entryPoints: ['test/support/auditWriter.ts'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: file,
    logLevel: 'error',
  });
  return file;
}

/** A disk that takes `room` bytes of segments and then says ENOSPC, after a short write as real ones do. */
function fullDisk(room: number): AuditFs & { room: number } {
  const disk = {
    ...nodeAuditFs,
    room,
    write(fd: number, data: Uint8Array, offset: number, length: number, position: number): number {
      const end = position + length;
      if (end <= disk.room) return nodeAuditFs.write(fd, data, offset, length, position);
      const fits = disk.room - position;
      if (fits > 0) return nodeAuditFs.write(fd, data, offset, fits, position);
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    },
  };
  return disk;
}

describe('the durable audit log under faults', () => {
  it('loses no finished record over 200 kills while writing, and cuts and notes the torn line', () =>
    withFolder(async (dir) => {
      const script = child(dir);
      const log = path.join(dir, 'log');
      const acknowledged = new Map<string, number>();
      const kills = runs(200, 6);
      for (let round = 0; round < kills; round++) {
        const process_ = fork(script, [log, String(round)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
        await new Promise<void>((resolve) => {
          process_.on('message', (message: { run: string; count: number }) => acknowledged.set(message.run, message.count));
          process_.once('message', () => setTimeout(() => process_.kill('SIGKILL'), Math.random() * 25));
          process_.on('close', () => resolve());
        });
      }
      // What a kill in the middle of a write leaves is rare by chance, so one is made: half a line after the last record.
      const [torn = ''] = listSegments(log).slice(-1);
      fs.appendFileSync(path.join(log, torn), '{"actor":"agent","capab');
      const next = new AuditStore({ dir: log });
      next.record(finished());
      next.dispose();
      const result = await verifyFolder(log, plain);
      assert.deepEqual(result.faults, []);
      const kept = new Map<string, number>();
      const all = records(log);
      for (const record of all) {
        const [run, count] = String(record['gen_ai.tool.call.id']).split('/');
        if (count !== undefined) kept.set(run ?? '', Math.max(kept.get(run ?? '') ?? 0, Number(count)));
      }
      assert.equal(acknowledged.size, kills);
      for (const [run, count] of acknowledged)
        assert.ok((kept.get(run) ?? 0) >= count, `run ${run}: ${count} acknowledged, ${kept.get(run)} kept`);
      assert.equal(all.filter((record) => record['event'] === 'audit.recovered' && record['id'] === torn).length, 1);
    })).timeout(240_000);

  it('lets two windows write 10,000 records each into one folder and loses none', () =>
    withFolder(async (dir) => {
      const script = child(dir);
      const log = path.join(dir, 'log');
      const count = runs(10_000, 1000);
      await Promise.all(
        ['a', 'b'].map(
          (window) =>
            new Promise<void>((resolve, reject) => {
              const process_ = fork(script, [log, window, String(count)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
              process_.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`window ${window} ended with ${code}`))));
            }),
        ),
      );
      const result = await verifyFolder(log, plain);
      assert.deepEqual(result.faults, []);
      const ids = new Set(records(log).map((record) => String(record['gen_ai.tool.call.id'])));
      for (const window of ['a', 'b']) for (let at = 1; at <= count; at++) assert.ok(ids.has(`${window}/${at}`), `${window}/${at} is lost`);
    })).timeout(120_000);

  for (const level of Array.from({ length: 20 }, (_, at) => at))
    it(`never blocks a call, says it once and counts what it lost on a disk that is full at level ${level + 1} of 20`, () =>
      withFolder(async (dir) => {
        const problems: string[] = [];
        const disk = fullDisk(level * 997);
        let now = 1_800_000_000_000;
        const store = new AuditStore({ dir, fs: disk, maxWaiting: 10, now: () => now, onProblem: (message) => problems.push(message) });
        for (let at = 0; at < 60; at++) {
          store.record(finished({ invocationId: `call/${at}` }));
          await undefined;
          now += 10;
        }
        const full = store.isFailing;
        assert.equal(problems.length, full ? 1 : 0, problems.join('\n'));
        disk.room = Number.POSITIVE_INFINITY;
        now += 5000;
        store.record(finished({ invocationId: 'call/60' }));
        store.dispose();
        const { lost } = store;
        assert.deepEqual((await verifyFolder(dir, plain)).faults, []);
        const all = records(dir);
        const kept = all.filter((record) => String(record['gen_ai.tool.call.id']).startsWith('call/')).length;
        assert.equal(kept + lost, 61);
        const noted = all.filter((record) => record['event'] === 'audit.lost').reduce((sum, record) => sum + Number(record['count']), 0);
        assert.equal(noted, lost);
        if (full) assert.match(problems[0] ?? '', /^the audit log cannot be written \(ENOSPC/);
      }));

  it('keeps a chain that verifies on a real disk that is full', function () {
    const mount = fs.mkdtempSync('/tmp/audit-full-');
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', mount], { stdio: 'ignore' });
    } catch {
      fs.rmSync(mount, { recursive: true });
      skipBecause(this, 'a file system of its own can be mounted by root only');
    }
    return (async () => {
      try {
        for (let level = 0; level < 20; level++) {
          const dir = path.join(mount, `log${level}`);
          const ballast = path.join(mount, 'ballast');
          fs.writeFileSync(ballast, Buffer.alloc(level * 4096));
          const problems: string[] = [];
          const store = new AuditStore({ dir, maxWaiting: 5, onProblem: (message) => problems.push(message) });
          for (let at = 0; at < 300; at++) {
            store.record(finished());
            await undefined;
          }
          assert.equal(store.isFailing, true);
          fs.rmSync(ballast);
          fs.rmSync(path.join(mount, `log${level - 1}`), { recursive: true, force: true });
          store.dispose();
          if (fs.existsSync(dir)) {
            const { faults } = await verifyFolder(dir, plain);
            // A disk that was full before the head could be made leaves a segment without one, and verify says so.
            assert.deepEqual(
              faults.filter((fault) => fault.message !== 'has no head' && fault.message !== 'is not a head of this log'),
              [],
            );
          }
          fs.rmSync(dir, { recursive: true, force: true });
        }
      } finally {
        execFileSync('umount', [mount]);
        fs.rmSync(mount, { recursive: true });
      }
    })();
  });

  it('goes on in a new segment where its file was deleted, and verify says that one is missing', () =>
    withFolder(async (dir) => {
      const store = new AuditStore({ dir });
      store.record(finished());
      store.flush();
      const [name = ''] = listSegments(dir);
      fs.rmSync(path.join(dir, name));
      store.record(finished());
      store.dispose();
      assert.equal(listSegments(dir).length, 1);
      assert.deepEqual(
        (await verifyFolder(dir, plain)).faults.map((fault) => [fault.file, fault.message]),
        [[name, 'is missing, and no record says that it was removed']],
      );
    }));

  it('leaves a dead segment that lacks what its head promises as it is, because it is evidence', () =>
    withFolder(async (dir) => {
      const dead = new AuditStore({ dir });
      for (let at = 0; at < 5; at++) dead.record(finished());
      dead.dispose();
      const [name = ''] = listSegments(dir);
      const head = readHead(dir, name);
      assert.ok(head);
      const file = path.join(dir, name);
      fs.writeFileSync(headPath(dir, name), JSON.stringify({ ...head, state: 'open', pid: 2 ** 22 + 7 }));
      fs.truncateSync(file, head.bytes - 700);
      const before = fs.readFileSync(file);
      const problems: string[] = [];
      const store = new AuditStore({ dir, onProblem: (message) => problems.push(message) });
      store.record(finished());
      store.dispose();
      assert.deepEqual(fs.readFileSync(file), before);
      assert.match(problems.join(), /shorter than its head says/);
      assert.equal((await verifyFolder(dir, plain)).ok, false);
    }));
});
