// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { type ChildProcess, execFileSync, fork, type ForkOptions } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Head, sealHead } from '../../../../src/core/audit/head';
import { chainStart } from '../../../../src/core/audit/chain';
import { type AuditFs, nodeAuditFs } from '../../../../src/node/audit/auditFs';
import { AuditStore } from '../../../../src/node/audit/auditStore';
import { chainSeal } from '../../../../src/node/audit/hash';
import { headBytes, headPath, listSegments, readHead } from '../../../../src/node/audit/layout';
import { worded } from '../../../../src/core/base/sentence';
import { verifyFolder } from '../../../../src/node/audit/verifyFolder';
import { finished, withFolder } from '../../../support/auditEvents';
import { runs } from '../../../support/counts';
import { skipBecause } from '../../../support/skip';

const plain = chainSeal();
const records = (dir: string): Record<string, unknown>[] =>
  listSegments(dir).flatMap((name) =>
    fs
      .readFileSync(path.join(dir, name), 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line)),
  );

/** Makes a head what a dead process left. */
function leaveHead(dir: string, segment: string, facts: Partial<Head>): void {
  const head = readHead(dir, segment);
  assert.ok(head);
  fs.writeFileSync(headPath(dir, segment), headBytes(sealHead({ ...head, pid: 2 ** 22 + 7, ...facts }, plain)));
}

const program = (name: string): string => path.resolve(`.build/tests/support/processes/${name}.cjs`);

/** Starts a window of its own that writes. */
function startWriter(args: readonly string[], options: Pick<ForkOptions, 'execArgv' | 'env'> = {}): ChildProcess {
  return fork(program('auditWriter'), args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], ...options });
}

/** Makes locks older: one without the number of its process is left alone at first. */
function passTime(dir: string): void {
  const heads = path.join(dir, 'heads');
  for (const name of fs.existsSync(heads) ? fs.readdirSync(heads) : [])
    if (name.endsWith('.lock')) fs.utimesSync(path.join(heads, name), 1, 1);
}

/** A start that writes one record and ends. */
function writeOne(dir: string): void {
  const store = new AuditStore({ dir });
  store.record(finished());
  store.dispose();
}

/** The last record of each run that its window finished. */
class Acknowledged {
  readonly #last = new Map<string, number>();

