import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { Capability } from '../../src/core/capability/capability';
import { gitCheckpoints } from '../../src/node/changes/checkpoints/checkpoints';
import { makeChanges } from './changes';
import { capabilityOf, definition } from './gate';

/** A tool that does what a test says, as a program does: our files hear nothing of it. */
export function program(
  run: () => Promise<void> | void,
  source: Capability['source'] = { type: 'definition', file: 'x' },
) {
  return capabilityOf(
    definition({ name: 'run_it', sideEffects: ['system.exec'] }),
    {
      accesses: () => [{ effect: 'system.exec', resource: 'make all' }],
      run: async () => {
        await run();
        return { payload: { done: true } };
      },
    },
    { id: 'programs', source },
  );
}

/** A workspace with checkpoints, in which that tool runs. */
export function start(
  run: (root: string) => Promise<void> | void,
  options: { environment?: NodeJS.ProcessEnv; source?: Capability['source'] } = {},
) {
  const { environment = process.env, source } = options;
  const made = makeChanges({
    settings: { 'changes.checkpoints': true },
    capabilities: [program(() => run(made.workspace.root), source)],
    checkpoints: (storage) => gitCheckpoints({ storage, environment, keepsSecrets: () => false }),
  });
  return made;
}

/** Every place of a tree with its content and permission bits, what git keeps for itself left out. */
export function treeOf(root: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(path.join(root, below), { withFileTypes: true })) {
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (name === '.git') continue;
    const at = path.join(root, name);
    if (entry.isDirectory()) Object.assign(found, { [`${name}/`]: '' }, treeOf(root, name));
    else if (entry.isSymbolicLink()) found[name] = `-> ${readlinkSync(at)}`;
    else found[name] = `${(lstatSync(at).mode & 0o777).toString(8)} ${readFileSync(at).toString('base64')}`;
  }
  return found;
}

/** What was found to have changed, and what of it is not kept. */
export const rowsOf = async (made: ReturnType<typeof makeChanges>) =>
  (await made.history()).changes
    .filter((one) => one.reverts === undefined)
    .map((one) => [one.action, one.path, one.notKept ?? 'kept']);
