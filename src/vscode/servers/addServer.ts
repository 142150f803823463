import * as vscode from 'vscode';
import { viewIds } from '../manifest/commands/viewIds';
import { isObject, type JsonObject } from '../../core/base/json';
import { visibleText } from '../../core/base/visible';
import { type EditorServer, readEditorServers } from '../../core/foreign/editorConfig';
import { readEnvironment, readHeaders, type ReadPairs, splitCommand } from '../../core/foreign/entryText';
import { contentLines } from '../../core/foreign/entryWords';
import { secretNames } from '../../core/foreign/references';
import { parseServers } from '../../core/foreign/serverSpec';
import type { ServerCommand, ServerCommandContext } from './serverCommand';
import { askSecrets, serverEntries, writeServerEntry } from './serverSettings';

interface Item extends vscode.QuickPickItem {
  readonly run?: () => Promise<void>;
}

/** Adds a server from what the person types, or takes one over from a file of the editor or another client. */
export const addMcpServer: ServerCommand<'editorFiles' | 'questions' | 'secrets' | 'servers'> = async (context) => {
  const title = vscode.l10n.t('Add an MCP server');
  const found = (await context.editorFiles()).flatMap(({ file, value, folder }) =>
    readEditorServers(value, folder).servers.map((server): Item => ({
      label: vscode.l10n.t('Take over {0}', visible(server.name)),
      description: visible(file),
      detail: [commandOf(server.entry), ...server.notes].map(visible).join(' · '),
      iconPath: new vscode.ThemeIcon('move'),
      run: () => takeOver(context, file, server),
    })),
  );
  const items: Item[] = [
    {
      label: vscode.l10n.t('A program on this machine…'),
      detail: vscode.l10n.t('Started by a command, spoken to over its standard streams'),
      iconPath: new vscode.ThemeIcon('terminal'),
      run: () => addProgram(context),
    },
    {
      label: vscode.l10n.t('A server with an address…'),
      detail: vscode.l10n.t('Reached over HTTP'),
      iconPath: new vscode.ThemeIcon('globe'),
      run: () => addAddress(context),
    },
    ...(found.length > 0
      ? [{ label: vscode.l10n.t('Configured elsewhere'), kind: vscode.QuickPickItemKind.Separator }, ...found]
      : []),
  ];
  const picked = await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true, matchOnDescription: true });
  await picked?.run?.();
};

async function addProgram(context: Pick<ServerCommandContext, 'secrets' | 'servers'>): Promise<void> {
  const name = await askName(context);
  if (name === undefined) return;
  const line = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add the MCP server {0} (2/3)', name),
    prompt: vscode.l10n.t('Command with its arguments; no shell is involved'),
    placeHolder: 'npx -y @modelcontextprotocol/server-memory',
    ignoreFocusOut: true,
    validateInput: (text) => (splitCommand(text).length > 0 ? undefined : vscode.l10n.t('A command is needed.')),
  });
  if (line === undefined) return;
  const env = await askPairs(
    vscode.l10n.t('Add the MCP server {0} (3/3)', name),
    vscode.l10n.t('Environment, such as {0}; Enter for none', 'API_KEY=${secret:api_key}'),
    readEnvironment,
  );
  if (!env) return;
  const [command = '', ...args] = splitCommand(line);
  await save(context, name, {
    type: 'stdio',
    command,
    args: [...args],
    ...(Object.keys(env).length > 0 ? { env } : {}),
  });
}

async function addAddress(context: Pick<ServerCommandContext, 'secrets' | 'servers'>): Promise<void> {
  const name = await askName(context);
  if (name === undefined) return;
  const url = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add the MCP server {0} (2/3)', name),
    prompt: vscode.l10n.t('Address of its streamable HTTP endpoint'),
    placeHolder: 'https://example.com/mcp',
    ignoreFocusOut: true,
    validateInput: (text) => faultOf(name, { type: 'http', url: text.trim() }),
  });
  if (url === undefined) return;
  const headers = await askPairs(
    vscode.l10n.t('Add the MCP server {0} (3/3)', name),
    vscode.l10n.t('Headers, such as {0}; Enter for none', 'Authorization: Bearer ${secret:token}'),
    readHeaders,
  );
  if (!headers) return;
  await save(context, name, { type: 'http', url: url.trim(), ...(Object.keys(headers).length > 0 ? { headers } : {}) });
}

