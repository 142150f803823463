import { hostAgentNames } from '../vocabulary/hostAgentNames';
import type { HostAgent } from '../hooks/hostEvent';

/** The agents whose own tools can be put behind the gate by a hook. */
export type AgentId = HostAgent;

/** How an agent's file holds hooks. */
type EntryForm = 'claude' | 'codex' | 'gemini' | 'cursor' | 'copilot' | 'opencode';

/** A place at which hooks of an agent can be switched off. */
export interface SwitchPlace {
  /** The file: below the home folder, or below a workspace folder. */
  readonly file: string;
  readonly of: 'user' | 'repository';
  /** The path of keys in it, and the value that switches hooks off. */
  readonly key: readonly string[];
  readonly off: boolean;
}

export interface Agent {
  readonly id: AgentId;
  /** As its maker writes it. */
  readonly name: string;
  readonly form: EntryForm;
  /** The user's file that gets the entry, below the home folder. */
  readonly file: string;
  /** What `--dialect` is told; two agents that read one file share it. */
  readonly dialect: AgentId;
  /** The events that are hooked: the one that is answered first, then what is only told. */
  readonly events: readonly string[];
  /**
   * What shows that the agent is used on this machine: programs on the search path, and what it leaves below the home.
   */
  readonly programs: readonly string[];
  readonly traces: readonly string[];
  readonly switches: readonly SwitchPlace[];
  /**
   * True where hooks of others are asked before ours, by the names of their files. In the versions that were run a
   * denial wins over their yes (`test/realAgents/others.ts`); nothing says that it has to.
   */
  readonly isFirstAnswerTaken?: boolean;
  /** Calls of the agent that fire no hook, by the names of their tools. */
  readonly open: readonly string[];
}

const disableAll = (of: SwitchPlace['of'], ...files: readonly string[]): readonly SwitchPlace[] =>
  files.map((file) => ({ file, of, key: ['disableAllHooks'], off: true }));
const offWhereFalse = (file: string, ...key: readonly string[]): readonly SwitchPlace[] =>
  (['user', 'repository'] as const).map((of) => ({ file, of, key, off: false }));

/** Copilot's command line and VS Code read one folder of hooks; the hook tells them apart by what it is given. */
const copilotFolder = {
  form: 'copilot',
  file: '.copilot/hooks/agent-capabilities.json',
  dialect: 'copilot',
  events: ['preToolUse', 'postToolUse'],
  isFirstAnswerTaken: true,
} as const;

/** The editor's settings that switch hooks off, by the path of keys in its files of settings. */
export const editorSwitches: readonly (readonly string[])[] = [
  ['chat.useHooks'],
  ['chat.hookFilesLocations', '~/.copilot/hooks'],
];

type Known = Omit<Agent, 'id' | 'name' | 'dialect' | 'switches' | 'open'> & Partial<Agent>;

/** An agent that speaks as itself, with no way to switch hooks off and none around them but for what is known. */
const agent = (id: AgentId, known: Known): Agent => ({
  id,
  name: hostAgentNames[id],
  dialect: id,
  switches: [],
  open: [],
  ...known,
});

/** Every agent, with what is known of its hooks. */
export const agents: readonly Agent[] = [
  agent('vscode', {
    ...copilotFolder,
    programs: ['code', 'code-insiders', 'code-server'],
    traces: ['.vscode', '.vscode-server', '.vscode-insiders'],
    switches: editorSwitches.map((key) => ({ file: '.vscode/settings.json', of: 'repository', key, off: false })),
  }),
  agent('copilot', {
    ...copilotFolder,
    programs: ['copilot'],
    // The folder itself is no trace: the editor keeps agents and hooks in it too, and so do we.
    traces: ['config.json', 'settings.json', 'session-state', 'mcp-config.json'].map((name) => `.copilot/${name}`),
    switches: [
      ...disableAll('user', '.copilot/settings.json'),
      ...disableAll('repository', '.github/copilot/settings.json', '.claude/settings.json'),
    ],
  }),
  agent('claude', {
    form: 'claude',
    file: '.claude/settings.json',
    events: ['PreToolUse', 'PostToolUse'],
    programs: ['claude'],
    traces: ['.claude'],
    switches: [
      ...disableAll('user', '.claude/settings.json'),
      ...disableAll('repository', '.claude/settings.json', '.claude/settings.local.json'),
    ],
    open: ['@-mention'],
  }),
  agent('codex', {
    form: 'codex',
    file: '.codex/hooks.json',
    events: ['PreToolUse', 'PostToolUse'],
    programs: ['codex'],
    traces: ['.codex'],
    switches: offWhereFalse('.codex/config.toml', 'features', 'hooks'),
    open: ['write_stdin'],
  }),
  agent('gemini', {
    form: 'gemini',
    file: '.gemini/settings.json',
    events: ['BeforeTool', 'AfterTool'],
    programs: ['gemini'],
    traces: ['.gemini'],
    switches: offWhereFalse('.gemini/settings.json', 'hooksConfig', 'enabled'),
  }),
  agent('qwen', {
    form: 'claude',
    file: '.qwen/settings.json',
    events: ['PreToolUse', 'PostToolUse'],
    programs: ['qwen'],
    traces: ['.qwen'],
    switches: [...disableAll('user', '.qwen/settings.json'), ...disableAll('repository', '.qwen/settings.json')],
  }),
  agent('cursor', {
    form: 'cursor',
    file: '.cursor/hooks.json',
    events: ['preToolUse', 'postToolUse'],
    programs: ['cursor', 'cursor-agent'],
    traces: ['.cursor'],
  }),
  agent('opencode', {
    form: 'opencode',
    file: '.config/opencode/plugin/agent-capabilities.js',
    events: ['tool.execute.before', 'tool.execute.after'],
    programs: ['opencode'],
    traces: ['.config/opencode'],
  }),
];

/** The agent with this id; undefined for a word that names none. */
export const agentOf = (id: string): Agent | undefined => agents.find((one) => one.id === id);
