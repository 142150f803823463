/** The agents whose hooks are served. */
export const hostAgents = ['claude', 'codex', 'gemini', 'qwen', 'copilot', 'vscode', 'cursor', 'opencode'] as const;
export type HostAgent = (typeof hostAgents)[number];

/** The ways to speak in a hook: each agent has its own, and the wrong one lets everything pass. */
export type Dialect = HostAgent;

/** How the command is called that answers hooks. */
export const hookUsage = `hook --dialect ${hostAgents.join('|')} [--event NAME] [--limit MS] [--private DIR] [--allowed WORD]`;

export const isDialect = (text: string): text is Dialect => (hostAgents as readonly string[]).includes(text);

/** What a hook was told, in one shape for all agents. */
export interface HostEvent {
  /** Told by the payload where two agents read the same hook file. */
  readonly agent: HostAgent;
  /**
   * `before` a call, which is answered; `after` one, `prompt` and all else (`note`), which are recorded and never
   * answered.
   */
  readonly kind: 'before' | 'after' | 'prompt' | 'note';
  /** As the agent names it. */
  readonly event: string;
  /** As the agent names it; empty for what is about no tool. */
  readonly tool: string;
  readonly input: unknown;
  readonly session?: string;
  readonly cwd?: string;
  /** Other folders whose rules and servers count: where the session worked and was started, what the agent has open. */
  readonly folders?: readonly string[];
  /** Where its open shells may be; an empty text for a folder that nobody can tell. */
  readonly stayed?: readonly string[];
  /** The agent's id of the call, by which its end is found again. */
  readonly callId?: string;
  readonly prompt?: string;
  /** After a call: what went wrong, and what came out. */
  readonly error?: string;
  readonly output?: unknown;
  readonly durationMs?: number;
}

/** What a hook prints and how it ends. */
export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: 0 | 2;
}

/** What a payload lacks that nothing can be judged without. The message tells who reads the agent's log. */
export class PayloadFault extends Error {}
