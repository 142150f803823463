import { strict as assert } from 'node:assert';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileSystem } from '../../../src/capabilities/fileSystem/fileSystem';
import { makeGate } from '../../support/gate';
import { fakePorts } from '../../support/toolContext';
import { makeWorkspace, type TestWorkspace } from '../../support/workspace';

let ws: TestWorkspace;
beforeEach(() => {
  ws = makeWorkspace();
});
afterEach(() => ws.dispose());

const text = (name: string): string => readFileSync(ws.at(name), 'utf8');

/** Calls a tool where a person is asked, does something to the files, and then allows the call. */
async function allowedAfter(meanwhile: () => void, tool: string, input: object): Promise<string> {
  const gate = makeGate({
    capabilities: [fileSystem],
    ports: fakePorts({ files: ws.files }),
    answer: () => {
      meanwhile();
      return { outcome: 'allowed', by: 'user', waitedMs: 1 };
    },
  });
  const result = await gate.call(tool, input);
  gate.dispose();
  assert.equal(gate.asked.length, 1);
  return result.success ? 'success' : `${result.error.code}: ${result.error.message}`;
}

describe('what a person allowed', () => {
  it('is what is done: a file that changed while the question stood open is not replaced', async () => {
    ws.put({ 'a.txt': 'before\n' });
    const replaced = { path: 'a.txt', content: 'of the agent\n' };
    const answer = await allowedAfter(() => writeFileSync(ws.at('a.txt'), 'of the user\n'), 'write_file', replaced);
    assert.match(answer, /^conflict: `\/a\.txt` has changed since the user was asked about this change.*read it again/);
    assert.equal(text('a.txt'), 'of the user\n');
    assert.match(await allowedAfter(() => rmSync(ws.at('a.txt')), 'write_file', replaced), /^conflict/);
    assert.match(
      await allowedAfter(() => writeFileSync(ws.at('b.txt'), 'new'), 'write_file', { ...replaced, path: 'b.txt' }),
      /^conflict/,
    );
    assert.equal(text('b.txt'), 'new');
    assert.equal(await allowedAfter(() => undefined, 'write_file', { ...replaced, path: 'b.txt' }), 'success');
    assert.equal(text('b.txt'), 'of the agent\n');
  });

  it('is done where what changed meanwhile is kept: an exact edit of another place, and what is appended', async () => {
    ws.put({ 'a.txt': 'one\ntwo\n' });
    const user = (): void => writeFileSync(ws.at('a.txt'), `${text('a.txt')}of the user\n`);
    assert.equal(
      await allowedAfter(user, 'edit_file', { path: 'a.txt', edits: [{ old_text: 'one', new_text: '1' }] }),
      'success',
    );
    assert.equal(
      await allowedAfter(user, 'write_file', { path: 'a.txt', content: 'end\n', mode: 'append' }),
      'success',
    );
    assert.equal(text('a.txt'), '1\ntwo\nof the user\nof the user\nend\n');
  });
});
