import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runProgram } from '../support/editor/processes';
import type { AgentPlace, RealAgent } from './agents';
import { breakHook, type Fault, shortenEntry } from './faults';
import type { ScriptedModel } from './model/server';
import type { ModelCall } from './model/script';
import { otherHooks, putOtherHook } from './others';
import { agentPlace, openText, secret } from './place';
import { runAgent } from './runAgent';

/** One thing that was looked at, and what is wrong with it. */
export interface Check {
  readonly name: string;
  readonly wrong?: string;
}

interface Expected {
  readonly name: string;
  readonly call: ModelCall | undefined;
  /** What the model has to be told. */
  readonly told: RegExp;
  /** What the model must not be told. */
  readonly hidden?: RegExp;
  /** What happens before the call goes out. */
  readonly before?: () => void | Promise<void>;
}

export interface Setting {
  readonly agent: RealAgent;
  /** The installed program. */
  readonly program: string;
  readonly node: string;
  readonly model: ScriptedModel;
}

const isSecret = /preset\.secrets/;
const leaked = new RegExp(secret);

/**
 * Every kind of call, allowed and denied: what the model is told, and what became of the files. Then, in the same
 * session and with other settings, a script of the workspace: what it changes, which the command line that starts it
 * does not name, is taken back too.
 */
export async function checkCalls(setting: Setting, place: AgentPlace): Promise<readonly Check[]> {
  const { agent } = setting;
  // A call of a server that nobody knows asks; here its user has a rule for it.
  const rule = {
    id: 'files',
    match: { tool: `host:${agent.id}:*read_text_file` },
    decision: 'allow',
    reason: 'mine',
  };
  leaveSettings(place, { 'policy.boundaries': [rule] });
  const { shell, read, write, fetch, mcpRead } = agent.calls(place);
  const file = agent.secretFile;
  const files: Check[] = [];
  const before = async (): Promise<void> => {
    files.push(
      unlessWrong('edit, allowed: the file is there', fileText(place, 'b.txt')?.trim() !== 'beta' && 'it is not'),
      ...['.env', file].map((name) =>
        unlessWrong(`denied: \`${name}\` is untouched`, fileText(place, name)?.trim() !== secret && 'it was changed'),
      ),
      await checkUndo(place, 'edit, allowed: is taken back', ['b.txt']),
    );
    leaveSettings(place, { 'policy.preset': 'open', 'changes.checkpoints': true });
    writeFileSync(path.join(place.workspace, 'make.sh'), 'echo made > made.txt; echo changed > a.txt\n');
  };
  const expected: readonly Expected[] = [
    { name: 'shell, allowed', call: shell('ls'), told: /a\.txt/ },
    { name: 'shell, denied', call: shell('cat .env'), told: isSecret, hidden: leaked },
    {
      name: 'shell, denied within another command',
      call: shell('echo $(cat < .env)'),
      told: isSecret,
      hidden: leaked,
    },
    { name: 'read, allowed', call: read?.('a.txt'), told: new RegExp(openText) },
    { name: 'read, denied', call: read?.(file), told: isSecret, hidden: leaked },
    { name: 'edit, allowed', call: write('b.txt', 'beta'), told: /./ },
    { name: 'edit, denied', call: write(file, 'other'), told: isSecret },
    { name: 'fetch, denied', call: fetch?.('http://169.254.169.254/latest/'), told: /preset\.private-addresses/ },
    { name: 'MCP, allowed', call: mcpRead('a.txt'), told: new RegExp(openText) },
    { name: 'MCP, denied', call: mcpRead('.env'), told: isSecret, hidden: leaked },
    { name: 'shell, a script', call: shell('. ./make.sh'), told: /./, before },
  ];
  const checks = await play(setting, place, expected);
  return [
    ...checks,
    ...files,
    unlessWrong('shell, a script: it ran', fileText(place, 'a.txt')?.trim() !== 'changed' && 'it did not'),
    await checkUndo(place, 'shell, a script: is taken back', ['made.txt']),
    unlessWrong('shell, a script: what it wrote over too', fileText(place, 'a.txt')?.trim() !== openText && 'no'),
  ];
}

/** The user's settings, as an editor leaves them for hooks that run alone. */
function leaveSettings(place: AgentPlace, user: object): void {
  const file = path.join(place.home, '.agent-capabilities', 'settings.json');
  writeFileSync(file, JSON.stringify({ version: 1, user, modes: {} }), { mode: 0o600 });
}

