// @tier full: starts programs
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { differingFiles } from '../../../../src/node/changes/checkpoints/workTree';
import { runs } from '../../../support/counts';
import {
  begin,
  doPersons,
  empty,
  nextStepWithCommands,
  type PersonsStep,
  random,
  treeOf,
} from '../../../support/histories';
import { makeWorkspace, type TestWorkspace } from '../../../support/workspace';

/** More held files than one process looks at. */
const many = 1_000_000;

describe('what git tells of a folder', () => {
  let workspace: TestWorkspace;
  before(() => (workspace = makeWorkspace()));
  after(() => workspace.dispose());

  it('D.undo: is the same by one process, as in small folders, and by two: what changed, what is new, and empty tops', async () => {
    const { root, base } = workspace;
    const env = { ...process.env, GIT_DIR: path.join(base, 'git'), GIT_WORK_TREE: root, GIT_OPTIONAL_LOCKS: '0' };
    const run = async (args: readonly string[]): Promise<Buffer> => execFileSync('git', args, { cwd: base, env });
    const found = { known: 0, names: 0, tops: 0 };
    await run(['init', '-q']);
    for (let seed = 1; seed <= runs(20, 150); seed++) {
      const next = random(seed);
      empty(root);
      begin(root, next);
      await run(['add', '-A']);
      const held = treeOf(root);
      for (let step = 0; step < 1 + next(6); step++) {
        const one = nextStepWithCommands(root, next, `${seed}-${step}`);
        const does = one.by === 'person' ? [one.does] : ((one.input['does'] ?? []) as readonly PersonsStep[]);
        for (const each of does) doPersons(root, each);
      }
      const now = treeOf(root);
      const [byOne, byTwo] = [await differingFiles(run, 0), await differingFiles(run, many)];
      const words = JSON.stringify({ seed, held, now, byOne, byTwo });
      assert.deepEqual(new Set(byOne.names), new Set(byTwo.names), words);
      assert.deepEqual(new Set(byOne.tops), new Set(byTwo.tops), words);
      // Two look at times alone: what was written as it was is among theirs.
      const others = byTwo.known.filter((name) => !byOne.known.includes(name));
      assert.deepEqual(
        others.filter((name) => held[name] !== now[name]),
        [],
        words,
      );
      assert.deepEqual(
        byOne.known.filter((name) => !byTwo.known.includes(name)),
        [],
        words,
      );
      for (const kind of ['known', 'names', 'tops'] as const) found[kind] += byOne[kind].length;
    }
    assert.ok(Math.min(...Object.values(found)) >= 5, JSON.stringify(found));
  });
});
