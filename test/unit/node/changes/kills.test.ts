// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { say } from '../../../../src/core/base/sentence';
import type { ChangeStore } from '../../../../src/core/ports/changes';
import { makeChanges } from '../../../support/changes';
import { runs } from '../../../support/counts';

/** The store's newest segment. */
function segmentIn(storage: string): string {
  const [file] = readdirSync(storage, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => path.join(one.parentPath, one.name))
    .sort()
    .reverse();
  assert.ok(file);
  return file;
}

describe('The store of changes', () => {
  it('D.undo: cut anywhere, as a kill cuts it, still gives either what was there or what was left', async () => {
    const count = runs(20, 200);
    for (let at = 0; at < count; at++) {
      const storage = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-storage-'));
      const first = makeChanges({ storage });
      first.workspace.put({ 'a.txt': 'old\n'.repeat(20), 'b.txt': 'two' });
      await first.ok('write_file', { path: 'a.txt', content: 'new\n'.repeat(20) });
      await first.ok('delete_file', { path: 'b.txt' });
      const segment = segmentIn(storage);
      const whole = readFileSync(segment).length;
      truncateSync(segment, Math.floor((whole * at) / count));
      const second = makeChanges({ storage, workspace: first.workspace });
      await second.call('undo_change', { all: true }, 'user');
      const text = readFileSync(first.workspace.at('a.txt'), 'utf8');
      assert.ok(text === 'old\n'.repeat(20) || text === 'new\n'.repeat(20), `cut at ${at} of ${count}`);
      second.gate.dispose();
      second.store.dispose();
      first.dispose();
      rmSync(storage, { recursive: true });
    }
  });

  it('D.undo: a take-back of folders that was cut anywhere is finished by the next one, with no conflict', async () => {
    const count = runs(12, 60);
    for (let at = 0; at <= count; at++) {
      const storage = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-storage-'));
      const first = makeChanges({ storage });
      await first.ok('write_file', { path: 'new/deep/n.txt', content: 'new' });
      const segment = segmentIn(storage);
      const made = readFileSync(segment).length;
      await first.call('undo_change', { all: true }, 'user');
      const whole = readFileSync(segment).length;
      assert.ok(whole > made);
      truncateSync(segment, made + Math.floor(((whole - made) * at) / count));
      const second = makeChanges({ storage, workspace: first.workspace });
      const answer = await second.call('undo_change', { all: true }, 'user');
      const told = JSON.stringify(answer);
      assert.doesNotMatch(told, /"why"/, `cut at ${at} of ${count}`);
      assert.deepEqual(readdirSync(first.workspace.at('.')), [], told);
      second.gate.dispose();
      second.store.dispose();
      first.dispose();
      rmSync(storage, { recursive: true });
    }
  });

  it('asks about the next change once one could not be kept, and leaves the file as it was', async () => {
    let isFull = false;
    const kept = makeChanges();
    const full: ChangeStore & { dispose(): void } = {
      append(records, images) {
        if (isFull) throw new Error('the disk is full');
        kept.store.append(records, images);
      },
      fault: () => (isFull ? say('storage_full') : undefined),
      mostBytes: kept.store.mostBytes,
      read: () => kept.store.read(),
      image: (hash) => kept.store.image(hash),
      dispose: () => undefined,
    };
    const gate = makeChanges({ store: full, workspace: kept.workspace });
    kept.workspace.put({ 'a.txt': 'old' });
    await gate.ok('write_file', { path: 'a.txt', content: 'new' });
    isFull = true;
    const asked = await gate.call('write_file', { path: 'a.txt', content: 'newer' });
    const reasons = gate.gate.asked.at(-1)?.reasons.map(({ rule }) => rule);
    assert.ok(reasons?.includes('changes.not-kept'));
    assert.equal(gate.gate.asked.at(-1)?.preview.undo, 'never');
    assert.deepEqual(asked.success && asked.warnings, ['one change of this call cannot be taken back']);
    const denied = makeChanges({
      store: full,
      workspace: kept.workspace,
      answer: () => ({ outcome: 'denied', by: 'user', waitedMs: 0 }),
    });
    await denied.call('write_file', { path: 'a.txt', content: 'never' });
    assert.equal(readFileSync(kept.workspace.at('a.txt'), 'utf8'), 'newer');
    denied.gate.dispose();
    gate.gate.dispose();
    kept.dispose();
  });
});
