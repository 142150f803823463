import * as vscode from 'vscode';
import { agrees } from '../confirm/modalSurface';
import type { ServerStatus } from '../../core/foreign/serverStatus';
import type { ServerCommand } from './serverCommand';
import { pickServer } from './pickServer';
import { openSettingsAt } from '../files/openAt';
import { writeServerEntry } from './serverSettings';
import { showInformation } from '../notices';

/** Servers that the person can change here; those of an organisation are in its own file. */
const isOwn = ({ origin }: ServerStatus): boolean => origin !== 'managed';

export const editMcpServer: ServerCommand<'selection' | 'servers'> = async (context, ...args) => {
  const server = await pickServer(context, args, vscode.l10n.t('Edit MCP Server'), isOwn);
  if (!server) return;
  if (server.origin === 'managed') return void tellManaged(server);
  await openSettingsAt(server.origin, server.name, 'mcp.servers');
};

export const removeMcpServer: ServerCommand<'selection' | 'servers'> = async (context, ...args) => {
  const server = await pickServer(context, args, vscode.l10n.t('Remove MCP Server'), isOwn);
  if (!server) return;
  if (server.origin === 'managed') return void tellManaged(server);
  const question = vscode.l10n.t('Remove the MCP server "{0}"?', server.name);
  const detail = vscode.l10n.t(
    'Its entry leaves {0}, the approval of its tools is forgotten, and you are signed out of it. Secrets that the entry names stay.',
    server.origin === 'user' ? vscode.l10n.t('your settings') : vscode.l10n.t("the workspace's settings"),
  );
  if (!(await agrees(question, detail, vscode.l10n.t('Remove')))) return;
  await context.servers.forget(server.name);
  await writeServerEntry(server.origin, server.name, undefined);
};

async function tellManaged(server: ServerStatus): Promise<void> {
  await showInformation(
    vscode.l10n.t('The MCP server "{0}" comes from the managed settings and cannot be changed here.', server.name),
  );
}
