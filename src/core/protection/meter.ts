import { ownValue } from '../base/json';
import { say, type Sentence } from '../base/sentence';
import type { UserFolders } from '../vocabulary/agentPlaces';
import type { Agent, AgentId } from './agents';
import { trustedHash, trustHash, trustKey, tomlValue } from './codexTrust';
import { commandsOf, eventPath, foundEntries, hasOwnFile, isAsWritten } from './entries';
import { agentSeconds, isOurCommand } from './entryCommand';
import { trustedHooks } from './installPlan';
import { entryPath, type Receipt, trustPath } from './plan';
import { elementsAt, jsonValue, valueUnder } from './jsonEntry';
import type { SwitchedOff } from './switchOffs';

/** How far an agent's tool is under the gate: called through it, asked about by a hook, or neither. */
type ProtectionState = 'enforced' | 'hooked' | 'open';

/** Something that keeps an agent's calls from being asked about, with one step that mends it. */
interface ProtectionFault {
  readonly said: Sentence;
  readonly step: Sentence;
}

export interface ToolProtection {
  readonly tool: string;
  readonly state: ProtectionState;
  /** When the hook answered last about this tool, in milliseconds since 1970. */
  readonly lastAt?: number;
  /** What closes it, where it is open. */
  readonly step?: Sentence;
}

/** A call that the hook did not answer; the entry denied it in its place. */
export interface UnansweredCall {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The exit status: 124 and 137 after the entry's limit of time. */
  readonly status: string;
}

export interface AgentProtection {
  readonly agent: AgentId;
  readonly name: string;
  /** True where the agent seems to be used on this machine. */
  readonly isHere: boolean;
  /** True where our hook was installed and not taken back. */
  readonly isInstalled: boolean;
  /** `hooked` only without a fault. */
  readonly state: 'hooked' | 'open';
  readonly faults: readonly ProtectionFault[];
  /** What limits the answers without opening anything. */
  readonly notes: readonly ProtectionFault[];
  /** True where something was installed and does not hold as it should. */
  readonly isRed: boolean;
  readonly tools: readonly ToolProtection[];
  /** When the hook answered last, and by whom: a real call, or a call that only tries it. */
  readonly lastAt?: number;
}

/** What a dry call through the installed entry gave. */
export interface CanaryResult {
  readonly at: number;
  readonly durationMs: number;
  /** `denied` is what it has to be. */
  readonly outcome: 'denied' | 'passed' | 'timeout' | 'failed';
  /** What the command line said of itself, or how it ended. */
  readonly detail: Sentence | string;
}

/** What the hook wrote down about its last answer. */
export interface LastHookAnswer {
  readonly at: number;
  readonly durationMs: number;
  readonly by: 'editor' | 'alone' | 'fault';
  readonly isCanary?: boolean;
  readonly tools: Readonly<Record<string, number>>;
}

/** All that is known of one agent. */
interface ProtectionFacts {
  readonly user: UserFolders;
  readonly isHere: boolean;
  readonly receipt: Receipt | undefined;
  /** The text of a file that matters, undefined where it is not there; a sentence where it is left alone. */
  readonly read: (path: string) => string | Sentence | undefined;
  readonly exists: (path: string) => boolean;
  /** The other files of the folder in which the agent's entry is a file of its own, by their paths. */
  readonly siblings: readonly string[];
  readonly switchedOff: readonly SwitchedOff[];
  readonly canary: CanaryResult | undefined;
  readonly last: LastHookAnswer | undefined;
  readonly unanswered: UnansweredCall | undefined;
  /** The tools that the agent is known to have. */
  readonly knownTools: readonly string[];
  /** Our tools, where the agent is offered them. */
  readonly ourTools: readonly string[];
  readonly isEditorOpen: boolean;
  readonly sha256: (text: string) => string;
}

/** The meter of one agent: what holds, since when, and what is missing. */
export function protectionOf(agent: Agent, facts: ProtectionFacts): AgentProtection {
  const { receipt, last, canary } = facts;
  const found = entryFaults(agent, facts);
  const isInstalled = found.isThere || receipt !== undefined;
  const faults = isInstalled ? [...found.faults, ...behaviourFaults(agent, facts)] : found.faults;
  const state = isInstalled && faults.length === 0 ? 'hooked' : 'open';
  const editorClosed = { said: say('fault_editor_closed'), step: say('step_open_editor') };
  const notes = isInstalled && !facts.isEditorOpen ? [editorClosed] : [];
  const lastAt = Math.max(last?.at ?? 0, canary?.outcome === 'denied' ? canary.at : 0);
  return {
    agent: agent.id,
    name: agent.name,
    isHere: facts.isHere,
    isInstalled,
    state,
    faults,
    notes,
    isRed: isInstalled && faults.length + notes.length > 0,
    tools: toolsOf(agent, facts, state),
    ...(lastAt > 0 ? { lastAt } : {}),
  };
}

function entryFaults(
  agent: Agent,
  facts: ProtectionFacts,
): { readonly isThere: boolean; readonly faults: readonly ProtectionFault[] } {
  const path = entryPath(agent, facts.user);
  const text = facts.read(path);
  const protect = say('step_protect', agent.id);
  if (typeof text === 'object') {
    const said = say('fault_file_left_alone', path, text);
    return { isThere: false, faults: [{ said, step: say('step_repair_file') }] };
  }
  const answered = foundEntries(agent, text ?? '').find(({ event }) => event === agent.events[0]);
  if (text === undefined || !answered) {
    const gone = facts.receipt ? say('fault_entry_removed', path) : say('fault_not_installed');
    return { isThere: false, faults: [{ said: gone, step: protect }] };
  }
  const missing = programsIn(answered.command).filter((program) => !facts.exists(program));
  return {
    isThere: true,
    faults: [
      ...missing.map((program) => ({ said: say('fault_program_moved', program), step: protect })),
      ...(isAsWritten(agent, text) ? [] : [{ said: say('fault_entry_changed', path), step: protect }]),
      ...namedOff(agent, answered.command, path, text),
      ...trustFaults(agent, facts, text),
      ...othersFirst(agent, facts, text),
    ],
  };
}

