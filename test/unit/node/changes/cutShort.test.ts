import { strict as assert } from 'node:assert';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { Change } from '../../../../src/core/ports/changes';
import { nodeCrypto } from '../../../../src/node/system';
import { makeChanges } from '../../../support/changes';

type System = ReturnType<typeof makeChanges>;
type Made = Pick<Change, 'path' | 'action' | 'before' | 'after'> & Partial<Change>;

const bytes = Buffer.from('text');
const file = (mode?: number) =>
  ({
    kind: 'file',
    hash: nodeCrypto.sha256(bytes),
    size: bytes.length,
    ...(mode === undefined ? {} : { mode }),
  }) as const;
const nothing = { kind: 'nothing' } as const;

/** Keeps a change as a process does that is killed before it could say how it ended. */
function keep({ store, workspace }: System, id: string, made: Made): void {
  const place = { scheme: 'file', root: workspace.root };
  const by = { call: id, tool: 'tool', actor: { type: 'agent', id: 'copilot' }, profile: 'default' } as const;
  const to = made.to && { to: { ...place, path: made.to.path } };
  store.append([{ type: 'change', id, time: 1, ...place, ...by, ...made, ...to }], [{ hash: file().hash, bytes }]);
}

describe('Taking back what a kill cut short', () => {
  it('D.undo: brings back permissions whose taking back was cut short before it was done', async () => {
    const system = makeChanges();
    const { workspace, store, undo, dispose } = system;
    workspace.put({ 'run.sh': 'text' });
    chmodSync(workspace.at('run.sh'), 0o755);
    keep(system, 'change', { path: 'run.sh', action: 'write', before: file(0o644), after: file(0o755) });
    store.append([{ type: 'ended', id: 'change' }]);
    const reverts = {
      path: 'run.sh',
      action: 'write',
      before: file(0o755),
      after: file(0o644),
      reverts: 'change',
    } as const;
    keep(system, 'taking back', reverts);
    assert.equal((await undo({ call: 'change' }))['taken_back'], 1);
    assert.equal(statSync(workspace.at('run.sh')).mode & 0o777, 0o644);
    dispose();
  });

  it('D.undo: takes a new file away where a later move of it was cut short before it was done', async () => {
    const system = makeChanges();
    const { workspace, undo, dispose } = system;
    workspace.put({ 'a.txt': 'text' });
    keep(system, 'made', { path: 'a.txt', action: 'write', before: nothing, after: file() });
    const place = { scheme: 'file', root: workspace.root, path: 'b.txt' };
    keep(system, 'moved', { path: 'a.txt', action: 'move', to: place, before: file(), after: nothing });
    await undo({ all: true });
    assert.equal(existsSync(workspace.at('a.txt')), false);
    dispose();
  });

  it('D.undo: a move takes nothing along that a person put where several others stood and went meanwhile', async () => {
    const system = makeChanges();
    const { workspace, ok, undo, history, dispose } = system;
    workspace.put({ 'a.txt': 'moved' });
    const gone = (): void => rmSync(workspace.at('b.txt'));
    await ok('move_file', { source: 'a.txt', destination: 'b.txt' });
    gone();
    await ok('write_file', { path: 'b.txt', content: 'one' });
    gone();
    await ok('write_file', { path: 'b.txt', content: 'other' });
    const calls = [...new Set((await history()).changes.map(({ call }) => call))];
    await undo({ call: calls.at(-1) });
    writeFileSync(workspace.at('b.txt'), 'of the person');
    assert.equal((await undo({ call: calls[0] }))['taken_back'], 0);
    assert.equal(readFileSync(workspace.at('b.txt'), 'utf8'), 'of the person');
    dispose();
  });
});
