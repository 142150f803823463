import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { plainWords } from '../../../../src/core/base/translate';
import { todosToMarkdown } from '../../../../src/core/todos/markdown';
import { type TodoChange, TodoStore } from '../../../../src/core/todos/store';
import { worded } from '../../../../src/core/base/sentence';
import { runs } from '../../../support/counts';
import { inGerman } from '../../../support/german';
import { FakeClock, MemoryStore } from '../../../support/toolContext';
import type { TodoDraft, TodoItem, TodoStatus } from '../../../../src/core/vocabulary/todo';

const P = 'default';
const setUp = (storage = new MemoryStore()) => {
  const logged: string[] = [];
  const log = { warn: (text: string) => logged.push(text), error: (text: string) => logged.push(text) };
  const store = new TodoStore({ storage, clock: new FakeClock(), log });
  const agent = (todos: readonly TodoDraft[], revision?: number) =>
    store.write(P, { todos, by: 'agent', ...(revision === undefined ? {} : { revision }) });
  const shown = (): readonly string[] => store.items(P).map((item) => `${item.content} ${item.status}`);
  return { store, storage, logged, agent, shown };
};
const draft = (content: string, status: TodoStatus = 'pending'): TodoDraft => ({ content, status });

describe('the todo store', () => {
  it('S3.todo: deletes several in one step, so that one undo brings all of them back', () => {
    const { store, shown } = setUp();
    const [a, , c] = ['A', 'B', 'C'].map((text) => store.add(P, text));
    assert.equal(store.remove(P, a ?? '', c ?? '', 'gone'), true);
    assert.deepEqual(shown(), ['B pending']);
    assert.equal(store.undo(P), true);
    assert.deepEqual([...shown()].sort(), ['A pending', 'B pending', 'C pending']);
  });

  it('S3.todo: lets the user add, edit, tick, order and delete, and tells listeners and history', () => {
    const { store, shown } = setUp();
    const heard: TodoChange[] = [];
    const subscription = store.onDidChange((change) => heard.push(change));
    const a = store.add(P, 'A');
    const b = store.add(P, ' B ', { priority: 'high' });
    store.add(P, 'C', { afterId: a });
    store.edit(P, b, { content: 'B2', blockedBy: [a], priority: null });
    store.setStatus(P, a, 'completed');
    assert.equal(store.move(P, b, -1), true);
    assert.deepEqual(shown(), ['A completed', 'B2 pending', 'C pending']);
    assert.equal(store.move(P, a, -1), false);
    assert.equal(store.remove(P, a), true);
    assert.equal(store.remove(P, a), false);
    assert.deepEqual(store.items(P)[0], { id: b, content: 'B2', activeForm: 'B2', status: 'pending' });
    assert.deepEqual(
      store.history(P).map((entry) => entry.what.map((one) => worded(one)).join('; ')),
      [
        'unblocked `B2`; deleted `A`',
        'reordered the list: `A`, `B2`, `C`',
        'completed `A`',
        'renamed `B` to `B2`; set the priority of `B2` to none; made `B2` wait for `A`',
        'added `C`',
        'added `B`',
        'added `A`',
      ],
    );
    assert.deepEqual([heard.length, heard[0]], [7, { profileId: P, by: 'user' }]);
    assert.throws(() => store.add(P, ' \t'), /white space/);
    subscription.dispose();
  });

  it('takes back and repeats changes of both sides', () => {
    const { store, agent, shown } = setUp();
    agent([draft('A', 'in_progress')]);
    store.add(P, 'B');
    agent([draft('A', 'completed'), draft('B', 'in_progress')]);
    const states = [shown()];
    while (store.undo(P)) states.push(shown());
    assert.deepEqual(states, [['A completed', 'B in_progress'], ['A in_progress', 'B pending'], ['A in_progress'], []]);
    assert.deepEqual([store.canUndo(P), store.canRedo(P)], [false, true]);
    const again: (readonly string[])[] = [];
    while (store.redo(P)) again.push(shown());
    assert.deepEqual(again, [['A in_progress'], ['A in_progress', 'B pending'], ['A completed', 'B in_progress']]);
    store.clearCompleted(P);
    assert.deepEqual([shown(), store.canRedo(P)], [['B in_progress'], false]);
  });

  it('keeps the user’s version where both changed the same thing, and says so', () => {
    const { store, agent, shown } = setUp();
    agent([draft('A', 'in_progress'), draft('B'), draft('C')]);
    const [a = '', b = '', c = ''] = store.items(P).map((item) => item.id);
    store.setStatus(P, a, 'completed');
    store.edit(P, b, { content: 'B by the user' });
    store.remove(P, c);
    const written = agent([
      { id: a, content: 'A', status: 'pending' },
      { id: b, content: 'B by the agent', status: 'in_progress' },
      { id: c, content: 'C', status: 'completed' },
      draft('D'),
    ]);
    assert.deepEqual(shown(), ['A completed', 'B by the user in_progress', 'D pending']);
    assert.deepEqual(written.conflicts.length, 4);
    assert.deepEqual(written.userEdits, ['completed `A`', 'renamed `B` to `B by the user`', 'deleted `C`']);
  });

  it('keeps what the user changed although the agent left it out, and the user’s order', () => {
    const { store, agent, shown } = setUp();
    agent([draft('A', 'in_progress'), draft('B'), draft('C')]);
    const [a = '', b = ''] = store.items(P).map((item) => item.id);
    store.moveTo(P, a, 2);
    store.edit(P, b, { priority: 'high' });
    const written = agent([draft('A', 'in_progress'), draft('C'), draft('D')]);
    assert.deepEqual(shown(), ['B pending', 'C pending', 'D pending', 'A in_progress']);
    assert.deepEqual(written.conflicts, ['you left out `B`, but the user changed it meanwhile, so it stays']);
  });

  it('S3.todo: 1,000 random concurrent edits by agent and user lose nothing', () => {
    const status = fc.constantFrom<TodoStatus>('pending', 'in_progress', 'completed');
    const edit = fc.record({
      kind: fc.constantFrom('add', 'remove', 'status', 'rename', 'move'),
      at: fc.nat(7),
      status,
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 6 }),
        fc.array(edit, { maxLength: 6 }),
        fc.array(edit, { maxLength: 6 }),
        (size, byUser, byAgent) => {
          const { store, agent } = setUp();
          agent(Array.from({ length: size }, (_, index) => draft(`task ${index}`)));
          const base = store.items(P);
          // Both start from the same list; the agent edits its own copy.
          let copy: TodoItem[] = [...base];
          byAgent.forEach((one, index) => {
            const at = one.at % Math.max(1, copy.length);
            const item = copy[at];
            if (one.kind === 'add' || !item)
              copy.push({ id: `agent${index}`, content: `agent's ${index}`, activeForm: '', status: one.status });
            else if (one.kind === 'remove') copy = copy.toSpliced(at, 1);
            else if (one.kind === 'move') copy = [...copy.toSpliced(at, 1), item];
            else
              copy[at] =
                one.kind === 'status'
                  ? { ...item, status: one.status }
                  : { ...item, content: `${item.content} (agent ${index})` };
          });
          byUser.forEach((one, index) => {
            const item = store.items(P)[one.at % Math.max(1, store.items(P).length)];
            if (one.kind === 'add' || !item) store.add(P, `user's ${index}`);
            else if (one.kind === 'remove') store.remove(P, item.id);
            else if (one.kind === 'move') store.move(P, item.id, 1);
            else if (one.kind === 'status') store.setStatus(P, item.id, one.status);
            else store.edit(P, item.id, { content: `${item.content} (user ${index})` });
          });
          const users = store.items(P);
          const written = agent(copy.map(({ id, content, status: s }) => ({ id, content, status: s })));
          const find = (list: readonly TodoItem[], id: string): TodoItem | undefined =>
            list.find((item) => item.id === id);
          const ids = new Set([...base, ...users, ...copy].map((item) => item.id));
          for (const id of ids) {
            const [was, user, own, now] = [find(base, id), find(users, id), find(copy, id), find(written.items, id)];
            const told = written.conflicts.some((text) => was !== undefined && text.includes(`\`${was.content}\``));
            if (!was) {
              assert.ok(now, 'what either side added stays');
              continue;
            }
            if (!user) {
              assert.equal(now, undefined, 'what the user deleted stays deleted');
              if (own && (own.content !== was.content || own.status !== was.status))
                assert.ok(told, 'a lost change of the agent is told');
              continue;
            }
            const userChanged = user.content !== was.content || user.status !== was.status;
            if (!own) {
              assert.equal(now !== undefined, userChanged, 'the agent deletes only what the user left alone');
              if (userChanged) assert.ok(told);
              continue;
            }
            for (const field of ['content', 'status'] as const) {
              const expected: string = user[field] === was[field] ? own[field] : user[field];
              assert.equal(now?.[field], expected, `${field}: the side that changed it wins, the user where both did`);
              if (user[field] !== was[field] && own[field] !== was[field] && own[field] !== user[field])
                assert.ok(told);
            }
          }
          assert.equal(new Set(written.items.map((item) => item.id)).size, written.items.length);
          // The user can take the agent's write back and has the list as it was.
          if (
            store.items(P) !== users &&
            store.revision(P) > 0 &&
            JSON.stringify(written.items) !== JSON.stringify(users)
          ) {
            store.undo(P);
            assert.deepEqual(store.items(P), users);
          }
          store.dispose();
        },
      ),
      { numRuns: runs(24, 1000) },
    );
  });

  it('S3.todo: a reload keeps the list, the history, undo and what the agent has not heard', async () => {
    const storage = new MemoryStore();
    const first = setUp(storage);
    first.agent([draft('A', 'in_progress'), draft('B')]);
    first.store.add(P, 'C', { priority: 'low' });
    await first.store.flush();
    const second = setUp(storage);
    assert.deepEqual(second.store.items(P), first.store.items(P));
    assert.deepEqual(second.store.history(P), first.store.history(P));
    assert.deepEqual(second.store.read(P, 'agent').userEdits, ['added `C`']);
    assert.deepEqual([second.store.undo(P), second.shown()], [true, ['A in_progress', 'B pending']]);
  });

  it('S3.todo: the history is told in the language of who reads it', async () => {
    const storage = new MemoryStore();
    const before = setUp(storage);
    const a = before.store.add(P, 'A');
    before.store.edit(P, a, { priority: 'high', blockedBy: [before.store.add(P, 'B')] });
    before.store.edit(P, a, { priority: null, content: 'A2', blockedBy: [] });
    before.agent([
      { id: a, content: 'A2', activeForm: 'Doing A', status: 'in_progress' },
      draft('C', 'completed'),
      draft('D', 'in_progress'),
    ]);
    before.store.setStatus(P, a, 'completed');
    before.store.setStatus(P, a, 'pending');
    before.store.moveTo(P, a, 2);
    before.store.remove(P, a);
    await before.store.flush();
    const { store } = setUp(storage);
    const told = store.history(P).flatMap(({ what }) => what.map((one) => worded(one, inGerman)));
    assert.ok(told.length >= 12, told.join('\n'));
    assert.doesNotMatch(told.join('\n'), /UNTRANSLATED|added|deleted|priority|undefined/);
    assert.ok(told.includes('Priorität von `A` auf hoch gesetzt'), told.join('\n'));
  });

  it('nothing lost: keeps a damaged list aside and reports it, and reports a storage that fails', async () => {
    const storage = new MemoryStore();
    await storage.set(`todos/${P}`, { revision: 'x' });
    const { store, logged } = setUp(storage);
    assert.deepEqual(store.items(P), []);
    store.add(P, 'A');
    await store.flush();
    assert.deepEqual([storage.get(`todos/${P}/damaged`), logged.length], [{ revision: 'x' }, 1]);
    const failing = setUp(Object.assign(new MemoryStore(), { set: () => Promise.reject(new Error('disk full')) }));
    failing.store.add(P, 'A');
    await failing.store.flush();
    assert.deepEqual(
      [failing.shown(), failing.logged],
      [['A pending'], ['the todo list could not be saved: Error: disk full']],
    );
  });

  it('bounds the list and what is kept of the past', () => {
    const { store, agent } = setUp();
    assert.throws(() => agent(Array.from({ length: 201 }, (_, index) => draft(`${index}`))), /at most 200/);
    agent(Array.from({ length: 200 }, (_, index) => draft(`${index}`)));
    assert.throws(() => store.add(P, 'one more'), /at most 200/);
    const [first = ''] = store.items(P).map((item) => item.id);
    for (let index = 0; index < 300; index++) store.edit(P, first, { content: `edit ${index}` });
    let undone = 0;
    while (store.undo(P)) undone++;
    assert.deepEqual([undone > 10, undone <= 50, store.history(P).length], [true, true, 200]);
  });

  it('exports markdown that no task text can break out of', () => {
    const { store, agent } = setUp();
    agent([
      draft('Test *all*\n# now', 'completed'),
      { content: 'Ship <b>', status: 'in_progress', priority: 'high', blockedBy: ['Test *all*\n# now'] },
    ]);
    assert.equal(
      todosToMarkdown('Todos', store.items(P), plainWords),
      '# Todos\n\n1 of 2 done\n\n- [x] Test \\*all\\* \\# now\n- [ ] Ship \\<b\\> *(in progress; high priority; waits for Test \\*all\\* \\# now)*\n',
    );
    const german = todosToMarkdown('Todos', store.items(P), inGerman);
    assert.match(german, /\n1 von 2 erledigt\n/);
    assert.match(german, /\(in Arbeit; hohe Priorität; wartet auf Test/);
  });
});
