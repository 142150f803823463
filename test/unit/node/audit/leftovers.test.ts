import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { worded } from '../../../../src/core/base/sentence';
import { AuditStore } from '../../../../src/node/audit/auditStore';
import { nodeAuditFs } from '../../../../src/node/audit/auditFs';
import { headPath, listSegments } from '../../../../src/node/audit/layout';
import { finished, withFolder } from '../../../support/auditEvents';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
/** No system gives numbers so high. */
const gone = 2 ** 22 + 7;
const running = process.ppid;

/** A window that writes one record and closes. */
function opens(dir: string, options: Partial<ConstructorParameters<typeof AuditStore>[0]> = {}): void {
  const store = new AuditStore({ dir, ...options });
  store.record(finished());
  store.dispose();
}

describe('What a killed window leaves beside the heads', () => {
  const files: readonly (readonly [name: string, pid: number, age: number, stays: boolean])[] = [
    ['HEAD.PID.tmp', gone, 2 * hour, false],
    ['HEAD.PID.tmp', gone, 50 * minute, true],
    ['HEAD.PID.tmp', running, 2 * hour, true],
    ['HEAD.PID.tmp', running, 2 * day, false],
    ['SEGMENT.lock', gone, 2 * hour, false],
    ['SEGMENT.lock', gone, 50 * minute, true],
    ['SEGMENT.lock', running, 2 * hour, true],
    ['SEGMENT.lock', running, 2 * day, false],
    ['SEGMENT.lock.0123456789ab', gone, 2 * hour, false],
    ['SEGMENT.lock.0123456789ab', gone, 50 * minute, true],
    ['SEGMENT.lock.0123456789ab', running, 2 * day, false],
    ['SEGMENT.lock.of-somebody', gone, 2 * day, true],
    ['notes.tmp', gone, 2 * day, true],
  ];
  for (const [name, pid, age, stays] of files)
    it(`${stays ? 'stays' : 'goes with the next start'}: ${name} of ${age / minute} minutes by a process that ${pid === gone ? 'is gone' : 'runs'}`, () =>
      withFolder((dir) => {
        // Of a segment that nobody has to do with any more.
        const segment = '20200101T000000000Z-0123456789-0001';
        const file = path.join(
          dir,
          'heads',
          name.replace('HEAD', `${segment}.json`).replace('SEGMENT', `${segment}.jsonl`).replace('PID', String(pid)),
        );
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, String(pid));
        const at = (Date.now() - age) / 1000;
        fs.utimesSync(file, at, at);
        opens(dir);
        assert.equal(fs.existsSync(file), stays);
        const locks = fs.readdirSync(path.join(dir, 'heads')).filter((one) => one.includes('.lock'));
        assert.equal(locks.length, stays && name.includes('.lock') ? 1 : 0);
      }));

  it('goes too where the heads of other windows cannot be marked', () =>
    withFolder((dir) => {
      opens(dir);
      const [segment = ''] = listSegments(dir);
      const left = `${headPath(dir, segment)}.${gone}.tmp`;
      fs.writeFileSync(left, '');
      fs.utimesSync(left, 1, 1);
      const problems: string[] = [];
      const rename = (from: string, to: string): void => {
        if (to === headPath(dir, segment)) throw new Error('EIO: refused');
        nodeAuditFs.rename(from, to);
      };
      opens(dir, { fs: { ...nodeAuditFs, rename }, onProblem: (said) => problems.push(worded(said)) });
      assert.match(problems.join(), /could not be looked through: EIO: refused/);
      assert.equal(fs.existsSync(left), false);
    }));

  it('does not hold up who wants a segment, whatever runs under its number a day later', () =>
    withFolder((dir) => {
      opens(dir);
      const [segment = ''] = listSegments(dir);
      const lock = path.join(dir, 'heads', `${segment}.lock`);
      fs.writeFileSync(lock, String(running));
      const seen = (): boolean => fs.readFileSync(headPath(dir, segment), 'utf8').includes('"seen"');
      opens(dir);
      assert.deepEqual([seen(), fs.existsSync(lock)], [false, true]);
      const at = (Date.now() - 2 * day) / 1000;
      fs.utimesSync(lock, at, at);
      opens(dir);
      assert.deepEqual([seen(), fs.existsSync(lock)], [true, false]);
    }));
});