  /** Resolves once the process has ended. */
  async of(writer: ChildProcess): Promise<{ readonly code: number | null; readonly signal: string | null }> {
    writer.on('message', ({ run, count }: { run: string; count: number }) => this.#last.set(run, count));
    const [code, signal] = await once(writer, 'close');
    return { code, signal };
  }

  /** True where the process was killed at that step of writing two segments; false where it has not so many. */
  async diedAt(step: number, args: readonly string[]): Promise<boolean> {
    const { code, signal } = await this.of(
      startWriter([...args, '7', '4000'], {
        execArgv: ['--require', program('dieAtStep')],
        env: { ...process.env, DIE_AT_STEP: String(step) },
      }),
    );
    assert.ok(signal === 'SIGKILL' || code === 0, `it ended with ${code}`);
    return signal === 'SIGKILL';
  }

  get runs(): number {
    return this.#last.size;
  }

  /** Answers all records. */
  async assertKept(log: string): Promise<readonly Record<string, unknown>[]> {
    assert.deepEqual((await verifyFolder(log, plain)).faults, []);
    const kept = new Map<string, number>();
    const all = records(log);
    for (const record of all) {
      const [run, count] = String(record['gen_ai.tool.call.id']).split('/');
      if (count !== undefined) kept.set(run ?? '', Math.max(kept.get(run ?? '') ?? 0, Number(count)));
    }
    for (const [run, count] of this.#last)
      assert.ok((kept.get(run) ?? 0) >= count, `run ${run}: ${count} acknowledged, ${kept.get(run)} kept`);
    return all;
  }
}

/** A disk that takes `room` bytes of segments and then says ENOSPC, after a short write as real ones do. */
function fullDisk(room: number): AuditFs & { room: number; readonly isFull: boolean } {
  const disk = {
    ...nodeAuditFs,
    room,
    isFull: false,
    write(fd: number, data: Uint8Array, offset: number, length: number, position: number): number {
      const end = position + length;
      if (end <= disk.room) return nodeAuditFs.write(fd, data, offset, length, position);
      const fits = disk.room - position;
      if (fits > 0) return nodeAuditFs.write(fd, data, offset, fits, position);
      disk.isFull = true;
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    },
  };
  return disk;
}

describe('the durable audit log under faults', () => {
  it('loses no finished record wherever a kill cuts short what is written, a new segment, or what sets an earlier kill right', () =>
    withFolder(async (dir) => {
      let recovered = 0;
      let step = 1;
      for (let isKilled = true; isKilled; step++) {
        const log = path.join(dir, String(step));
        const acknowledged = new Acknowledged();
        isKilled = await acknowledged.diedAt(step, [log, 'first']);
        // Every third time the next start is cut short too, each time one step later.
        if (step % 3 === 0) await acknowledged.diedAt(step / 3, [log, 'second']);
        passTime(log);
        writeOne(log);
        const left = listSegments(log).filter((name) => readHead(log, name)?.state === 'open');
        assert.deepEqual(left, [], `killed at step ${step}`);
        const all = await acknowledged.assertKept(log);
        recovered += all.filter(({ event }) => event === 'audit.recovered').length;
      }
      assert.ok(step > 30 && recovered > 0, `${step} steps, ${recovered} torn lines`);
    })).timeout(240_000);

  it('loses no finished record when it is killed at any moment while it writes, and cuts and notes the torn line', () =>
    withFolder(async (dir) => {
      const log = path.join(dir, 'log');
      const acknowledged = new Acknowledged();
      const kills = runs(6, 20, 200);
      // A kill between two segments leaves none open, and only an open one can have a torn line: the last round leaves
      // one.
      const leavesOpen = (): boolean => readHead(log, listSegments(log).at(-1) ?? '')?.state === 'open';
      for (let round = 0; round < kills || !leavesOpen(); round++) {
        const writer = startWriter([log, String(round)]);
        writer.once('message', () => setTimeout(() => writer.kill('SIGKILL'), Math.random() * 25));
        await acknowledged.of(writer);
      }
      // What a kill in the middle of a write leaves is rare by chance, so one is made: half a line after the last
      // record.
      const [torn = ''] = listSegments(log).slice(-1);
      fs.appendFileSync(path.join(log, torn), '{"actor":"agent","capab');
      writeOne(log);
      assert.ok(acknowledged.runs >= kills);
      const all = await acknowledged.assertKept(log);
      assert.equal(all.filter((record) => record['event'] === 'audit.recovered' && record['id'] === torn).length, 1);
    })).timeout(240_000);

  it('lets two windows write 10,000 records each into one folder and loses none', () =>
    withFolder(async (dir) => {
      const log = path.join(dir, 'log');
      const count = runs(1000, 10_000);
      const windows = ['a', 'b'];
      const ended = await Promise.all(
        windows.map((window) => once(startWriter([log, window, String(count)]), 'close')),
      );
      assert.deepEqual(
        ended,
        windows.map(() => [0, null]),
      );
      const result = await verifyFolder(log, plain);
      assert.deepEqual(result.faults, []);
      const ids = new Set(records(log).map((record) => String(record['gen_ai.tool.call.id'])));
      for (const window of windows)
        for (let at = 1; at <= count; at++) assert.ok(ids.has(`${window}/${at}`), `${window}/${at} is lost`);
    })).timeout(120_000);

  for (const level of Array.from({ length: 20 }, (_, at) => at))
    it(`never blocks a call, says it once and counts what it lost on a disk that is full at level ${level + 1} of 20`, () =>
      withFolder(async (dir) => {
        const problems: string[] = [];
        const disk = fullDisk(level * 997);
        let now = 1_800_000_000_000;
        const store = new AuditStore({
          dir,
          fs: disk,
          maxWaiting: 10,
          now: () => now,
          onProblem: (said) => problems.push(worded(said)),
        });
        for (let at = 0; at < 60; at++) {
          store.record(finished({ invocationId: `call/${at}` }));
          await undefined;
          now += 10;
        }
        const full = disk.isFull;
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
        const noted = all
          .filter((record) => record['event'] === 'audit.lost')
          .reduce((sum, record) => sum + Number(record['count']), 0);
        assert.equal(noted, lost);
        if (full) assert.match(problems[0] ?? '', /^the audit log cannot be written \(ENOSPC/);
      }));

  it('keeps a chain that verifies on a real disk that is full', function () {
    const mount = fs.mkdtempSync(path.join(tmpdir(), 'audit-full-'));
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
          const store = new AuditStore({ dir, maxWaiting: 5, onProblem: (said) => problems.push(worded(said)) });
          for (let at = 0; at < 300; at++) {
            store.record(finished());
            await undefined;
          }
          assert.match(problems.at(-1) ?? '', /^the audit log cannot be written \(ENOSPC/);
          fs.rmSync(ballast);
          fs.rmSync(path.join(mount, `log${level - 1}`), { recursive: true, force: true });
          store.dispose();
          if (fs.existsSync(dir)) {
            const { faults } = await verifyFolder(dir, plain);
            assert.deepEqual(faults, []);
          }
          fs.rmSync(dir, { recursive: true, force: true });
        }
      } finally {
        execFileSync('umount', [mount]);
        fs.rmSync(mount, { recursive: true });
      }
    })();
  });

  it('goes on in a new segment where its file was deleted, warns, and verify says that one is missing', () =>
    withFolder(async (dir) => {
      const problems: string[] = [];
      const store = new AuditStore({ dir, onProblem: (said) => problems.push(worded(said)) });
      store.record(finished());
      store.flush();
      const [name = ''] = listSegments(dir);
      fs.rmSync(path.join(dir, name));
      store.record(finished());
      store.dispose();
      assert.equal(listSegments(dir).length, 1);
      assert.equal(
        records(dir).filter((record) => record['event'] === 'invocation.finished').length,
        2,
        'the records of the last moment are kept',
      );
      assert.equal(problems.length, 1);
      assert.match(
        problems[0] ?? '',
        /was removed while it was written, and Verify Audit names it; written again: 2 records/,
      );
      assert.deepEqual(
        (await verifyFolder(dir, plain)).faults.map((fault) => [fault.file, worded(fault.said)]),
        [[name, 'is missing, and no record says that it was removed']],
      );
    }));

  it('sets right every state that a kill can leave, without a warning, and loses no finished record', () =>
    withFolder(async (root) => {
      const start = { seq: 0, hash: chainStart, bytes: 0, state: 'open' } as const;
      const states: Readonly<Record<string, (dir: string, name: string, file: string) => void>> = {
        'a head and no segment': (dir, name, file) => (leaveHead(dir, name, start), fs.rmSync(file)),
        'a head and an empty segment': (dir, name, file) => (leaveHead(dir, name, start), fs.truncateSync(file)),
        'a torn first line': (dir, name, file) => (leaveHead(dir, name, start), fs.truncateSync(file, 100)),
        'records that no head promises yet': (dir, name) => leaveHead(dir, name, start),
        'records beyond the head': (dir, name, file) => {
          const lines = fs.readFileSync(file, 'utf8').split('\n').slice(0, 2);
          const { seq, hash } = JSON.parse(lines[1] ?? '');
          leaveHead(dir, name, { seq, hash, bytes: lines.join('\n').length + 1, state: 'open' });
        },
        'a torn last line': (dir, name, file) => (
          leaveHead(dir, name, { state: 'open' }),
          fs.appendFileSync(file, '{"actor":"ag')
        ),
        'a head that was written and not yet in place': (dir, name) =>
          fs.copyFileSync(headPath(dir, name), `${headPath(dir, name)}.77.tmp`),
        'a segment that retention marked and did not remove yet': (dir, name) =>
          leaveHead(dir, name, { state: 'retired' }),
      };
      const left: Record<string, unknown> = {};
      for (const [state, leave] of Object.entries(states)) {
        const dir = path.join(root, state);
        const dead = new AuditStore({ dir });
        for (let at = 0; at < 5; at++) dead.record(finished());
        dead.dispose();
        const [name = ''] = listSegments(dir);
        leave(dir, name, path.join(dir, name));
        const problems: string[] = [];
        for (let again = 0; again < 2; again++) {
          const next = new AuditStore({ dir, onProblem: (said) => problems.push(worded(said)) });
          next.record(finished());
          next.dispose();
        }
        const { faults } = await verifyFolder(dir, plain);
        const kept = records(dir).filter((record) => record['event'] === 'invocation.finished').length;
        left[state] = [problems, faults, kept];
      }
      assert.deepEqual(left, {
        'a head and no segment': [[], [], 2],
        'a head and an empty segment': [[], [], 2],
        'a torn first line': [[], [], 2],
        'records that no head promises yet': [[], [], 7],
        'records beyond the head': [[], [], 7],
        'a torn last line': [[], [], 7],
        'a head that was written and not yet in place': [[], [], 7],
        'a segment that retention marked and did not remove yet': [[], [], 2],
      });
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
      leaveHead(dir, name, { state: 'open' });
      fs.truncateSync(file, head.bytes - 700);
      const before = fs.readFileSync(file);
      const problems: string[] = [];
      const store = new AuditStore({ dir, onProblem: (said) => problems.push(worded(said)) });
      store.record(finished());
      store.dispose();
      assert.deepEqual(fs.readFileSync(file), before);
      assert.match(problems.join(), /was cut: its head stands at byte \d+, and it has \d+/);
      assert.equal((await verifyFolder(dir, plain)).ok, false);
    }));
});
