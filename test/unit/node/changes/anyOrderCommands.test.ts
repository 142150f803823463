// @tier full: starts programs
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
