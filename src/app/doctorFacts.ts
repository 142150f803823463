import { statSync } from 'node:fs';
import path from 'node:path';
import { failureSaid } from '../core/definitions/channelPoller';
import type { DoctorFacts } from '../core/explain/doctor';
import type { AgentProtection } from '../core/protection/meter';
import type { Core } from './compose';

/** The bundles of an installation, and what they load by its name. */
const parts = [
  'extension.js',
  'cli.js',
  'hook.js',
  'hookMain.js',
  'worker.js',
  'sandboxWorker.js',
  'sqliteProcess.js',
  'quickjs.wasm.br',
];

/** True for a file that has something in it; a broken installation leaves empty ones too. */
const isThere = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;

interface DoctorOptions {
  readonly core: Core;
  readonly version: string;
  /** Where the bundles are. */
  readonly folder: string;
  /** What was found wrong beside what the core knows. */
  readonly problems?: DoctorFacts['problems'];
  readonly meters: readonly AgentProtection[];
}

/** Gathers what *Doctor* looks at. */
export function doctorFacts({ core, version, folder, problems = [], meters }: DoctorOptions): DoctorFacts {
  const { tools, policy, definitions, servers } = core;
  const profile = tools.profiles.active();
  return {
    version,
    missingParts: parts.filter((part) => !isThere(path.join(folder, part))),
    profile: profile.profile.name,
    mode: profile.mode,
    capabilities: profile.entries.filter(({ entry, isUnfit }) => entry.enabled && !isUnfit).length,
    tools: profile.tools.length,
    isTrusted: core.isTrusted(),
    problems: [...problems, ...core.problems()],
    servers: servers.list.list(),
    definitions: definitions.loader?.definitions().length ?? 0,
    pendingDefinitions: definitions.loader?.pending().length ?? 0,
    channels: definitions.poller.values().map(({ channel, result }) => ({
      name: channel,
      ...(result.success ? {} : { error: failureSaid(result) }),
    })),
    preset: core.settings().get('policy.preset'),
    rules: policy.engine.boundaries.length,
    meters: meters.filter(({ isHere, isInstalled }) => isHere || isInstalled),
  };
}
