import * as vscode from 'vscode';
import type { ServerStatus } from '../../core/foreign/serverStatus';
import { isTreeRow } from '../../core/present/treeRow';
import { serverRows } from '../../core/present/serverRows';
import { runCommand } from '../manifest/commands/runCommand';
import type { ServerCommandContext } from './serverCommand';
import { isGoneRow } from '../goneRow';
import { showInformation } from '../notices';

/**
 * The server that a command is for: the clicked or selected row's, the one that a program names, else the one that the
 * person picks.
 */
export async function pickServer(
  context: Pick<ServerCommandContext, 'selection' | 'servers'>,
  args: readonly unknown[],
  title: string,
  fits: (server: ServerStatus) => boolean = () => true,
): Promise<ServerStatus | undefined> {
  if (isGoneRow(args)) return undefined;
  const list = context.servers.list();
  const [first] = args;
  const row = context.selection(isTreeRow(first) ? first : undefined).find((one) => one.kind === 'server');
  const named = typeof first === 'string' ? first : row?.kind === 'server' ? row.server : undefined;
  const found = list.find((one) => one.name === named);
  if (found) return found;
  if (list.length === 0) {
    const add = vscode.l10n.t('Add MCP Server…');
    const answer = await showInformation(vscode.l10n.t('There are no MCP servers yet.'), add);
    if (answer === add) await runCommand('addMcpServer');
    return undefined;
  }
  const fitting = list.filter(fits);
  if (fitting.length === 0) {
    void showInformation(vscode.l10n.t('No MCP server is in a state for this.'));
    return undefined;
  }
  // The words of the tree's rows, so that both speak alike.
  const words = new Map(
    serverRows({ servers: list, tools: () => ({ isOn: false, tools: [] }), t: vscode.l10n.t })
      .flatMap((group) => group.children())
      .map((one) => [one.kind === 'server' ? one.server : '', one]),
  );
  const items = fitting.map((server) => {
    const one = words.get(server.name);
    return { label: one?.label ?? server.name, description: one?.description ?? '', server };
  });
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.server;
}
