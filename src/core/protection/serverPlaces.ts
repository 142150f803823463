import type { AgentId } from './agents';

/** Where agents keep the MCP servers that they start: below the home folder, and below a workspace folder. */
export const serverPlaces: Readonly<
  Record<AgentId, { readonly home: readonly string[]; readonly folder: readonly string[] }>
> = {
  vscode: { home: [], folder: ['.vscode/mcp.json'] },
  copilot: { home: ['.copilot/mcp-config.json'], folder: [] },
  claude: { home: ['.claude.json'], folder: ['.mcp.json'] },
  codex: { home: ['.codex/config.toml'], folder: ['.codex/config.toml'] },
  gemini: { home: ['.gemini/settings.json'], folder: ['.gemini/settings.json'] },
  qwen: { home: ['.qwen/settings.json'], folder: ['.qwen/settings.json'] },
  cursor: { home: ['.cursor/mcp.json'], folder: ['.cursor/mcp.json'] },
  opencode: { home: ['.config/opencode/opencode.json'], folder: ['opencode.json'] },
};
