import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { GateCall } from '../../../src/core/call/gateCall';
import type { GateDependencies } from '../../../src/core/gate/dependencies';
import { foresee } from '../../../src/core/gate/foresee';
import { fakeCall } from '../../support/gateCall';
import { fakePorts } from '../../support/toolContext';
import { openSystem } from '../../support/system';

const files = { 'a.txt': 'one\ntwo\n', '.env': 'SECRET=abc\n', 'secret.txt': 'hidden words\n' };
const edit = (path_: string, old_text: string, more: object = {}): Record<string, unknown> => ({
  path: path_,
  edits: [{ old_text, new_text: 'x' }],
  ...more,
});

/**
 * Runs a call where nobody would allow anything; answers its result, whether a person was asked, and the audit's types.
 */
async function called(tool: string, input: unknown, user: Record<string, unknown> = {}) {
  const system = await openSystem({ files, user });
  const result = await system.call(tool, input);
  const types = system.events.map((event) => event.type);
  const content = readFileSync(path.join(system.folder, 'a.txt'), 'utf8');
  await system.dispose();
  const code = result.success ? 'success' : result.error.code;
  return {
    code,
    message: result.success ? '' : result.error.message,
    asked: types.includes('approval.asked'),
    types,
    content,
  };
}

describe('a call that cannot succeed', () => {
  it('is answered with the reason before a person is asked, and nothing is run', async () => {
    const cases: readonly (readonly [string, object, string])[] = [
      ['edit_file', edit('a.txt', 'three'), 'no_match'],
      ['edit_file', edit('a.txt', 'o', {}), 'no_match'],
      ['edit_file', edit('a.txt', 'one', { expected_hash: 'sha256:0000000000000000' }), 'conflict'],
      ['edit_file', edit('missing.txt', 'one'), 'not_found'],
      ['write_file', { path: 'a.txt', content: 'x', mode: 'create' }, 'already_exists'],
      ['write_file', { path: 'a.txt', content: 'x', expected_hash: 'sha256:0000000000000000' }, 'conflict'],
    ];
    for (const [tool, input, code] of cases) {
      const seen = await called(tool, input);
      assert.deepEqual([seen.code, seen.asked, seen.content], [code, false, files['a.txt']], JSON.stringify(input));
      assert.deepEqual(seen.types, ['invocation.started', 'invocation.finished'], JSON.stringify(input));
    }
  });

  it('is asked about all the same where it could succeed', async () => {
    const seen = await called('edit_file', edit('a.txt', 'one'));
    assert.deepEqual([seen.code, seen.asked, seen.content], ['approval_unavailable', true, files['a.txt']]);
  });

  it('tells nothing of a file that may not be read without asking', async () => {
    const boundaries = [
      { id: 'hide', match: { accessAny: ['fs.*'], path: 'secret.txt' }, decision: 'ask', reason: 'it is private' },
    ];
    const seen = await called('edit_file', edit('secret.txt', 'hidden word!'), { policy: { boundaries } });
    assert.equal(seen.asked, true);
    assert.doesNotMatch(seen.message, /hidden words/);
    const env = await called('edit_file', edit('.env', 'SECRET=abd'));
    assert.doesNotMatch(env.message, /abc/);
  });
});

describe('a dry run of an edit', () => {
  it('only reads, so that nobody is asked', async () => {
    const seen = await called('edit_file', edit('a.txt', 'one', { dry_run: true }));
    assert.deepEqual([seen.code, seen.asked, seen.content], ['success', false, files['a.txt']]);
  });

  it('is asked about where reading is', async () => {
    const boundaries = [
      { id: 'hide', match: { accessAny: ['fs.read'], path: 'secret.txt' }, decision: 'ask', reason: 'it is private' },
    ];
    const seen = await called('edit_file', edit('secret.txt', 'hidden', { dry_run: true }), { policy: { boundaries } });
    assert.deepEqual([seen.code, seen.asked], ['approval_unavailable', true]);
  });
});

describe('whether a call can be undone', () => {
  it('D.undo: is what was found out, and what goes to the trash comes back from there though no copy is kept', async () => {
    const foreseen = async (kept: 'possible' | 'never' | undefined, claimed: 'from-trash' | 'never' | undefined) => {
      const call = fakeCall({ tool: 'delete_file' });
      const load = async () => ({ preview: async () => ({ ...(claimed ? { undo: claimed } : {}) }) });
      const gate = { ports: fakePorts(), changes: { undoOf: async () => kept } };
      const seen = await foresee(
        gate as unknown as GateDependencies,
        { ...call, tool: { ...call.tool, load } } as unknown as GateCall,
        [],
        [],
      );
      return 'undo' in seen ? seen.undo : undefined;
    };
    assert.equal(await foreseen('possible', 'from-trash'), 'possible');
    assert.equal(await foreseen('possible', 'never'), 'possible');
    assert.equal(await foreseen('never', 'from-trash'), 'from-trash');
    assert.equal(await foreseen('never', 'never'), 'never');
    assert.equal(await foreseen('never', undefined), 'never');
    assert.equal(await foreseen(undefined, 'from-trash'), 'from-trash');
    assert.equal(await foreseen(undefined, undefined), undefined);
  });
});
