import * as vscode from 'vscode';
import { worded } from '../../core/base/sentence';
import type { ServerStatus } from '../../core/foreign/serverStatus';
import type { ServerCommand, ServerCommandContext } from './serverCommand';
import { agrees } from '../confirm/modalSurface';
import { openSettingsAt } from '../files/openAt';
import { pickServer } from './pickServer';
import { writeServerEntry } from './serverSettings';
import { showError, showInformation } from '../notices';

/** A command for one server: the one that is meant, or that the person picks among those that fit. */
function forServer(
  title: () => string,
  fits: (server: ServerStatus) => boolean,
  run: (context: Pick<ServerCommandContext, 'servers' | 'showLog'>, name: string) => Promise<void>,
): ServerCommand<'selection' | 'servers' | 'showLog'> {
  return async (context, ...args) => {
    const server = await pickServer(context, args, title(), fits);
    if (server) await run(context, server.name);
  };
}

export const startMcpServer = forServer(
  () => vscode.l10n.t('Start MCP Server'),
  ({ state }) => state !== 'running' && state !== 'disabled',
  async (context, name) => {
    await withProgress(vscode.l10n.t('Starting {0}', name), () => context.servers.start(name));
    await tellFailure(context, name);
  },
);

export const stopMcpServer = forServer(
  () => vscode.l10n.t('Stop MCP Server'),
  ({ state }) => state === 'running' || state === 'starting',
  (context, name) => context.servers.stop(name),
);

export const restartMcpServer = forServer(
  () => vscode.l10n.t('Restart MCP Server'),
  ({ state }) => state !== 'disabled',
  async (context, name) => {
    await withProgress(vscode.l10n.t('Restarting {0}', name), () => context.servers.restart(name));
    await tellFailure(context, name);
  },
);

/** The server asks for a sign-in again once it is started by hand. */
export const signOutMcpServer = forServer(
  () => vscode.l10n.t('Sign Out of MCP Server'),
  ({ signsIn }) => signsIn === true,
  async (context, name) => {
    const words = {
      revoked: vscode.l10n.t('Signed out of the MCP server "{0}"; its tokens are revoked.', name),
      deleted: vscode.l10n.t(
        'Signed out of the MCP server "{0}". Its tokens are gone from here; whoever issued them was not told, so they hold until they expire.',
        name,
      ),
      none: vscode.l10n.t('Nobody was signed in to the MCP server "{0}".', name),
    };
    const done = await context.servers.signOut(name);
    // The command ends here; the message stays until it is read.
    void showInformation(words[done]);
  },
);

/** New or changed tools are asked about again; approved ones are shown, with what is believed of them. */
export const reviewMcpServer = forServer(
  () => vscode.l10n.t('Review Tools of MCP Server'),
  ({ state }) => state !== 'disabled',
  async (context, name) => {
    await context.servers.reconsider(name);
    await tellFailure(context, name);
  },
);

export const showMcpServerLog = forServer(
  () => vscode.l10n.t('Show MCP Server Log'),
  () => true,
  (context, name) => context.showLog(name),
);

async function withProgress(title: string, run: () => Promise<void>): Promise<void> {
  await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, run);
}

/** A start that failed leaves its reason in the tree; who asked for it is told at once. */
async function tellFailure(context: Pick<ServerCommandContext, 'servers' | 'showLog'>, name: string): Promise<void> {
  const server = context.servers.list().find((one) => one.name === name);
  if (server?.state !== 'failed') return;
  const show = vscode.l10n.t('Show Log');
  // The command ends here; who reads the message later still gets to the log.
  const detail = server.detail ? worded(server.detail, vscode.l10n.t) : '';
  void showError(vscode.l10n.t('The MCP server "{0}" failed: {1}', name, detail), show).then((answer) => {
    if (answer === show) void context.showLog(name);
  });
}

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
