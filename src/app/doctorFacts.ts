import { existsSync } from 'node:fs';
import path from 'node:path';
import type { DoctorFacts } from '../core/explain/doctor';
import type { AgentProtection } from '../core/protection/meter';
import type { Core } from './compose';

/** The bundles of an installation. */
const parts = ['extension.js', 'cli.js', 'hook.js', 'worker.js', 'sandboxWorker.js', 'sqliteProcess.js'];

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
    missingParts: parts.filter((part) => !existsSync(path.join(folder, part))),
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
      ...(result.success ? {} : { error: result.error.message }),
    })),
    preset: core.settings().get('policy.preset'),
    rules: policy.engine.boundaries.length,
    meters: meters.filter(({ isHere, isInstalled }) => isHere || isInstalled),
  };
}
