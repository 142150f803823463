import { lazy } from '../base/lazy';
import type { CallChanges, GateCall } from '../call/gateCall';
import type { Checkpoints } from '../ports/checkpoints';
import type { FileSystem } from '../ports/files';
import type { WorkspaceFolder } from '../ports/workspacePath';
import { changesOutside } from './changesOutside';
import { CheckpointKeeper } from './checkpointKeeper';
import { ChangeKeeper, type KeeperOptions } from './keeper';

interface KeepersOptions extends KeeperOptions {
  /** Opened with the first use; what calls change without our files is not looked for where it is left out. */
  readonly checkpoints: (() => Promise<Checkpoints>) | undefined;
  readonly files: FileSystem;
}

/** Who keeps what calls change through our files, and who finds what they change without. */
export function keepersOf({ checkpoints, ...options }: KeepersOptions): CallChanges {
  const keeper = new ChangeKeeper(options);
  const own: CallChanges = {
    judge: (call) => keeper.judge(call),
    undoOf: (call) => keeper.undoOf(call),
    keep: (call, files, mayLose) => keeper.keep(call, files, mayLose),
  };
  if (!checkpoints) return own;
  const watcher = lazy(async () => new CheckpointKeeper({ ...options, checkpoints: await checkpoints() }));
  const isWatched = (call: GateCall): boolean =>
    options.settings().get('changes.checkpoints') && options.files.folders().some(isOnDisk) && changesOutside(call);
  return {
    ...own,
    async judge(call) {
      const answer = await keeper.judge(call);
      const isOpen = answer.effect === 'pass' && answer.reasons.length === 0;
      return isOpen && isWatched(call) ? (await watcher()).judge(call) : answer;
    },
    undoOf: async (call) =>
      (await keeper.undoOf(call)) ?? (isWatched(call) ? (await watcher()).undoOf(call) : undefined),
    watch: async (call, mayLose) => (isWatched(call) ? (await watcher()).watch(call, mayLose) : undefined),
    watchElsewhere: async (call, mayLose) =>
      isWatched(call) ? (await watcher()).watchElsewhere(call, mayLose) : undefined,
    endedElsewhere: async (id) =>
      watcher().then(
        (one) => one.endedElsewhere(id),
        () => undefined,
      ),
  };
}

const isOnDisk = ({ scheme }: WorkspaceFolder): boolean => scheme === 'file';