const offAt = (key: string, path: string): ProtectionFault => ({
  said: say('fault_switched_off', key, path),
  step: say('step_remove_switch'),
});

/** Gemini keeps a list of commands that it does not run. */
function namedOff({ form }: Agent, command: string, path: string, text: string): readonly ProtectionFault[] {
  const read = jsonValue(text);
  const off = form === 'gemini' && 'value' in read ? valueUnder(read.value, 'hooksConfig', 'disabled') : undefined;
  return Array.isArray(off) && off.includes(command) ? [offAt('hooksConfig.disabled', path)] : [];
}

/** The absolute paths that an entry starts. */
const programsIn = (command: string): readonly string[] =>
  [...command.matchAll(/ '((?:[^']|'\\'')+)'(?= (?:'|--dialect))/g)].map(([, path = '']) =>
    path.replaceAll(`'\\''`, "'"),
  );

function trustFaults(agent: Agent, facts: ProtectionFacts, text: string): readonly ProtectionFault[] {
  const path = trustPath(agent, facts.user);
  if (path === undefined) return [];
  const settings = facts.read(path);
  const read = typeof settings === 'string' ? tomlValue(settings) : undefined;
  const value = read && 'value' in read ? read.value : {};
  const hooks = trustedHooks(agent, text).map((hook) => ({ hook, key: trustKey(entryPath(agent, facts.user), hook) }));
  const isTrusted = hooks.every(({ hook, key }) => trustedHash(value, key) === trustHash(hook, facts.sha256));
  const isOff = hooks.some(({ key }) => valueUnder(value, 'hooks', 'state', key, 'enabled') === false);
  return [
    ...(isTrusted ? [] : [{ said: say('fault_untrusted', path), step: say('step_protect', agent.id) }]),
    ...(isOff ? [offAt('hooks.state', path)] : []),
  ];
}

/** Hooks of others that are asked before ours, where the agent takes the first answer that it gets. */
function othersFirst(agent: Agent, facts: ProtectionFacts, text: string): readonly ProtectionFault[] {
  if (agent.isFirstAnswerTaken !== true) return [];
  const own = entryPath(agent, facts.user);
  const event = agent.events[0] ?? '';
  const capital = event.charAt(0).toUpperCase() + event.slice(1);
  const files = hasOwnFile(agent) ? facts.siblings.filter((path) => path < own) : [];
  const commands = files.flatMap((path) => {
    const other = facts.read(path);
    if (typeof other !== 'string') return [];
    return [event, capital].flatMap((name) => (elementsAt(other, eventPath(name)) ?? []).flatMap(commandsOf));
  });
  const before = (elementsAt(text, eventPath(event)) ?? []).map(commandsOf);
  const ours = before.findIndex((list) => list.some((one) => isOurCommand(one, agent)));
  return [...commands, ...before.slice(0, Math.max(0, ours)).flat()].map((command) => ({
    said: say('fault_other_first', command.slice(0, 80)),
    step: say('step_look_at_hook'),
  }));
}

function behaviourFaults(agent: Agent, facts: ProtectionFacts): readonly ProtectionFault[] {
  const { switchedOff, canary, last, unanswered } = facts;
  const faults: ProtectionFault[] = switchedOff.map(({ key, path }) => offAt(key, path));
  const step = say('step_check');
  const limitMs = agentSeconds * 1000;
  // What happened later counts: a real answer after the trial, or the trial after the last real answer.
  const isTrialNewer = canary !== undefined && canary.at >= (last?.at ?? 0);
  if (isTrialNewer && canary.outcome === 'timeout')
    faults.push({ said: say('fault_timeout', canary.durationMs, limitMs), step });
  if (isTrialNewer && canary.outcome === 'failed')
    faults.push({ said: say('fault_no_answer', canary.detail), step: say('step_protect', agent.id) });
  if (isTrialNewer && canary.outcome === 'passed') faults.push({ said: say('fault_not_denied'), step });
  if (!isTrialNewer && last && last.durationMs >= limitMs)
    faults.push({ said: say('fault_timeout', last.durationMs, limitMs), step });
  const answeredAt = Math.max(last?.at ?? 0, canary?.outcome === 'denied' ? canary.at : 0);
  if (unanswered && unanswered.at > answeredAt && !(isTrialNewer && canary.outcome !== 'denied'))
    faults.push({ said: say('fault_unanswered', unanswered.status), step });
  if (last?.by === 'fault') faults.push({ said: say('fault_fault'), step });
  return faults;
}

function toolsOf(agent: Agent, facts: ProtectionFacts, state: 'hooked' | 'open'): readonly ToolProtection[] {
  const seen = facts.last?.tools ?? {};
  const names = [...new Set([...Object.keys(seen), ...facts.knownTools])].filter((name) => !agent.open.includes(name));
  return [
    ...facts.ourTools.map((tool) => ({ tool, state: 'enforced' as const })),
    ...names.map((tool) => {
      const lastAt = ownValue(seen, tool);
      return {
        tool,
        state,
        ...(lastAt === undefined ? {} : { lastAt }),
        ...(state === 'open' ? { step: facts.receipt ? say('step_check') : say('step_protect', agent.id) } : {}),
      };
    }),
    ...agent.open.map((tool) => ({ tool, state: 'open' as const, step: say('step_no_hook_for') })),
  ];
}
