/** What people call the agents that meet the gate by their hooks. */
export const hostAgentNames = {
  vscode: 'VS Code',
  copilot: 'Copilot CLI',
  claude: 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  qwen: 'Qwen Code',
  cursor: 'Cursor',
  opencode: 'opencode',
} as const;

/** The name of the agent that ran a tool of its own; undefined for all other tools. */
export function hostAgentName(tool: string): string | undefined {
  const id = /^host:([a-z]+):/.exec(tool)?.[1];
  return Object.entries(hostAgentNames).find(([one]) => one === id)?.[1];
}
