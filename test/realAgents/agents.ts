import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AgentId } from '../../src/core/protection/agents';
import type { ModelCall } from './model/script';

/** Where one agent runs: a home and a workspace of its own, and a model on loopback. */
export interface AgentPlace {
  readonly home: string;
  readonly workspace: string;
  readonly port: number;
  /** A Node that is new enough for the agent. */
  readonly node: string;
  /** A server of files, as somebody has it beside us: the program and its arguments. */
  readonly fileServer: readonly [string, ...string[]];
}

/** What an agent calls its own tools: each makes a call that its user asks for. */
export interface AgentCalls {
  readonly shell: (command: string) => ModelCall;
  readonly read?: (file: string) => ModelCall;
  readonly write: (file: string, text: string) => ModelCall;
  readonly fetch?: (url: string) => ModelCall;
  readonly mcpRead: (file: string) => ModelCall;
}

/** A real program from the registry and how it is started without a person and without credentials. */
export interface RealAgent {
  readonly id: AgentId;
  /** The package that tells the version. */
  readonly package: string;
  /** The program, below the folder it is installed in; started by Node where it is a script. */
  readonly program: () => string;
  readonly isScript: boolean;
  /** True for those that the whole run starts: they are the quickest. */
  readonly isQuick: boolean;
  /** A file of secrets that the agent itself does not keep closed. */
  readonly secretFile: string;
  /** True where packages for other systems, which it names, stand in no registry. */
  readonly isLockPartial?: boolean;
  /** Has it run hooks that its user did not look at: an entry that a test changed is another one. */
  readonly trustAll?: readonly string[];
  /** Writes what the agent has to find in its home. */
  prepare(place: AgentPlace): void;
  arguments(place: AgentPlace): readonly string[];
  environment(place: AgentPlace): Readonly<Record<string, string>>;
  calls(place: AgentPlace): AgentCalls;
}

const prompt = 'do it';
const platform = `${process.platform}-${process.arch}`;

function write(file: string, content: string | object): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`);
}

const server = ({ fileServer: [command, ...args] }: AgentPlace): { command: string; args: readonly string[] } => ({
  command,
  args,
});

const claude: RealAgent = {
  id: 'claude',
  package: '@anthropic-ai/claude-code',
  program: () => `@anthropic-ai/claude-code-${platform}/claude`,
  isScript: false,
  isQuick: true,
  secretFile: '.env',
  prepare: (place) => write(path.join(place.home, 'servers.json'), { mcpServers: { files: server(place) } }),
  arguments: ({ home }) => [
    '-p',
    prompt,
    '--output-format',
    'stream-json',
    '--verbose',
    '--model',
    'stub',
    '--mcp-config',
    path.join(home, 'servers.json'),
    '--allowedTools',
    'Bash Read Write WebFetch mcp__files',
  ],
  environment: ({ port }) => ({
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: 'sk-dummy',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    ENABLE_TOOL_SEARCH: 'false',
  }),
  calls: ({ workspace }) => ({
    shell: (command) => ({ tool: 'Bash', input: { command, description: 'run it' } }),
    read: (file) => ({ tool: 'Read', input: { file_path: path.join(workspace, file) } }),
    write: (file, content) => ({ tool: 'Write', input: { file_path: path.join(workspace, file), content } }),
    fetch: (url) => ({ tool: 'WebFetch', input: { url, prompt: 'what is there' } }),
    mcpRead: (file) => ({ tool: 'mcp__files__read_text_file', input: { path: path.join(workspace, file) } }),
  }),
};

const codex: RealAgent = {
  id: 'codex',
  package: '@openai/codex',
  program: () => '@openai/codex/bin/codex.js',
  isScript: true,
  isQuick: true,
  secretFile: '.env',
  trustAll: ['--dangerously-bypass-hook-trust'],
  prepare({ home, port, workspace, ...place }) {
    const { command, args } = server({ home, port, workspace, ...place });
    write(
      path.join(home, '.codex', 'config.toml'),
      `model = "gpt-5.5"
model_provider = "stub"
check_for_update_on_startup = false

[model_providers.stub]
name = "stub"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
env_key = "STUB_KEY"

[mcp_servers.files]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}

[projects.${JSON.stringify(workspace)}]
trust_level = "trusted"
`,
    );
  },
  arguments: () => ['exec', '--skip-git-repo-check', '--json', '-s', 'danger-full-access', prompt],
  environment: () => ({ STUB_KEY: 'dummy' }),
  calls: ({ workspace }) => ({
    shell: (cmd) => ({ tool: 'exec_command', input: { cmd, workdir: workspace } }),
    write: (file, text) => ({
      tool: 'apply_patch',
      isText: true,
      input: { text: `*** Begin Patch\n*** Add File: ${file}\n+${text}\n*** End Patch\n` },
    }),
    mcpRead: (file) => ({
      tool: 'read_text_file',
      namespace: 'mcp__files',
      input: { path: path.join(workspace, file) },
    }),
  }),
};

const gemini: RealAgent = {
  id: 'gemini',
  package: '@google/gemini-cli',
  program: () => '@google/gemini-cli/bundle/gemini.js',
  isScript: true,
  isQuick: false,
  secretFile: 'server.pem',
  prepare: (place) =>
    write(path.join(place.home, '.gemini', 'settings.json'), {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
      mcpServers: { files: { ...server(place), trust: true } },
    }),
  arguments: () => ['-p', prompt, '-y', '--skip-trust', '-o', 'stream-json', '-m', 'gemini-2.5-flash'],
  environment: ({ port }) => ({ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}` }),
  calls: ({ workspace }) => ({
    shell: (command) => ({ tool: 'run_shell_command', input: { command, description: 'run it' } }),
    read: (file) => ({ tool: 'read_file', input: { file_path: path.join(workspace, file) } }),
    write: (file, content) => ({ tool: 'write_file', input: { file_path: path.join(workspace, file), content } }),
    fetch: (url) => ({ tool: 'web_fetch', input: { prompt: `what is at ${url}` } }),
    mcpRead: (file) => ({ tool: 'mcp_files_read_text_file', input: { path: path.join(workspace, file) } }),
  }),
};

