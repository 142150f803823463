import { canonicalJson, isObject, type Json, type JsonObject, parsedJson } from '../base/json';
import type { Agent } from './agents';
import { agentSeconds, entryCommand, entryPowerShell, type HookProgram, isOurCommand } from './entryCommand';
import { elementsAt, jsonValue } from './jsonEntry';

/** Where an agent's file lists the hooks of an event. */
export const eventPath = (event: string): readonly string[] => ['hooks', event];

/** True for an agent whose entry is a file of its own, which nobody else writes into. */
export const hasOwnFile = ({ form }: Agent): boolean => form === 'copilot' || form === 'opencode';

/** Our hook of one event, as the agent's file lists it. */
export const entryOf = (agent: Agent, event: string, program: HookProgram): Json =>
  entryAround(agent, entryCommand(agent, event, program), entryPowerShell(agent, event, program));

function entryAround({ form }: Agent, command: string, powershell: Json): Json {
  const hook = { type: 'command', command, timeout: agentSeconds };
  switch (form) {
    case 'claude':
      return { matcher: '*', hooks: [hook] };
    case 'gemini':
      return { hooks: [{ ...hook, timeout: agentSeconds * 1000 }] };
    case 'cursor':
      return { command, timeout: agentSeconds, failClosed: true };
    case 'copilot':
      return { type: 'command', bash: command, powershell, timeoutSec: agentSeconds };
    default:
      return { hooks: [hook] };
  }
}

/** The whole text of a file that is there for our entry alone. */
export function entryFile(agent: Agent, program: HookProgram): string {
  if (agent.form === 'opencode')
    return opencodePlugin(
      agent,
      agent.events.map((event) => entryCommand(agent, event, program)),
    );
  return hooksFile(agent, program, { version: 1 });
}

/** A file that holds nothing but our entries, and what else its agent wants in it. */
export function hooksFile(agent: Agent, program: HookProgram, more: JsonObject): string {
  const hooks = Object.fromEntries(agent.events.map((event) => [event, [entryOf(agent, event, program)]]));
  return `${JSON.stringify({ ...more, hooks }, undefined, 2)}\n`;
}

/** An entry of ours that stands in an agent's file. */
interface FoundEntry {
  readonly event: string;
  /** Its number among the hooks of the event. */
  readonly index: number;
  readonly command: string;
  readonly matcher?: string;
  /** All that the agent's file says of it. */
  readonly element: unknown;
}

/** Our entries in an agent's file, by event. */
export function foundEntries(agent: Agent, text: string): readonly FoundEntry[] {
  if (agent.form === 'opencode')
    return agent.events.flatMap((event) => {
      const command = new RegExp(`^const ${variableOf(event)} = (".*");$`, 'm').exec(text)?.[1];
      // One that cannot be read is no command, and not as it was written.
      return command === undefined
        ? []
        : [{ event, index: 0, command: String(parsedJson(command) ?? ''), element: text }];
    });
  return agent.events.flatMap((event) =>
    (elementsAt(text, eventPath(event)) ?? []).flatMap((element, index) => {
      const command = commandsOf(element).find((one) => isOurCommand(one, agent));
      if (command === undefined) return [];
      const matcher = isObject(element) ? element['matcher'] : undefined;
      return [{ event, index, command, element, ...(typeof matcher === 'string' ? { matcher } : {}) }];
    }),
  );
}

/**
 * True where nothing around the commands of our entries differs from what is written: no narrower matcher, no shorter
 * wait, no condition. The commands themselves may be those of another program or version; a trial tells what they do.
 */
export function isAsWritten(agent: Agent, text: string): boolean {
  const found = foundEntries(agent, text);
  if (agent.form === 'opencode')
    return (
      text ===
      opencodePlugin(
        agent,
        found.map(({ command }) => command),
      )
    );
  const read = hasOwnFile(agent) ? jsonValue(text) : undefined;
  const entries = found.map(({ command, element }) => {
    const powershell = isObject(element) ? element['powershell'] : undefined;
    return entryAround(agent, command, typeof powershell === 'string' ? powershell : null);
  });
  if (read === undefined)
    return found.every(({ element }, at) => canonicalJson(element) === canonicalJson(entries[at]));
  const hooks = Object.fromEntries(found.map(({ event }, at) => [event, [entries[at] ?? null]]));
  return 'value' in read && canonicalJson(read.value) === canonicalJson({ version: 1, hooks });
}

/** Every command of one element of an event's list, in whichever form. */
export function commandsOf(element: unknown): readonly string[] {
  if (!isObject(element)) return [];
  const { hooks, command, bash } = element;
  const inner: readonly unknown[] = Array.isArray(hooks) ? hooks : [];
  return [command, bash, ...inner.flatMap(commandsOf)].filter((one) => typeof one === 'string');
}

const variableOf = (event: string): string => (event.endsWith('before') ? 'before' : 'after');

/** The plugin's own import: this file imports nothing of Node. */
const imports = 'from';

/** opencode has plugins instead of hooks: whatever this one throws denies the call. */
function opencodePlugin({ events }: Agent, started: readonly string[]): string {
  const [before = '', after = ''] = events;
  const commands = events.map((event, at) => `const ${variableOf(event)} = ${JSON.stringify(started[at] ?? '')};`);
  return `// Agent Capabilities judges every tool call; \`agent-capabilities hook uninstall --agent opencode\` removes this file.
import { spawn } ${imports} 'node:child_process';

${commands.join('\n')}

function run(command, payload) {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'ignore', 'pipe'] });
    let reason = '';
    child.stderr.on('data', (data) => (reason += data));
    child.stdin.on('error', () => undefined);
    child.on('error', (error) => resolve(String(error)));
    child.on('close', (code) => resolve(code === 0 ? undefined : reason.trim() || 'denied by Agent Capabilities'));
    child.stdin.end(JSON.stringify(payload));
  });
}

export const AgentCapabilities = async ({ directory }) => ({
  '${before}': async ({ tool, sessionID, callID }, { args }) => {
    const denied = await run(before, { hook_event_name: '${before}', tool_name: tool, tool_input: args, sessionID, callID, cwd: directory });
    if (denied !== undefined) throw new Error(denied);
  },
  '${after}': async ({ tool, sessionID, callID, args }, { output }) => {
    await run(after, { hook_event_name: '${after}', tool_name: tool, tool_input: args, tool_output: output, sessionID, callID, cwd: directory });
  },
});
`;
}
