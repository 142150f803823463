// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { oneHistory, parts, type System } from '../../../support/anyOrder';
import { makeChanges } from '../../../support/changes';
import { runs } from '../../../support/counts';
import { gitCheckpoints } from '../../../../src/node/changes/checkpoints/checkpoints';
import { capabilityOf, definition } from '../../../support/gate';
import { doPersons, nextStepWithCommands, type PersonsStep, treeOf as wholeTree } from '../../../support/histories';

/** A system whose agents run commands too; what these do is found by checkpoints. */
function makeWatched(): System {
  const system: System = makeChanges({
    settings: { 'changes.checkpoints': true },
    capabilities: [
      capabilityOf(
        definition({
          name: 'run_it',
          sideEffects: ['system.exec'],
          inputSchema: { type: 'object', properties: { does: { type: 'array' } }, required: ['does'] },
        }),
        {
          accesses: () => [{ effect: 'system.exec', resource: 'make all' }],
          run: async (input: { does: readonly PersonsStep[] }) => {
            for (const one of input.does) doPersons(system.workspace.root, one);
            return { payload: {} };
          },
        },
        { id: 'programs', source: { type: 'definition', file: 'x' } },
      ),
    ],
    checkpoints: (storage) => gitCheckpoints({ storage, environment: process.env, keepsSecrets: () => false }),
  });
  return system;
}

/** Permissions of folders are no part of checkpoints. */
const withoutFolderModes: typeof wholeTree = (root) =>
  Object.fromEntries(
    Object.entries(wholeTree(root)).map(([name, what]) => [name, what.startsWith('folder ') ? 'folder' : what]),
  );

describe('Taking back a command that changed permissions', () => {
  it('D.undo: leaves what later calls changed and changed back', async () => {
    const { dispose, workspace, ok, undo, history } = makeWatched();
    workspace.put({ 'a.sh': 'a' });
    const before = wholeTree(workspace.root);
    for (const mode of [0o755, 0o700, 0o755, 0o644])
      await ok('run_it', { does: [{ kind: 'mode', path: 'a.sh', mode }] });
    const [first, , , last] = (await history()).changes;
    const refused = async (): Promise<Record<string, string>> => {
      assert.equal(((await undo({ call: first?.call }))['conflicts'] as unknown[]).length, 1);
      return wholeTree(workspace.root);
    };
    // As it was before all of them, and then as the first had left it.
    assert.deepEqual(await refused(), before);
    await undo({ call: last?.call });
    assert.deepEqual(await refused(), { 'a.sh': 'file 755 a' });
    await undo({ all: true });
    assert.deepEqual(wholeTree(workspace.root), before);
    dispose();
  });
});

describe('Taking back some of the calls of any history with commands, in any order', () => {
  // A command costs two looks of several processes each.
  const count = runs(8, 200, 4000) / parts.length;
  for (const part of parts)
    it(`D.undo: leaves what would be there without them or says what is in the way, loses nothing of a person, and a redo leads back (part ${part + 1})`, async () => {
      const [system, other] = [makeWatched(), makeWatched()];
      const found = { equal: 0, told: 0, undefined: 0 };
      const looks = { stepOf: nextStepWithCommands, treeOf: withoutFolderModes };
      for (let at = 1; at <= count; at++) found[await oneHistory(part * 100_000 + at, system, other, looks)]++;
      system.dispose();
      other.dispose();
    });
});
