import * as vscode from 'vscode';
import { isObject, type JsonObject } from '../core/base/json';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import {
  type ClientConfiguration,
  clientConfiguration,
  type ClientConfigurationOptions,
  clientNames,
} from '../core/mcp/clientConfiguration';
import { readEditorServers } from '../core/mcp/editorConfig';
import { parseServers } from '../core/mcp/serverSpec';
import { commandId } from './manifest/commands';

/** The servers as commands need them; implemented by the manager in `src/mcp`. */
export interface ServerList {
  list(): readonly { readonly name: string; readonly state: string; readonly detail?: string; readonly tools: number }[];
  log(name: string): readonly string[];
  restart(name: string): Promise<void>;
  discover(): Promise<void>;
}

export interface McpCommandParts {
  readonly servers: ServerList;
  /** The value of an mcp.json and where it was found, for each that exists. */
  readonly editorFiles: () => Promise<readonly { readonly file: string; readonly value: unknown }[]>;
  readonly client: () => ClientConfigurationOptions;
  /** The address of seed 3's API and its token, for a person only; starts it. */
  readonly api: () => Promise<{ readonly url: string; readonly token: string }>;
  readonly showText: (name: string, text: string) => unknown;
  readonly onProblem: (message: string) => void;
}

const setting = 'agentCapabilities.mcp.servers';

/** Registers Add MCP Server…, Restart MCP Server…, Show MCP Server Log… and Copy Client Configuration…. */
export function registerMcpCommands(parts: McpCommandParts): Disposable {
  const store = new DisposableStore();
  const handlers = {
    addMcpServer: () => addServer(parts),
    restartMcpServer: (name: unknown) => restartServer(parts, name),
    showMcpServerLog: (name: unknown) => showLog(parts, name),
    copyClientConfiguration: (client: unknown) => copyConfiguration(parts, client),
  } as const;
  for (const [id, handler] of Object.entries(handlers))
    store.add(
      vscode.commands.registerCommand(commandId(id), async (argument: unknown) => {
        try {
          return await handler(argument);
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          parts.onProblem(`the command ${id} failed: ${message}`);
          throw new Error(message, { cause: error });
        }
      }),
    );
  return store;
}

async function addServer(parts: McpCommandParts): Promise<void> {
  const found = (await parts.editorFiles()).flatMap(({ file, value }) =>
    readEditorServers(value).servers.map((server) => ({ file, server })),
  );
  const own = vscode.l10n.t('A program on this machine…');
  const remote = vscode.l10n.t('A server with an address…');
  const items = [
    { label: own, iconPath: new vscode.ThemeIcon('terminal') },
    { label: remote, iconPath: new vscode.ThemeIcon('globe') },
    ...found.map(({ file, server }) => ({
      label: vscode.l10n.t('Take over {0}', server.name),
      description: file,
      detail: server.notes.join('; '),
      server,
    })),
  ];
  const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Add MCP Server'), ignoreFocusOut: true });
  if (!picked) return;
  if ('server' in picked) return save(parts, picked.server.name, picked.server.entry);
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Name of the server'),
    ignoreFocusOut: true,
    validateInput: (value) => (/^[\w.-]{1,64}$/.test(value) ? undefined : vscode.l10n.t('Use letters, digits, dots, - and _.')),
  });
  if (name === undefined) return;
  const text = await vscode.window.showInputBox({
    title: picked.label === own ? vscode.l10n.t('Command with its arguments') : vscode.l10n.t('Address'),
    placeHolder: picked.label === own ? 'npx -y @modelcontextprotocol/server-memory' : 'https://example.com/mcp',
    ignoreFocusOut: true,
  });
  if (text === undefined || text.trim() === '') return;
  const [command = '', ...args] = splitCommand(text);
  await save(parts, name, picked.label === own ? { type: 'stdio', command, args } : { type: 'http', url: text.trim() });
}

/** Splits a command line at blanks outside quotes; no shell is involved. */
export function splitCommand(text: string): readonly string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, word]) => double?.replace(/\\(.)/g, '$1') ?? single ?? word ?? '',
  );
}

async function save(parts: McpCommandParts, name: string, entry: JsonObject): Promise<void> {
  const fault = parseServers({ [name]: entry }, 'user').problems.find((one) => one.severity === 'error');
  if (fault) throw new Error(fault.message);
  const before: unknown = vscode.workspace.getConfiguration().inspect(setting)?.globalValue;
  await vscode.workspace
    .getConfiguration()
    .update(setting, { ...(isObject(before) ? before : {}), [name]: entry }, vscode.ConfigurationTarget.Global);
  await parts.servers.discover();
}

async function pickServer(parts: McpCommandParts, name: unknown, title: string): Promise<string | undefined> {
  const list = parts.servers.list();
  if (typeof name === 'string' && list.some((one) => one.name === name)) return name;
  if (list.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There are no MCP servers yet.'));
    return undefined;
  }
  const items = list.map((one) => ({
    label: one.name,
    description: `${one.state} · ${one.tools}`,
    ...(one.detail === undefined ? {} : { detail: one.detail }),
  }));
  return (await vscode.window.showQuickPick(items, { title }))?.label;
}

async function restartServer(parts: McpCommandParts, name: unknown): Promise<void> {
  const picked = await pickServer(parts, name, vscode.l10n.t('Restart MCP Server'));
  if (picked !== undefined) await parts.servers.restart(picked);
}

async function showLog(parts: McpCommandParts, name: unknown): Promise<void> {
  const picked = await pickServer(parts, name, vscode.l10n.t('Show MCP Server Log'));
  if (picked !== undefined) await parts.showText(`mcp-${picked}.log`, `${parts.servers.log(picked).join('\n')}\n`);
}

async function copyConfiguration(parts: McpCommandParts, client: unknown): Promise<ClientConfiguration | undefined> {
  const all = clientNames.map((name) => clientConfiguration(name, parts.client()));
  const api = vscode.l10n.t('The HTTP API (address and token)');
  const given = all.find((one) => one.client === client);
  const items = [...all.map((one) => ({ label: one.title, detail: one.where })), { label: api, detail: '/v1/capabilities, /v1/agents' }];
  const label = given?.title ?? (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Copy Client Configuration') }))?.label;
  if (label === api) {
    const { url, token } = await parts.api();
    await vscode.env.clipboard.writeText(`${url}\nAuthorization: Bearer ${token}\n`);
    return undefined;
  }
  const picked = all.find((one) => one.title === label);
  if (picked) await vscode.env.clipboard.writeText(picked.text);
  return picked;
}
