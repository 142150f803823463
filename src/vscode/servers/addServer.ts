import * as vscode from 'vscode';
import { readEnvironment, readHeaders, type ReadPairs, splitCommand } from '../../core/foreign/entryText';
import type { ServerCommand, ServerCommandContext } from './serverCommand';
import { faultOf, saveServer, serverEntries } from './serverSettings';
import { type ServerItem, serversElsewhere } from './takeOverServer';

/** Adds a server from what the person types, or takes one over from a file of the editor or another client. */
export const addMcpServer: ServerCommand<'editorFiles' | 'questions' | 'secrets' | 'servers'> = async (context) => {
  const title = vscode.l10n.t('Add an MCP server');
  const elsewhere = await serversElsewhere(context);
  const items: ServerItem[] = [
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
    ...elsewhere,
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
  const example = 'API_KEY=${secret:api_key}';
  const env = await askPairs(name, vscode.l10n.t('Environment, such as {0}; Enter for none', example), readEnvironment);
  if (!env) return;
  const [command = '', ...args] = splitCommand(line);
  await saveServer(context, name, { type: 'stdio', command, args, ...(Object.keys(env).length > 0 ? { env } : {}) });
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
  const example = 'Authorization: Bearer ${secret:token}';
  const headers = await askPairs(name, vscode.l10n.t('Headers, such as {0}; Enter for none', example), readHeaders);
  if (!headers) return;
  const more = Object.keys(headers).length > 0 ? { headers } : {};
  await saveServer(context, name, { type: 'http', url: url.trim(), ...more });
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
  name: string,
  prompt: string,
  read: (text: string) => ReadPairs,
): Promise<Readonly<Record<string, string>> | undefined> {
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add the MCP server {0} (3/3)', name),
    prompt,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const { fault } = read(value);
      return fault === undefined ? undefined : vscode.l10n.t('This part cannot be read: {0}', fault);
    },
  });
  return text === undefined ? undefined : read(text).pairs;
}