async function askName(context: Pick<ServerCommandContext, 'servers'>): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Add an MCP server (1/3)'),
    prompt: vscode.l10n.t('Name of the server; its tools carry it in front of theirs'),
    ignoreFocusOut: true,
    validateInput: (value) => nameFault(context, value),
  });
}

function nameFault(context: Pick<ServerCommandContext, 'servers'>, name: string): string | undefined {
  if (!/^[\w.-]{1,64}$/.test(name)) return vscode.l10n.t('Use letters, digits, dots, - and _.');
  if (context.servers.list().some((one) => one.name === name) || Object.hasOwn(serverEntries('user'), name))
    return vscode.l10n.t('There is a server of this name already.');
  return undefined;
}

async function askPairs(
  title: string,
  prompt: string,
  read: (text: string) => ReadPairs,
): Promise<Readonly<Record<string, string>> | undefined> {
  const text = await vscode.window.showInputBox({
    title,
    prompt,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const { fault } = read(value);
      return fault === undefined ? undefined : vscode.l10n.t('This part cannot be read: {0}', fault);
    },
  });
  return text === undefined ? undefined : read(text).pairs;
}

async function takeOver(
  context: Pick<ServerCommandContext, 'questions' | 'secrets' | 'servers'>,
  file: string,
  server: EditorServer,
): Promise<void> {
  const take = vscode.l10n.t('Take Over');
  const exists = context.servers.list().some((one) => one.name === server.name);
  const [spec] = parseServers({ [server.name]: server.entry }, 'user').servers;
  // It becomes the person's own entry, which is asked about no more: all of it is shown here.
  const detail = [
    spec ? contentLines({ spec, files: [] }, vscode.l10n.t).join('\n') : '',
    server.notes.map((note) => `• ${note}`).join('\n'),
    ...(exists ? [vscode.l10n.t('It replaces the server of this name that is configured here.')] : []),
    vscode.l10n.t(
      'The entry is copied into your settings. It stays in {0} too: switch it off there, or its tools reach agent mode past the rules.',
      file,
    ),
  ];
  const question = {
    title: vscode.l10n.t('Take over the MCP server "{0}"?', visible(server.name).slice(0, 80)),
    lines: [detail.filter((part) => part !== '').join('\n\n')],
    name: 'mcp-server.txt',
  };
  const isMeant = await context.questions.confirms(question, take);
  if (isMeant) await save(context, server.name, server.entry);
}

/** What would be started or contacted, as one line. */
function commandOf(entry: JsonObject): string {
  const { url, command, args } = entry;
  return typeof url === 'string' ? url : [command, ...(Array.isArray(args) ? args : [])].join(' ');
}

function faultOf(name: string, entry: JsonObject): string | undefined {
  return parseServers({ [name]: entry }, 'user').problems.find((one) => one.severity === 'error')?.message;
}

async function save(
  context: Pick<ServerCommandContext, 'secrets' | 'servers'>,
  name: string,
  entry: JsonObject,
): Promise<void> {
  const [spec] = parseServers({ [name]: entry }, 'user').servers;
  if (!spec) throw new Error(faultOf(name, entry) ?? vscode.l10n.t('The server cannot be read.'));
  // Before it is written: the server starts as soon as it stands in the settings.
  await askSecrets(secretNames(spec.transport), context.secrets);
  const before = serverEntries('user')[name];
  await writeServerEntry('user', name, isObject(before) ? { ...kept(before), ...entry } : entry);
  await vscode.commands.executeCommand(`${viewIds.capabilities}.focus`);
  await context.servers.discover();
}

/** What the person wrote about an entry that is replaced: the judgement of its tools stays. */
function kept(before: Readonly<Record<string, unknown>>): JsonObject {
  const keys = ['tools', 'accessMapping', 'timeoutMs', 'protocol', 'roots'];
  // It came from the settings, which hold JSON.
  return Object.fromEntries(Object.entries(before).filter(([key]) => keys.includes(key))) as JsonObject;
}

function visible(text: string): string {
  return visibleText(text).text;
}