const copilot: RealAgent = {
  id: 'copilot',
  package: '@github/copilot',
  program: () => '@github/copilot/npm-loader.js',
  isScript: true,
  isQuick: false,
  secretFile: '.env',
  prepare: (place) =>
    write(path.join(place.home, '.copilot', 'mcp-config.json'), {
      mcpServers: { files: { type: 'local', ...server(place), tools: ['*'] } },
    }),
  arguments: () => ['-p', prompt, '--allow-all-tools', '--allow-all-paths', '--disable-builtin-mcps'],
  environment: ({ port }) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${port}/v1`,
    COPILOT_PROVIDER_API_KEY: 'dummy',
    COPILOT_MODEL: 'stub',
  }),
  calls: ({ workspace }) => ({
    shell: (command) => ({ tool: 'bash', input: { command, description: 'run it' } }),
    read: (file) => ({ tool: 'view', input: { path: path.join(workspace, file) } }),
    write: (file, text) => ({ tool: 'create', input: { path: path.join(workspace, file), file_text: text } }),
    fetch: (url) => ({ tool: 'web_fetch', input: { url } }),
    mcpRead: (file) => ({ tool: 'files-read_text_file', input: { path: path.join(workspace, file) } }),
  }),
};

const qwen: RealAgent = {
  id: 'qwen',
  package: '@qwen-code/qwen-code',
  program: () => '@qwen-code/qwen-code/cli-entry.js',
  isScript: true,
  isQuick: false,
  secretFile: '.env',
  isLockPartial: true,
  prepare: (place) =>
    write(path.join(place.home, '.qwen', 'settings.json'), {
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
      mcpServers: { files: { ...server(place), trust: true } },
    }),
  arguments: ({ port }) => [
    '-p',
    prompt,
    '--auth-type',
    'openai',
    '--openai-base-url',
    `http://127.0.0.1:${port}/v1`,
    '--openai-api-key',
    'dummy',
    '-m',
    'stub',
    '-y',
  ],
  environment: () => ({}),
  calls: ({ workspace }) => ({
    shell: (command) => ({ tool: 'run_shell_command', input: { command, is_background: false } }),
    read: (file) => ({ tool: 'read_file', input: { file_path: path.join(workspace, file) } }),
    write: (file, content) => ({ tool: 'write_file', input: { file_path: path.join(workspace, file), content } }),
    fetch: (url) => ({ tool: 'web_fetch', input: { url, prompt: 'what is there' } }),
    mcpRead: (file) => ({ tool: 'mcp__files__read_text_file', input: { path: path.join(workspace, file) } }),
  }),
};

const opencode: RealAgent = {
  id: 'opencode',
  package: 'opencode-ai',
  program: () => `opencode-${platform}/bin/opencode`,
  isScript: false,
  isQuick: false,
  secretFile: '.env',
  isLockPartial: true,
  prepare: (place) =>
    write(path.join(place.home, '.config', 'opencode', 'opencode.json'), {
      autoupdate: false,
      share: 'disabled',
      model: 'stub/stub',
      small_model: 'stub/stub',
      permission: 'allow',
      provider: {
        stub: {
          npm: '@ai-sdk/openai-compatible',
          name: 'stub',
          options: { baseURL: `http://127.0.0.1:${place.port}/v1`, apiKey: 'dummy' },
          models: { stub: { name: 'stub', tool_call: true } },
        },
      },
      mcp: { files: { type: 'local', command: place.fileServer, enabled: true } },
    }),
  arguments: () => ['run', '--format', 'json', prompt],
  environment: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }),
  calls: ({ workspace }) => ({
    shell: (command) => ({ tool: 'bash', input: { command, description: 'run it' } }),
    read: (file) => ({ tool: 'read', input: { filePath: path.join(workspace, file) } }),
    write: (file, content) => ({ tool: 'write', input: { filePath: path.join(workspace, file), content } }),
    fetch: (url) => ({ tool: 'webfetch', input: { url, format: 'text' } }),
    mcpRead: (file) => ({ tool: 'files_read_text_file', input: { path: path.join(workspace, file) } }),
  }),
};

export const realAgents: readonly RealAgent[] = [claude, codex, gemini, copilot, qwen, opencode];
