import { strict as assert } from 'node:assert';
import { todoList } from '../../../../src/capabilities/todoList/todoList';
import { TodoStore } from '../../../../src/core/todos/store';
import { callTool, FakeClock, fakePorts, MemoryStore } from '../../../support/toolContext';

const log = { warn() {}, error() {} };
const setUp = () => {
  const storage = new MemoryStore();
  const store = new TodoStore({ storage, clock: new FakeClock(), log });
  const ports = fakePorts({ todos: store, storage });
  const call = async (name: string, input: unknown, profileId = 'default') => {
    const result = await callTool(todoList, name, input, { ports, profileId });
    return (result.ok ? result.outcome.payload : result.error) as Record<string, any>;
  };
  return { store, call, storage };
};

const todo = (content: string, status?: string) => ({
  content,
  activeForm: `${content}ing`,
  ...(status ? { status } : {}),
});

describe('write_todos', () => {
  it('S3.todo: answers with success, counts and the validated list', async () => {
    const { call } = setUp();
    const todos = [todo('Test', 'completed'), todo('Fix', 'in_progress'), todo('Write', 'pending')];
    assert.deepEqual(await call('write_todos', { todos }), {
      success: true,
      counts: { total: 3, pending: 1, in_progress: 1, completed: 1 },
      todos: [
        { id: 't1', content: 'Test', activeForm: 'Testing', status: 'completed' },
        { id: 't2', content: 'Fix', activeForm: 'Fixing', status: 'in_progress' },
        { id: 't3', content: 'Write', activeForm: 'Writeing', status: 'pending' },
      ],
      revision: 1,
    });
  });

  it('S3.todo: warns when nothing is in progress while tasks are pending, and when several are', async () => {
    const { call } = setUp();
    assert.deepEqual(
      [
        (await call('write_todos', { todos: [todo('A', 'pending')] }))['warnings'],
        (await call('write_todos', { todos: [todo('A', 'in_progress'), todo('B', 'in_progress')] }))['warnings'],
        (await call('write_todos', { todos: [todo('A', 'completed')] }))['warnings'],
        (await call('write_todos', { todos: [] }))['warnings'],
      ],
      [
        ['no task is in_progress while 1 is pending; mark the one you work on'],
        ['2 tasks are in_progress; exactly one should be'],
        undefined,
        undefined,
      ],
    );
  });

  it('S3.todo: replaces the whole list and keeps the ids of what stays', async () => {
    const { call } = setUp();
    await call('write_todos', { todos: [todo('A', 'in_progress'), todo('B')] });
    const second = await call('write_todos', { todos: [todo('B', 'in_progress'), todo('C')] });
    assert.deepEqual(
      second['todos'].map((one: any) => [one.id, one.content]),
      [
        ['t2', 'B'],
        ['t3', 'C'],
      ],
    );
  });

  it('S3.todo: refuses what is no todo list and says what was expected', async () => {
    const { call } = setUp();
    const inputs = [
      {},
      { todos: 'A' },
      { todos: [{}] },
      { todos: [{ content: 'A', status: 'done' }] },
      { todos: [{ content: ' \n' }] },
    ];
    const codes: unknown[] = [];
    for (const input of inputs) codes.push((await call('write_todos', input))['code']);
    assert.deepEqual(
      codes,
      inputs.map(() => 'invalid_input'),
    );
  });

  it('keeps priorities and dependencies, by id or by content, and warns of those that cannot be', async () => {
    const { call } = setUp();
    const answer = await call('write_todos', {
      todos: [
        { content: 'Deploy', status: 'in_progress', blocked_by: ['Test', 'nothing of the kind'], priority: 'high' },
        { content: 'Test', blocked_by: ['d'], id: 'own' },
        { content: 'Document', id: 'd', blocked_by: ['own'] },
      ],
    });
    assert.deepEqual(
      { todos: answer['todos'], warnings: answer['warnings'] },
      {
        todos: [
          {
            id: 't1',
            content: 'Deploy',
            activeForm: 'Deploy',
            status: 'in_progress',
            priority: 'high',
            blocked_by: ['own'],
          },
          { id: 'own', content: 'Test', activeForm: 'Test', status: 'pending', blocked_by: ['d'] },
          { id: 'd', content: 'Document', activeForm: 'Document', status: 'pending', blocked_by: ['own'] },
        ],
        warnings: [
          '`Deploy` is in_progress but blocked by `Test`',
          'tasks block each other in a circle: `Test` -> `Document` -> `Test`',
          'blocked_by names no other task: `nothing of the kind`',
        ],
      },
    );
  });

  it('tells the agent at its next call what the user edited, once, and merges it', async () => {
    const { call, store } = setUp();
    await call('write_todos', { todos: [todo('A', 'in_progress'), todo('B')] });
    store.setStatus('default', 't2', 'completed');
    store.add('default', 'C');
    const second = await call('write_todos', { todos: [todo('A', 'completed'), todo('B', 'pending')] });
    const third = await call('read_todos', {});
    assert.deepEqual(
      [
        second['user_edits'],
        second['todos'].map((one: any) => `${one.content} ${one.status}`),
        third['user_edits'],
        third['conflicts'],
      ],
      [['completed `B`', 'added `C`'], ['A completed', 'B completed', 'C pending'], undefined, undefined],
    );
  });

  it('keeps one list per profile', async () => {
    const { call } = setUp();
    await call('write_todos', { todos: [todo('A', 'in_progress')] }, 'one');
    assert.deepEqual(
      [(await call('read_todos', {}, 'two'))['todos'], (await call('read_todos', {}, 'one'))['counts'].total],
      [[], 1],
    );
  });

  it('refuses a revision that is not kept and takes one that is as the base', async () => {
    const { call, store } = setUp();
    const first = await call('write_todos', { todos: [todo('A', 'in_progress')] });
    store.add('default', 'B');
    await call('read_todos', {});
    const stale = await call('write_todos', { todos: [todo('A', 'completed')], revision: first['revision'] });
    const refused = await call('write_todos', { todos: [], revision: 99 });
    assert.deepEqual(
      [stale['todos'].map((one: any) => one.content), stale['user_edits'], refused['code']],
      [['A', 'B'], ['added `B`'], 'conflict'],
    );
  });
});
