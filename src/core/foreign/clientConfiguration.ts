import { shellWord } from '../shell/shellWord';

/** The agents outside the editor that can use our tools. */
export const clientNames = ['claude-code', 'codex', 'copilot-cli', 'generic'] as const;
export type ClientName = (typeof clientNames)[number];

export interface ClientConfigurationOptions {
  /** The program and what comes before its arguments, such as `node` and the path of `cli.js`. */
  readonly command: readonly [string, ...string[]];
  readonly workspace: string;
  readonly profile?: string;
  /**
   * False where the profile is the workspace's: its name goes into no file outside of it, and `serve` finds it in the
   * workspace.
   */
  readonly isOwnProfile?: boolean;
  /**
   * The user's own settings by key without the prefix, as they stand now: outside the editor nobody else knows them.
   */
  readonly settings?: Readonly<Record<string, unknown>>;
}

export interface ClientConfiguration {
  readonly client: ClientName;
  /** How people call the client. */
  readonly title: string;
  /** Where the text goes, for people. */
  readonly where: string;
  readonly language: 'json' | 'toml' | 'shellscript';
  readonly text: string;
}

const serverName = 'agent-capabilities';

/**
 * Writes what a client needs to start `serve` on stdio. Nothing in it is secret: the client's own process is the only
 * one that can speak to it.
 */
export function clientConfiguration(client: ClientName, options: ClientConfigurationOptions): ClientConfiguration {
  const [command, ...before] = options.command;
  const args = [
    ...before,
    'serve',
    '--workspace',
    options.workspace,
    ...(options.profile === undefined || (options.isOwnProfile === false && client !== 'claude-code')
      ? []
      : ['--profile', options.profile]),
    ...Object.entries(options.settings ?? {}).flatMap(([key, value]) => ['--set', `${key}=${JSON.stringify(value)}`]),
  ];
  const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;
  switch (client) {
    case 'claude-code':
      return {
        client,
        title: 'Claude Code',
        where: '.mcp.json in the project, or the same entry in your user settings',
        language: 'json',
        text: json({ mcpServers: { [serverName]: { type: 'stdio', command, args } } }),
      };
    case 'codex':
      return {
        client,
        title: 'Codex',
        where: '~/.codex/config.toml',
        language: 'toml',
        text: `[mcp_servers.${serverName}]\ncommand = ${tomlText(command)}\nargs = [${args.map(tomlText).join(', ')}]\n`,
      };
    case 'copilot-cli':
      return {
        client,
        title: 'Copilot CLI',
        where: '~/.copilot/mcp-config.json',
        language: 'json',
        text: json({ mcpServers: { [serverName]: { type: 'local', command, args, tools: ['*'] } } }),
      };
    case 'generic':
      return {
        client,
        title: 'Another MCP client',
        where: 'the command that the client shall start',
        language: 'shellscript',
        text: `${shellLine([command, ...args])}\n`,
      };
  }
}

/** A basic string of TOML: the escapes of JSON, but for the delete character. */
function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007F');
}

/** A line for a shell; words that hold anything special are quoted. */
export const shellLine = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellWord(word))).join(' ');
