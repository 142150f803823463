import path from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { SaidError, type Sentence, worded } from '../core/base/sentence';
import { type Agent, agentOf, agents } from '../core/protection/agents';
import type { FileChange, Plan } from '../core/protection/plan';
import type { AgentProtection, CanaryResult } from '../core/protection/meter';
import { hookPrograms } from '../node/protection/hookPrograms';
import { besideBundle } from '../node/besideBundle';
import { userFolders } from '../node/folders/userFolders';
import { Protection } from '../node/protection/protection';
import { readLastAnswers } from '../node/hooks/lastAnswers';
import { privateFolderPath } from '../node/hooks/privateFolder';
import { hostAgents } from '../core/hooks/hostEvent';
import { knownHostTools } from '../core/hooks/hostToolTable';
import { isGateOpen, launchedHook, writeHookLauncher } from '../node/protection/hookNotes';
import { type CliArgs, type CliIo, outJson, UsageError } from './args';
import { asTyped } from './started';

/**
 * `hook install|uninstall --agent AGENT` and `hook status [--agent AGENT]`: puts our hook into the user's file of an
 * agent and takes it out again, after showing the difference; tells how far each agent is under the gate. Exit 0 where
 * it is as asked, 1 where a file was left alone or a hook does not hold.
 */
export async function runHookAgents(args: CliArgs, io: CliIo): Promise<number> {
  const [action, ...rest] = args.words;
  if (rest.length > 0) throw new UsageError(`unknown word \`${rest[0] ?? ''}\``);
  const id = args.value('agent');
  const agent = id === undefined ? undefined : agentOf(id);
  if (id !== undefined && !agent)
    throw new UsageError(`\`--agent\` must be one of ${hostAgents.join(', ')} (got \`${id}\`)`);
  const made = protectionOf(args, io);
  if (action === 'status') return status(made, agent, args, io);
  if (action !== 'install' && action !== 'uninstall')
    throw new UsageError('expected `install`, `uninstall` or `status`');
  if (!agent) {
    const found = made.protection.all().flatMap((one) => (one.isHere ? [one.agent] : []));
    const here = found.length === 0 ? 'none is found on this machine' : `found on this machine: ${found.join(', ')}`;
    throw new UsageError(`\`hook ${action}\` needs \`--agent AGENT\`; ${here}`);
  }
  return change(made, agent, action, args, io);
}

type Change = 'install' | 'uninstall';

interface Made {
  readonly protection: Protection;
  readonly privateFolder: string;
  /** Our tools in this workspace, once they were asked for. */
  readonly ours: string[];
}

async function change(made: Made, agent: Agent, action: Change, args: CliArgs, io: CliIo): Promise<number> {
  const { protection } = made;
  const plan = action === 'install' ? protection.planInstall(agent) : protection.planUninstall(agent);
  const isDry = args.has('dry-run');
  const fault = write(made, agent, action, plan, isDry, io);
  const isDone = fault === undefined && !isDry;
  const notes = action === 'install' ? protection.notes(agent).map((one) => worded(one)) : [];
  const tried = action === 'install' && isDone ? told(await protection.try(agent)) : undefined;
  if (args.has('json')) outJson(io, report(agent, action, plan, fault, notes, tried));
  else {
    const changes = 'changes' in plan ? plan.changes : [];
    for (const one of changes) io.out(difference(one));
    if (fault !== undefined) io.error(fault);
    else if (changes.length === 0) io.out(`${agent.name}: nothing to ${action}`);
    else if (!isDry) io.out(`${agent.name}: ${action === 'install' ? 'installed' : 'removed'}`);
    for (const note of notes) io.out(note);
    if (tried)
      io.out(`tried: ${tried.outcome} after ${tried.durationMs} ms${tried.detail ? ` (${tried.detail})` : ''}`);
  }
  return fault === undefined && (tried === undefined || tried.outcome === 'denied') ? 0 : 1;
}

/** A dry call as a command line tells it. */
function told(tried: CanaryResult | undefined): (CanaryResult & { readonly detail: string }) | undefined {
  if (!tried) return undefined;
  return { ...tried, detail: typeof tried.detail === 'string' ? tried.detail : worded(tried.detail) };
}

/** Writes what was planned, but for a dry run; answers why a file was left alone. */
function write(
  { protection, privateFolder }: Made,
  agent: Agent,
  action: Change,
  plan: Plan,
  isDry: boolean,
  io: CliIo,
): string | undefined {
  if ('refused' in plan) return `\`${plan.path}\` is left alone: ${worded(plan.refused)}`;
  if (isDry) return undefined;
  try {
    if (action === 'install') writeHookLauncher(privateFolder, besideBundle(io.environment, 'hook.js'));
    protection[action](agent, plan.changes);
    return undefined;
  } catch (error) {
    if (!(error instanceof SaidError)) throw error;
    return `nothing more was written: ${error.message}`;
  }
}

