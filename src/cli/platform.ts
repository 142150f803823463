import { Emitter } from '../core/base/event';
import type { Log } from '../core/ports';
import type { Problem } from '../core/problem';
import { compose, type Core } from '../compose';
import { readSettings, type Settings } from '../core/settings';
import { AuditService, auditSettings } from '../node/audit/auditService';
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
  const auditDir = args.value('audit-dir');
  const audit = auditDir === undefined ? undefined : await openAudit(auditDir, readSettings(layers), io);
  const core = compose({
    clock: systemClock,
    crypto: nodeCrypto,
    log,
    secrets: environmentSecrets(io.environment),
    storage: memoryStore(),
    settings: { read: () => layers, onDidChange: changed.event },
    approvals: commandLineDesk(args.has('yes')),
    audit: audit ?? { record() {} },
  } as never);
  const profile = args.value('profile');
  const problem = profile === undefined ? undefined : core.profiles.activate(profile);
  if (problem) {
    core.dispose();
    audit?.dispose();
    throw new UsageError(problem.message);
  }
  return {
    core,
    folder,
    problems,
    async close() {
      core.dispose();
      await audit?.flush();
      audit?.dispose();
      changed.dispose();
    },
  };
}

/** The key of a chained log comes from the environment, where a pipeline keeps its secrets. */
export const auditKeyVariable = 'AGENT_CAPABILITIES_AUDIT_KEY';

/** Writes the same record as the editor does. The rules that find secrets are loaded first: the process makes one call and ends. */
async function openAudit(dir: string, settings: Settings, io: CliIo): Promise<AuditService> {
  const key = io.environment[auditKeyVariable];
  const audit = new AuditService({
    dir,
    settings: () => auditSettings((name) => settings.get(name)),
    ...(key === undefined ? {} : { key: Buffer.from(key, 'utf8') }),
    onProblem: (message) => io.error(message),
    version: '1',
  });
  await audit.loadRules();
  return audit;
}
