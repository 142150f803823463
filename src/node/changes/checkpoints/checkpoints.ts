import { createHash } from 'node:crypto';
import { access, constants, statfs } from 'node:fs/promises';
import path from 'node:path';
import { lazy } from '../../../core/base/lazy';
import type { Checkpoint, Checkpoints, Difference, KeptState } from '../../../core/ports/checkpoints';
import { nearestThere } from '../../folders/quietly';
import { storageSaid } from '../storage';
import { mostFileBytes, type UsualModes } from './candidates';
import { CheckpointFolder } from './checkpointFolder';
import { changesIgnored, differing } from './differing';
import { stateOf, withFolders } from './differences';
import { findGit, gitFor } from './git';
import { withMoves } from './moves';

/** Contents that are handed over at once, in bytes. */
const groupBytes = 16_000_000;

type TakenFolder = Checkpoint['folders'][number];

interface CheckpointOptions {
  /** A private folder for all that is kept; another one is used for each folder of the workspace. */
  readonly storage: string;
  readonly environment: NodeJS.ProcessEnv;
  /** True where files of secrets are taken in too. */
  readonly keepsSecrets: () => boolean;
}

/** Checkpoints that git writes, with objects and an index of our own: the workspace's repository is not looked at. */
export function gitCheckpoints({ storage, environment, keepsSecrets }: CheckpointOptions): Checkpoints {
  const folders = new Map<string, CheckpointFolder>();
  const mask = process.umask();
  const usual: UsualModes = { file: 0o666 & ~mask, program: 0o777 & ~mask };
  let roots: readonly string[] = [];
  const command = lazy(() => findGit(environment, roots));
  let openTakes = 0;

  const folderOf = async (root: string): Promise<CheckpointFolder> => {
    const git = await command();
    // What once may have been taken in with secrets is not used where they may not be.
    const key = createHash('sha256').update(`${keepsSecrets()}\0${root}`).digest('hex').slice(0, 32);
    const known = folders.get(key);
    if (known) return known;
    const made = new CheckpointFolder(
      path.join(storage, key),
      root,
      (gitFolder) => gitFor(git, { environment, gitFolder, workTree: root }),
      usual,
    );
    folders.set(key, made);
    return made;
  };

  return {
    async fault(wanted) {
      roots = wanted;
      try {
        await command();
        await checkRoom(storage);
        return undefined;
      } catch (error) {
        return storageSaid(error);
      }
    },

    async take({ roots: wanted, isSecret, mayForget, signal, onProgress = () => undefined }) {
      roots = wanted;
      const time = Date.now();
      const taken: TakenFolder[] = [];
      openTakes++;
      try {
        for (const root of wanted) {
          const folder = await folderOf(root);
          taken.push(
            await folder.take({
              isSecret: (name) => isSecret(root, name),
              mayForget: mayForget && openTakes === 1,
              signal,
              onProgress,
            }),
          );
        }
      } finally {
        openTakes--;
      }
      return { time, folders: taken };
    },

    async between(before, after, signal) {
      const all: Difference[] = [];
      for (const one of before.folders) {
        const other = after.folders.find(({ root }) => root === one.root);
        if (!other) continue;
        const git = await folderOf(one.root);
        all.push(...(await differencesIn(git, one, other, { usual, from: before.time, signal })));
      }
      return all;
    },

    async stateAt(checkpoint, root, name, signal): Promise<KeptState> {
      const kept = checkpoint.folders.find((one) => one.root === root);
      if (!kept) return { kind: 'nothing' };
      const left = kept.uncovered[name];
      if (left) return { kind: 'file', size: left.size, notKept: left.why };
      const [entry] = await (await folderOf(root)).entriesIn(kept.tree, [name], signal);
      if (entry?.type === 'tree') return { kind: 'folder' };
      return stateOf({ mode: entry?.mode ?? '', id: entry?.id ?? '' }, kept.modes[name], usual);
    },

    async *contents(root, ids, most, signal) {
      const folder = await folderOf(root);
      for (const group of await groupsOf(folder, ids, most, signal)) yield await read(folder, group, signal);
    },
  };
}

/** What is otherwise in one folder of the workspace, with its moves and the folders that came and went. */
async function differencesIn(
  git: CheckpointFolder,
  before: TakenFolder,
  after: TakenFolder,
  options: { readonly usual: UsualModes; readonly from: number; readonly signal: AbortSignal },
): Promise<readonly Difference[]> {
  const found = await differing(git, before, after, options);
  const bare = [...(before.folders ?? []), ...(after.folders ?? [])];
  return withFolders(withMoves(found, bare), {
    root: before.root,
    before,
    after,
    from: options.from,
    isOtherwise: changesIgnored(found),
    wereFolders: (paths) => git.foldersIn(before.tree, paths, options.signal),
  });
}

/** The objects that are no larger than `most`, in groups that are handed over at once. */
async function groupsOf(
  folder: CheckpointFolder,
  ids: Iterable<string>,
  most: number,
  signal: AbortSignal,
): Promise<readonly (readonly string[])[]> {
  const wanted = [...new Set(ids)];
  const lines = (await folder.run(['cat-file', '--batch-check'], signal, `${wanted.join('\n')}\n`)).toString();
  const groups: string[][] = [];
  let bytes = Infinity;
  for (const line of lines.split('\n')) {
    const [, id, size] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? [];
    if (id === undefined || Number(size) > most) continue;
    if (bytes + Number(size) > groupBytes) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(id);
    bytes += Number(size);
  }
  return groups;
}

/** Throws where nothing can be written, or not even the largest file that is taken in. */
async function checkRoom(storage: string): Promise<void> {
  const there = nearestThere(storage);
  await access(there, constants.W_OK);
  const { bavail, bsize } = await statfs(there);
  if (bavail * bsize < mostFileBytes) throw Object.assign(new Error(), { code: 'ENOSPC' });
}

async function read(
  folder: CheckpointFolder,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const output = await folder.run(['cat-file', '--batch'], signal, `${ids.join('\n')}\n`);
  const found = new Map<string, Uint8Array>();
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(10, at);
    const [, id, size] = /^([0-9a-f]+) blob (\d+)$/.exec(output.toString('latin1', at, end)) ?? [];
    if (end < 0 || id === undefined) break;
    const from = end + 1;
    found.set(id, new Uint8Array(output.subarray(from, from + Number(size))));
    at = from + Number(size) + 1;
  }
  return found;
}