function report(
  agent: Agent,
  action: string,
  plan: Plan,
  fault: string | undefined,
  notes: readonly string[],
  tried: unknown,
): object {
  const files = 'changes' in plan ? plan.changes.map(({ path: file }) => file) : [plan.path];
  return { agent: agent.id, action, files, ...(fault === undefined ? {} : { fault }), notes, tried };
}

/** The meters of all agents, every installed hook tried; our own tools are not among them. */
export async function agentMeters(args: CliArgs, io: CliIo): Promise<readonly AgentProtection[]> {
  const { protection } = protectionOf(args, io);
  for (const agent of agents) await protection.try(agent);
  return protection.all();
}

async function status(made: Made, only: Agent | undefined, args: CliArgs, io: CliIo): Promise<number> {
  const { protection } = made;
  const wanted = only ? [only] : agents;
  if (wanted.some((agent) => protection.isOffered(agent))) made.ours.push(...(await offeredTools(args, io)));
  for (const agent of wanted) await protection.try(agent);
  const all = only ? [protection.status(only)] : protection.all();
  if (args.has('json'))
    outJson(
      io,
      all.map((one) => plain(one, io)),
    );
  else for (const one of all) io.out(asTyped(lines(one).join('\n'), io));
  return all.some(({ isRed }) => isRed) ? 1 : 0;
}

function lines({ name, agent, state, isHere, faults, notes, lastAt, tools }: AgentProtection): readonly string[] {
  const since = lastAt === undefined ? '' : `, last answer ${new Date(lastAt).toISOString()}`;
  const count = (of: string): number => tools.filter((one) => one.state === of).length;
  const open = tools.filter((one) => one.state === 'open' && state === 'hooked');
  return [
    `${name} (${agent}): ${state}${since}${isHere ? '' : ' · not found on this machine'}`,
    `    tools: ${count('enforced')} enforced, ${count('hooked')} hooked, ${count('open')} open`,
    ...[...faults, ...notes].map(({ said, step }) => `    ${worded(said)}; ${worded(step)}`),
    ...open.map(({ tool, step }) => `    open: ${tool}${step ? `; ${worded(step)}` : ''}`),
  ];
}

function plain({ faults, notes, tools, ...more }: AgentProtection, io: CliIo): object {
  const typed = (step: Sentence): string => asTyped(worded(step), io);
  const told = ({ said, step }: (typeof faults)[number]): object => ({
    code: said.code,
    text: worded(said),
    step: typed(step),
  });
  return {
    ...more,
    faults: faults.map(told),
    notes: notes.map(told),
    tools: tools.map(({ step, ...tool }) => ({ ...tool, ...(step ? { step: typed(step) } : {}) })),
  };
}

const difference = ({ path: file, before, after }: FileChange): string =>
  createTwoFilesPatch(
    before === undefined ? '/dev/null' : file,
    after === undefined ? '/dev/null' : file,
    before ?? '',
    after ?? '',
    undefined,
    undefined,
    { context: 2 },
  );

/** What `serve` offers here, which is what an agent with our server gets. */
async function offeredTools(args: CliArgs, io: CliIo): Promise<readonly string[]> {
  const { withWorkspace } = await import('./openWorkspace');
  return withWorkspace(args, io, ({ core }) =>
    Promise.resolve(core.tools.profiles.active().tools.map(({ modelName }) => modelName)),
  );
}

/** How far each agent is under the gate, by what stands in its files; nothing is tried. */
export const agentProtections = (args: CliArgs, io: CliIo): readonly AgentProtection[] =>
  protectionOf(args, io).protection.all();

/** This command line, and that of the extension whose hook is installed. */
function ownPrograms(privateFolder: string, io: CliIo): readonly string[] {
  const hook = launchedHook(privateFolder);
  const beside = hook === undefined ? [] : [path.join(path.dirname(hook), 'cli.js')];
  return [besideBundle(io.environment, 'cli.js'), ...beside];
}

function protectionOf(args: CliArgs, io: CliIo): Made {
  const home = args.value('home');
  const user = home === undefined ? userFolders(io.environment) : { home: path.resolve(home) };
  const besides = home === undefined ? undefined : path.join(user.home, '.agent-capabilities');
  const privateFolder = privateFolderPath(args.value('private') ?? besides);
  const ours: string[] = [];
  const protection = new Protection({
    user,
    privateFolder,
    folders: () => [path.resolve(args.value('workspace') ?? '.')],
    program: hookPrograms(privateFolder),
    searchPath: io.environment['PATH'] ?? '',
    ownPrograms: ownPrograms(privateFolder, io),
    lastAnswer: ({ id }) => readLastAnswers(privateFolder).find(({ agent }) => agent === id),
    isEditorOpen: () => isGateOpen(privateFolder),
    knownTools: ({ id }) => knownHostTools(id),
    ourTools: () => ours,
    now: () => Date.now(),
  });
  return { protection, privateFolder, ours };
}
