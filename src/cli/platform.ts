import { Emitter } from '../core/base/event';
import type { Log } from '../core/ports';
import type { Problem } from '../core/problem';
import { compose, type Core } from '../compose';
import { environmentSecrets, memoryStore } from '../node/memory';
import { nodeCrypto, systemClock } from '../node/system';
import { type CliArgs, type CliIo, UsageError } from './args';
import { commandLineDesk } from './desk';
import { readLayers, workspaceFolder } from './workspace';

export interface OpenedWorkspace {
  readonly core: Core;
  readonly folder: string;
  readonly problems: readonly Problem[];
  close(): Promise<void>;
}

/** Composes the core over one folder, without an editor. An unknown `--profile` is a usage error that names the nearest ones. */
export async function openWorkspace(args: CliArgs, io: CliIo): Promise<OpenedWorkspace> {
  const folder = workspaceFolder(args);
  const problems: Problem[] = [];
  const layers = readLayers(folder, args, problems);
  const log: Log = { debug() {}, info() {}, warn: (message) => io.error(message), error: (message) => io.error(message) };
  const changed = new Emitter<void>();
  const core = compose({
    clock: systemClock,
    crypto: nodeCrypto,
    log,
    secrets: environmentSecrets(io.environment),
    storage: memoryStore(),
    settings: { read: () => layers, onDidChange: changed.event },
    approvals: commandLineDesk(args.has('yes')),
    audit: { record() {} },
  } as never);
  const profile = args.value('profile');
  const problem = profile === undefined ? undefined : core.profiles.activate(profile);
  if (problem) {
    core.dispose();
    throw new UsageError(problem.message);
  }
  return {
    core,
    folder,
    problems,
    async close() {
      core.dispose();
      changed.dispose();
    },
  };
}
