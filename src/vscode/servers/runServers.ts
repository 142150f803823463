import * as vscode from 'vscode';
import type { ServerCommand, ServerCommandContext } from './serverCommand';
import { pickServer } from './pickServer';

export const startMcpServer: ServerCommand<'selection' | 'servers' | 'showLog'> = async (context, ...args) => {
  const server = await pickServer(
    context,
    args,
    vscode.l10n.t('Start MCP Server'),
    ({ state }) => state !== 'running' && state !== 'disabled',
  );
  if (server) await withProgress(vscode.l10n.t('Starting {0}', server.name), () => context.servers.start(server.name));
  if (server) await tellFailure(context, server.name);
};

export const stopMcpServer: ServerCommand<'selection' | 'servers'> = async (context, ...args) => {
  const server = await pickServer(
    context,
    args,
    vscode.l10n.t('Stop MCP Server'),
    ({ state }) => state === 'running' || state === 'starting',
  );
  if (server) await context.servers.stop(server.name);
};

export const restartMcpServer: ServerCommand<'selection' | 'servers' | 'showLog'> = async (context, ...args) => {
  const server = await pickServer(
    context,
    args,
    vscode.l10n.t('Restart MCP Server'),
    ({ state }) => state !== 'disabled',
  );
  if (server)
    await withProgress(vscode.l10n.t('Restarting {0}', server.name), () => context.servers.restart(server.name));
  if (server) await tellFailure(context, server.name);
};

/** The server asks for a sign-in again once it is started by hand. */
export const signOutMcpServer: ServerCommand<'selection' | 'servers'> = async (context, ...args) => {
  const server = await pickServer(
    context,
    args,
    vscode.l10n.t('Sign Out of MCP Server'),
    ({ signsIn }) => signsIn === true,
  );
  if (!server) return;
  const done = await context.servers.signOut(server.name);
  const words = {
    revoked: vscode.l10n.t('Signed out of the MCP server "{0}"; its tokens are revoked.', server.name),
    deleted: vscode.l10n.t(
      'Signed out of the MCP server "{0}". Its tokens are gone from here; whoever issued them was not told, so they hold until they expire.',
      server.name,
    ),
    none: vscode.l10n.t('Nobody was signed in to the MCP server "{0}".', server.name),
  };
  // The command ends here; the message stays until it is read.
  void vscode.window.showInformationMessage(words[done]);
};

/** New or changed tools are asked about again; approved ones are shown, with what is believed of them. */
export const reviewMcpServer: ServerCommand<'selection' | 'servers' | 'showLog'> = async (context, ...args) => {
  const server = await pickServer(
    context,
    args,
    vscode.l10n.t('Review Tools of MCP Server'),
    ({ state }) => state !== 'disabled',
  );
  if (!server) return;
  await context.servers.reconsider(server.name);
  await tellFailure(context, server.name);
};

export const showMcpServerLog: ServerCommand<'selection' | 'servers' | 'showLog'> = async (context, ...args) => {
  const server = await pickServer(context, args, vscode.l10n.t('Show MCP Server Log'));
  if (server) await context.showLog(server.name);
};

async function withProgress(title: string, run: () => Promise<void>): Promise<void> {
  await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, run);
}

/** A start that failed leaves its reason in the tree; who asked for it is told at once. */
async function tellFailure(context: Pick<ServerCommandContext, 'servers' | 'showLog'>, name: string): Promise<void> {
  const server = context.servers.list().find((one) => one.name === name);
  if (server?.state !== 'failed') return;
  const show = vscode.l10n.t('Show Log');
  // The command ends here; who reads the message later still gets to the log.
  void vscode.window
    .showErrorMessage(vscode.l10n.t('The MCP server "{0}" failed: {1}', name, server.detail ?? ''), show)
    .then((answer) => {
      if (answer === show) void context.showLog(name);
    });
}
