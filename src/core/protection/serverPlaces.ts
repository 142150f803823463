import type { AgentId } from './agents';

/** Where an agent keeps the MCP servers that it starts, and what else brings tools into it. */
interface ServerPlaces {
  /** Files of servers below the home folder. */
  readonly home: readonly string[];
  /** Files of servers below a workspace folder. */
  readonly folder: readonly string[];
  /** Other files and folders of a workspace that may declare servers or ways to find tools. */
  readonly besides: readonly string[];
  /** Folders of a workspace whose code may make tools of any name. */
  readonly code: readonly string[];
}

/** The places of each agent. */
export const serverPlaces: Readonly<Record<AgentId, ServerPlaces>> = {
  vscode: {
    home: [],
    folder: ['.vscode/mcp.json', '.mcp.json'],
    besides: [
      '.vscode/settings.json',
      '.devcontainer.json',
      '.devcontainer',
      '.cursor/mcp.json',
      '.github/agents',
      '.github/chatmodes',
    ],
    code: [],
  },
  copilot: {
    home: ['.copilot/mcp-config.json'],
    folder: ['.mcp.json', '.github/mcp.json', '.vscode/mcp.json', '.copilot/mcp-config.json'],
    besides: ['.github/agents', '.github/copilot', '.claude/agents', '.claude/settings.json'],
    code: ['.github/extensions'],
  },
  claude: { home: ['.claude.json'], folder: ['.mcp.json'], besides: ['.claude/agents'], code: [] },
  codex: { home: ['.codex/config.toml'], folder: ['.codex/config.toml'], besides: ['.codex/agents'], code: [] },
  gemini: {
    home: ['.gemini/settings.json'],
    folder: ['.gemini/settings.json'],
    besides: ['.gemini/agents'],
    code: ['.gemini/extensions'],
  },
  qwen: {
    home: ['.qwen/settings.json'],
    folder: ['.qwen/settings.json', '.mcp.json'],
    besides: ['.qwen/agents'],
    code: ['.qwen/extensions'],
  },
  cursor: {
    home: ['.cursor/mcp.json'],
    folder: ['.cursor/mcp.json', '.mcp.json'],
    besides: ['.cursor/agents'],
    code: [],
  },
  opencode: {
    home: ['.config/opencode/opencode.json', '.config/opencode/opencode.jsonc'],
    folder: ['opencode.json', 'opencode.jsonc'],
    besides: [],
    code: ['.opencode'],
  },
};
