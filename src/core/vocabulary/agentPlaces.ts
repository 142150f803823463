import type { hostAgentNames } from './hostAgentNames';

/** Where a user keeps the files of agents. */
export interface UserFolders {
  /** The absolute path of the home folder, without a slash at its end. */
  readonly home: string;
  /** The absolute paths of folders that stand elsewhere, by the variable that says so. */
  readonly moved?: Readonly<Record<string, string>>;
}

type AgentName = keyof typeof hostAgentNames;

/** The variable by which each agent's documents move its files, and the folder below the home that it replaces. */
const moves: Readonly<Partial<Record<AgentName, { readonly variable: string; readonly folder: string }>>> = {
  claude: { variable: 'CLAUDE_CONFIG_DIR', folder: '.claude' },
  codex: { variable: 'CODEX_HOME', folder: '.codex' },
  copilot: { variable: 'COPILOT_HOME', folder: '.copilot' },
  gemini: { variable: 'GEMINI_CLI_HOME', folder: '' },
  opencode: { variable: 'XDG_CONFIG_HOME', folder: '.config' },
  qwen: { variable: 'QWEN_HOME', folder: '.qwen' },
};

/** The variables that move files of agents. */
export const movingVariables: readonly string[] = Object.values(moves).map(({ variable }) => variable);

/** The folder that holds all of an agent's own files: the one that its variable names, else the home folder. */
export const folderOf = (agent: AgentName, { home, moved }: UserFolders): string =>
  moved?.[moves[agent]?.variable ?? ''] ?? home;

/**
 * The absolute path of an agent's own file.
 * @param file its path below the home folder, where nothing is moved; what stands beside the folder that is moved, such
 *   as `.claude.json`, is kept within it then.
 */
export function placeOf(agent: AgentName, user: UserFolders, file: string): string {
  const move = moves[agent];
  const moved = move && user.moved?.[move.variable];
  if (!move || moved === undefined) return `${user.home}/${file}`;
  const isBelow = file === move.folder || file.startsWith(`${move.folder}/`);
  return isBelow ? `${moved}${file.slice(move.folder.length)}` : `${moved}/${file}`;
}
