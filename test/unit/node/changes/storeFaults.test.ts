import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeChanges } from '../../../support/changes';
import { skipBecause } from '../../../support/skip';

const mount = (...args: readonly string[]): boolean => {
  try {
    execFileSync('mount', args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Makes a store fail that has worked; false where that cannot be done here. */
const faults: Readonly<Record<string, (storage: string) => boolean>> = {
  'on a full disk': (storage) => {
    if (!mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', storage)) return false;
    writeFileSync(path.join(storage, 'fill'), Buffer.alloc(56 * 1024));
    return true;
  },
  'on a read-only disk': (storage) => mount('-t', 'tmpfs', '-o', 'ro', 'tmpfs', storage),
  'that is gone and cannot be made anew': (storage) => {
    rmSync(storage, { recursive: true, force: true });
    writeFileSync(storage, 'a file stands there');
    return true;
  },
};

describe('A store of changes', () => {
  for (const [name, fail] of Object.entries(faults))
    it(`D.undo: ${name} lets no agent change a file unasked: the question says that it cannot be taken back, and a no or the setting keeps the file`, async function () {
      const base = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-store-'));
      const storage = path.join(base, 'storage');
      mkdirSync(storage);
      const kept = makeChanges({ storage });
      kept.workspace.put({ 'a.txt': 'old' });
      try {
        if (!fail(storage)) skipBecause(this, 'a file system of its own can be mounted by root only');
        const large = 'x'.repeat(100_000);
        // What is found only while the bytes are kept refuses the first call; from then on it is known beforehand.
        const first = await kept.call('write_file', { path: 'a.txt', content: large });
        if (!first.success) {
          assert.equal(first.error.code, 'not_kept', first.error.message);
          assert.equal(readFileSync(kept.workspace.at('a.txt'), 'utf8'), 'old');
          const second = await kept.call('write_file', { path: 'a.txt', content: large });
          assert.ok(second.success);
        }
        const question = kept.gate.asked.at(-1);
        assert.ok(question?.reasons.some(({ rule }) => rule === 'changes.not-kept'));
        assert.equal(question?.preview.undo, 'never');
        assert.equal(readFileSync(kept.workspace.at('a.txt'), 'utf8'), large);

        const others = [
          { answer: () => ({ outcome: 'denied', by: 'user', waitedMs: 0 }) as const },
          { settings: { 'changes.whenNotKept': 'deny' } as const },
        ];
        for (const other of others) {
          const strict = makeChanges({ storage, workspace: kept.workspace, ...other });
          for (let time = 0; time < 2; time++)
            assert.equal((await strict.call('write_file', { path: 'a.txt', content: `y${large}` })).success, false);
          assert.equal(readFileSync(kept.workspace.at('a.txt'), 'utf8'), large);
          strict.gate.dispose();
          strict.store.dispose();
        }
      } finally {
        kept.dispose();
        try {
          execFileSync('umount', ['-l', storage], { stdio: 'ignore' });
        } catch {
          // Nothing is mounted there.
        }
        rmSync(base, { recursive: true });
      }
    });
});