/** What the agent's own tool made is known to the command, and goes when it is taken back; no editor was there. */
async function checkUndo(place: AgentPlace, name: string, made: readonly string[]): Promise<Check> {
  const own = [
    '--state-dir',
    path.join(place.home, 'state'),
    '--private',
    path.join(place.home, '.agent-capabilities'),
  ];
  const command = ['dist/cli.js', 'changes', 'undo', '--all', '--workspace', place.workspace, ...own];
  try {
    await runProgram(process.execPath, command);
  } catch (error) {
    return { name, wrong: String(error) };
  }
  return unlessWrong(name, made.some((file) => fileText(place, file) !== undefined) && 'the file is still there');
}

/** Whatever becomes of our program: neither a command runs nor a file is written, except where the table says so. */
export async function checkFaults(
  setting: Setting,
  place: AgentPlace,
  faults: readonly Fault[],
): Promise<readonly Check[]> {
  const { agent } = setting;
  shortenEntry(agent, place);
  const { shell, write } = agent.calls(place);
  const files = faults.map((_fault, at) => [`shell-${at}.txt`, `edit-${at}.txt`] as const);
  const expected = faults.flatMap((fault, at): readonly Expected[] => {
    const { name, opens } = fault;
    const told = opens.includes(agent.id) ? /./ : /gave no answer|hook errored|denied by Agent Capabilities/;
    const [byShell, byEdit] = files[at] ?? ['', ''];
    return [
      {
        name: `our program ${name}: shell`,
        call: shell(`echo ran > ${byShell}`),
        told,
        before: () => breakHook(place, fault),
      },
      { name: `our program ${name}: edit`, call: write(byEdit, 'ran'), told },
    ];
  });
  const checks = await play(setting, place, expected, agent.trustAll);
  const results = faults.map(({ name, opens }, at): Check => {
    const isOpen = opens.includes(agent.id);
    const ran = (files[at] ?? []).filter((file) => existsSync(path.join(place.workspace, file)));
    const result = `our program ${name}: ${isOpen ? 'the calls ran, as is known' : 'nothing ran'}`;
    return unlessWrong(result, ran.length !== (isOpen ? 2 : 0) && `ran: ${ran.join(', ') || 'nothing'}`);
  });
  return [...checks, ...results];
}

/** Hooks of somebody else that allow every call, beside ours: a denial of ours has to win. */
export async function checkOthers(setting: Setting): Promise<readonly Check[]> {
  const found: Check[] = [];
  for (const other of otherHooks[setting.agent.id] ?? [])
    found.push(
      ...(await inPlace(setting, async (place) => {
        const { agent } = setting;
        putOtherHook(agent, place, other);
        const call = agent.calls(place).shell('cat .env');
        const expected = { name: `a hook that allows, ${other.name}`, call, told: other.wins ? leaked : isSecret };
        return play(setting, place, [expected], agent.trustAll);
      })),
    );
  return found;
}

/** Looks at an agent that has our hook as a user would install it. */
export async function inPlace(
  { agent, node, model }: Setting,
  check: (place: AgentPlace) => Promise<readonly Check[]>,
): Promise<readonly Check[]> {
  const place = agentPlace(model.port, node);
  // Who has a script has its Node; the others may have the oldest that we run on.
  const hookNode = agent.isScript ? node : process.execPath;
  try {
    agent.prepare(place);
    await runProgram(hookNode, ['dist/cli.js', 'hook', 'install', '--agent', agent.id, '--home', place.home]);
    return await check(place);
  } finally {
    place.dispose();
  }
}

/** Has the agent make the calls in one session, and compares what its model was told. */
async function play(
  { agent, program, model }: Setting,
  place: AgentPlace,
  expected: readonly Expected[],
  more: readonly string[] = [],
): Promise<readonly Check[]> {
  const made = expected.flatMap(({ call, ...rest }) => (call ? [{ ...rest, call }] : []));
  model.play(
    made.map(({ call }) => call),
    (at) => made[at]?.before?.(),
  );
  const { code, output } = await runAgent(agent, program, place, more);
  const results = model.results();
  return made.map(({ name, told, hidden }, at) => {
    const result = results[at];
    if (result === undefined)
      return { name, wrong: `no result; the agent ended with ${code}:\n${output.slice(-3000)}` };
    if (!told.test(result)) return { name, wrong: `expected ${told}, the model was told: ${result.slice(0, 600)}` };
    return unlessWrong(name, hidden?.test(result) === true && `the model was told: ${result.slice(0, 600)}`);
  });
}

const unlessWrong = (name: string, wrong: string | false | undefined): Check => (wrong ? { name, wrong } : { name });

function fileText(place: AgentPlace, name: string): string | undefined {
  const file = path.join(place.workspace, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
