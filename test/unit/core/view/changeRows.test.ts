import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { plainWords } from '../../../../src/core/base/translate';
import { agentChanges, burstsOf, isTakenBack } from '../../../../src/core/changes/history';
import { HistoryReader } from '../../../../src/core/changes/historyReader';
import { overviewOf } from '../../../../src/core/changes/overview';
import { noneSeen, seenWith, unseenOf } from '../../../../src/core/changes/seen';
import { burstRow, fileRows, takenBackWords } from '../../../../src/core/present/changeRows';
import type { ChangeRecord } from '../../../../src/core/ports/changes';
import { nodeCrypto } from '../../../../src/node/system';
import { makeChanges } from '../../../support/changes';

const words = {
  t: plainWords,
  when: (time: number) => `at ${time}`,
  profileName: (id: string) => id.toUpperCase(),
  toolTitle: (id: string) => ({ 'cap:file_system:edit_file': 'Edit File' })[id] ?? id,
  isUnseen: () => true,
};

describe('The rows of changes by agents', () => {
  it('D.undo: say in words what was done to each file and how it stands, with what can be done', async () => {
    const { dispose, workspace, ok, undo, history, store } = makeChanges();
    workspace.put({ 'src/a.txt': 'one\n', 'b.txt': 'two\n', '.env': 'SECRET=1\n' });
    await ok('edit_file', { path: 'src/a.txt', edits: [{ old_text: 'one', new_text: 'ONE' }] });
    await ok('edit_file', { path: 'b.txt', edits: [{ old_text: 'two', new_text: 'TWO' }] });
    await ok('write_file', { path: 'c\u202e.txt', content: 'new\n' });
    await ok('delete_file', { path: 'b.txt' });
    await undo({ file: 'b.txt' });
    workspace.put({ 'src/a.txt': 'ONE\nmore\n' });
    const known = await history();
    const [burst] = burstsOf(agentChanges(known));
    assert.ok(burst);
    const row = burstRow(burst, 3, words);
    assert.equal(row.contextValue, 'change.burst.undo.redo');
    assert.match(row.accessibleLabel, /, 3 files, partly taken back, not looked at yet$/);
    assert.match(row.tooltip(), /\n\nEdit File, /);
    const [{ files } = { files: [] }] = await overviewOf({
      store,
      files: workspace.files,
      crypto: nodeCrypto,
      history: known,
    });
    assert.deepEqual(
      fileRows(burst.id, files, words).map((one) => [one.accessibleLabel, one.contextValue]),
      [
        ['src/a.txt, changed, lines: 1 added, 1 removed, changed since, not looked at yet, 1 of 3', 'change.file.undo'],
        ['b.txt, deleted, lines: 0 added, 1 removed, taken back, 2 of 3', 'change.file.redo'],
        [
          'c⟨U+202E⟩.txt, created, lines: 1 added, 0 removed, as the agent left it, not looked at yet, 3 of 3',
          'change.file.undo',
        ],
      ],
    );
    dispose();
  });

  it('D.undo: name the agent whose own tools did it, and keep its work apart from that of others', () => {
    const made = (tool: string, profile: string, at: number): ChangeRecord => ({
      ...{ type: 'change', id: `${at}`, time: at, scheme: 'file', root: '/w', path: `${at}.txt`, action: 'write' },
      ...{ before: { kind: 'nothing' }, after: { kind: 'file', size: 1 } },
      ...{ call: `${at}`, tool, actor: { type: 'agent', id: 'x' }, profile },
    });
    const records = [
      made('host:claude:Write', 'default', 1),
      made('host:claude:Bash', 'hook', 2),
      made('host:codex:apply_patch', 'hook', 3),
      made('cap:file_system:edit_file', 'default', 4),
      made('host:nobody:Write', 'default', 5),
    ];
    const bursts = burstsOf(agentChanges(new HistoryReader().read(records)));
    assert.deepEqual(
      bursts.map((burst) => [burst.changes.length, burstRow(burst, 1, words).description]),
      [
        [2, 'Claude Code · 1 file · not looked at yet'],
        [1, 'Codex · 1 file · not looked at yet'],
        [2, 'DEFAULT · 1 file · not looked at yet'],
      ],
    );
  });

  it('tell after a take-back what was kept, what is in the way and what cannot be, and warn only then', () => {
    const none = { merged: [], conflicts: [], impossible: [], kept: [], notReached: 0, isRedo: false };
    const told = { ...none, done: 2, paths: ['a', 'b'], merged: ['a'] };
    assert.deepEqual(takenBackWords(told, plainWords), {
      text: '2 changes were taken back. Kept with what was changed since: a.',
      isWarning: false,
    });
    const refused = takenBackWords(
      { ...told, done: 0, paths: [], merged: [], conflicts: ['b', 'b'], impossible: ['c'] },
      plainWords,
    );
    assert.deepEqual(refused, {
      text: '0 changes were taken back. Left as it is, because it was changed since: b. Cannot be taken back: c.',
      isWarning: true,
    });
    const stopped = { ...told, merged: [], kept: ['made'], notReached: 3 };
    assert.deepEqual(takenBackWords(stopped, plainWords), {
      text: '2 changes were taken back. Stays, because it holds other things now: made. Not reached: 3.',
      isWarning: true,
    });
  });

  it('D.undo: name the file where all that was taken back or made again is about one', () => {
    const one = {
      done: 1,
      paths: ['src/a\u202e.ts'],
      merged: [],
      conflicts: [],
      impossible: [],
      kept: [],
      notReached: 0,
    };
    const said = (more: object): string => takenBackWords({ ...one, isRedo: false, ...more }, plainWords).text;
    assert.equal(said({}), 'The change of src/a⟨U+202E⟩.ts was taken back.');
    assert.equal(said({ isRedo: true }), 'The change of src/a⟨U+202E⟩.ts was made again.');
    assert.equal(said({ done: 2, paths: ['b', 'b'] }), '2 changes of b were taken back.');
    assert.equal(said({ done: 2, paths: ['b'], isRedo: true }), '2 changes of b were made again.');
    assert.equal(said({ done: 2, paths: ['b', 'c'], isRedo: true }), '2 changes were made again.');
  });
});

describe('Which changes were looked at', () => {
  it('is what was looked at and nothing else, in whatever order that was', () => {
    const made = (times: readonly number[]) =>
      new HistoryReader().read(
        times.map((time, at): ChangeRecord => ({
          ...{ type: 'change', id: String(at), time, call: 'c', tool: 't', profile: 'p', scheme: 'file', root: '/r' },
          ...{ path: 'a', action: 'write', actor: { type: 'agent', id: 'a' } },
          before: { kind: 'nothing' },
          after: { kind: 'nothing' },
        })),
      ).changes;
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 8 }),
        fc.array(fc.nat(7), { maxLength: 8 }),
        (steps, looked) => {
          let time = 0;
          const all = made(steps.map((step) => (time += step - 1)).map((one) => one + 1));
          let seen = noneSeen;
          const ids = new Set<string>();
          for (const at of looked) {
            const one = all[at];
            if (!one) continue;
            seen = seenWith(seen, [one], all);
            ids.add(one.id);
          }
          const left = unseenOf(all, seen, isTakenBack).map(({ id }) => id);
          assert.deepEqual(
            left,
            all.map(({ id }) => id).filter((id) => !ids.has(id)),
          );
        },
      ),
    );
  });
});
