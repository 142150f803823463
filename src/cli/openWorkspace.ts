import { composeCli } from '../app/composeCli';
import type { Core } from '../app/compose';
import type { Problem } from '../core/base/problem';
import type { CallApprover } from '../core/call/gateCall';
import type { ServerUser } from '../core/foreign/serverUser';
import type { KeyValueStore } from '../core/ports/platform';
import type { ProfileSettings } from '../core/profiles/profileEditor';
import { readSettings } from '../core/settings/readSettings';
import { didYouMean } from '../core/base/nearest';
import { asked, type CliArgs, type CliIo, UsageError } from './args';
import { fileStore } from '../node/fileStore';
import { unlockAdmin } from './adminToken';
import { openAudit } from './auditSink';
import { commandLineApprover, commandLineUser } from './commandLineApprovals';
import { FollowedSettings } from './followedSettings';
import { followPlan } from './frozenPlan';
import { brief } from './problemLines';
import { readLayers, workspaceFolder } from './workspace';

export interface OpenedWorkspace {
  readonly core: Core;
  readonly folder: string;
  /** Mistakes in the files that were read; those of settings and profiles are in `core.problems()`. */
  readonly problems: readonly Problem[];
  readonly profileSettings: ProfileSettings;
  close(): Promise<void>;
}

/** What a command that stays running puts in place of what others do: who is asked, and where things are kept. */
export interface WorkspaceOptions {
  /** @param isAdmin whether the command was started with the admin token. */
  readonly approver?: (isAdmin: () => boolean) => CallApprover;
  readonly serverUser?: ServerUser;
  /** True for a command that stays running: definitions, settings and servers of the workspace count as they change. */
  readonly follows?: boolean;
  /** Where things are kept; with `--state-dir` in its file, else for as long as the command runs. */
  readonly storage?: KeyValueStore;
}

/** The store of `--state-dir`; a folder that cannot be made is a usage error. */
function stateOf(folder: string, onProblem: (message: string) => void): KeyValueStore {
  return asked('`--state-dir` must name a folder that can be written to', () => fileStore(folder, onProblem));
}

/** Options that name what is the command's own. */
const ownOptions = ['audit-dir', 'state-dir', 'token-file', 'api-token-file', 'plan', 'admin-token-file'];

/**
 * Composes the core over the workspace of a command. An unknown `--profile` is a usage error that names the nearest
 * ones.
 */
export async function openWorkspace(
  args: CliArgs,
  io: CliIo,
  options: WorkspaceOptions = {},
): Promise<OpenedWorkspace> {
  const folder = workspaceFolder(args);
  const problems: Problem[] = [];
  const layers = readLayers(folder, args, problems);
  const audit = await openAudit(args.value('audit-dir'), () => readSettings(layers), io);
  const yes = args.has('yes');
  const state = args.value('state-dir');
  const storage = options.storage ?? (state === undefined ? undefined : stateOf(state, (message) => io.error(message)));
  const isAdmin = (): boolean => core.policy.admin.isUnlocked;
  const system = composeCli({
    folder,
    environment: io.environment,
    layers,
    audit: audit.sink,
    onError: (message) => io.error(message),
    stateFolder: state,
    privateFolder: args.value('private'),
    own: ownOptions.flatMap((name) => args.value(name) ?? []),
    yes,
    approver: (options.approver ?? ((admin) => commandLineApprover(yes, admin)))(isAdmin),
    serverUser: options.serverUser ?? commandLineUser(yes),
    storage,
    ...(options.follows
      ? { follow: new FollowedSettings(folder, layers.user['policy.managedFile'], (text) => io.error(text)) }
      : {}),
  });
  const { core, profileSettings } = system;
  const close = async (): Promise<void> => {
    await system.close();
    await audit.close();
  };
  try {
    await system.settled();
    const profile = args.value('profile');
    const problem = profile === undefined ? undefined : core.tools.profiles.activate(profile);
    if (problem) {
      const missing = `${problem.message}${didYouMean(profile ?? '', core.tools.profiles.profiles().keys())}`;
      // Why it may be missing.
      const unread = [...problems, ...core.problems().filter(({ code }) => code.startsWith('invalid_'))];
      throw new UsageError([missing, ...unread.map((one) => brief(one))].join('\n'));
    }
    await Promise.all([core.ready, core.tools.loadHostTools()]);
    if (yes) await acceptAll(core);
    await unlockAdmin(core, args);
    followPlan(core, args);
  } catch (error) {
    await close();
    throw error;
  }
  return { core, folder, problems, profileSettings, close };
}

/** Runs a command on its workspace, and lets go of it. */
export async function withWorkspace<T>(
  args: CliArgs,
  io: CliIo,
  command: (opened: OpenedWorkspace) => Promise<T>,
): Promise<T> {
  const opened = await openWorkspace(args, io);
  try {
    return await command(opened);
  } finally {
    await opened.close();
  }
}

/** Accepts what a person in the editor would be asked about: definitions, and the prompt of the profile. */
async function acceptAll({ definitions: { loader }, agents, tools: { profiles } }: Core): Promise<void> {
  for (const { hash } of loader?.pending() ?? []) await loader?.approve(hash);
  const prompt = agents.prompts.pending(profiles.active().profile);
  if (prompt) await agents.prompts.accept(prompt.hash);
  // What was accepted may be configured.
  await agents.checks.check();
}

/**
 * Asks the servers for their tools where a name may mean one of them: nothing that is on goes by it yet. `serve` knows
 * them all, and a name is to mean the same here.
 */
export async function discoverFor({ tools, servers }: Core, name: string): Promise<void> {
  const known = tools.registry.tool(name);
  if (!known || !tools.profiles.active().isToolEnabled(known)) await servers.list.discover();
}
