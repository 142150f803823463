import { localFolders } from '../vscode/files/workspaceFiles';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Widening } from '../core/agent/saveAgent';
import { readJsonDocument } from '../core/base/jsonDocument';
import { say } from '../core/base/sentence';
import { lazy } from '../core/base/lazy';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import { shortName } from '../vscode/visible';
import { offeredTools } from '../core/profiles/offeredTools';
import { wideningLines } from '../core/present/allowanceWords';
import { placeOf } from '../core/vocabulary/agentPlaces';
import { errorSaid } from '../core/vocabulary/errors';
import type { Loopback } from '../mcp/server/loopback';
import { CliLauncher } from '../node/cliLauncher';
import { userFolders } from '../node/folders/userFolders';
import { randomToken } from '../node/system';
import { isRunTime } from '../vscode/tools/agentToolNames';
import { fileText, isMissing } from '../vscode/files/fileText';
import { AgentModeServer } from '../vscode/servers/agentModeServer';
import { ServerLogs } from '../vscode/servers/serverLogs';
import type { EditorServerFile } from '../vscode/servers/serverCommand';
import { addServerCommands } from '../vscode/servers/register';
import type { TextQuestions } from '../vscode/confirm/textQuestions';
import type { EditorParts } from './editorParts';

type McpParts = Pick<EditorParts, 'base' | 'core' | 'editor' | 'outside' | 'tree'>;

/** Everything of MCP in the editor: servers in, run-time tools out on loopback, the agents' API, the commands. */
export function startEditorMcp(parts: McpParts): Disposable & { readonly server: AgentModeServer } {
  const { base, core, outside, tree } = parts;
  const { context, log, texts, version } = base;
  const store = new DisposableStore();
  const tokens = { mcp: randomToken(), api: randomToken() };
  const loopback = lazy((): Promise<Loopback> => start(parts, tokens, store));
  // Built-in tools are in the manifest and other extensions' tools are the editor's own: only the rest is listed here.
  const hasTools = (): boolean => offeredTools(core.tools.profiles.active()).some(isRunTime);
  const server = store.add(
    new AgentModeServer({
      endpoint: async () => ({ url: (await loopback()).url, token: tokens.mcp }),
      hasTools,
      onDidChange: core.tools.profiles.onDidChange,
      version: `${version}+${randomToken()
        .replace(/[^A-Za-z0-9]/g, '')
        .slice(0, 8)}`,
    }),
  );
  const launcher = new CliLauncher(
    context.globalStorageUri.fsPath,
    context.asAbsolutePath(path.join('dist', 'cli.js')),
  );
  launcher
    .refresh()
    .catch((error: unknown) => log.warn(`the launcher of other clients was not brought up to date: ${String(error)}`));
  const logs = store.add(new ServerLogs({ servers: core.servers.list, texts }));
  store.add(
    addServerCommands(base.commands, {
      servers: core.servers.list,
      registry: core.tools.registry,
      secrets: core.gate.ports.secrets,
      questions: base.textQuestions,
      outside,
      user: userFolders(process.env),
      writeText: base.writeText,
      selection: (clicked, selected) => tree.view.selection(clicked, selected),
      editorFiles: () => editorFiles(context),
      client: async () => ({
        command: ['node', await launcher.write()],
        workspace: localFolders()[0] ?? '.',
        profile: core.tools.profiles.activeId,
        isOwnProfile: core.agents.ownAgent(core.tools.profiles.activeId) !== undefined,
        settings: ownSettings(core.settings().layers.user),
      }),
      api: async () => ({ url: `http://127.0.0.1:${(await loopback()).port}/v1`, token: tokens.api }),
      showLog: (name) => logs.show(name),
    }),
  );
  const discover = (): void => {
    core.servers.list
      .discover()
      .catch((error: unknown) => log.error(`discovering MCP servers failed: ${String(error)}`));
  };
  discover();
  store.add(core.onDidChangeSettings((keys) => keys.has('mcp.servers') && discover()));
  store.add(vscode.workspace.onDidGrantWorkspaceTrust(discover));
  // A workspace that is trusted now, or has other folders, is other roots for the servers that work in them.
  for (const event of [vscode.workspace.onDidGrantWorkspaceTrust, vscode.workspace.onDidChangeWorkspaceFolders])
    store.add(event(() => core.servers.list.foldersChanged()));
  return { server, dispose: () => store.dispose() };
}

/** The user's settings that decide what a call may do; what only concerns the editor's own surface stays here. */
function ownSettings(user: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(user).filter(([key]) => !/^(?:activeProfile|saveTo|customAgent\.|confirmation\.surface)/.test(key)),
  );
}

async function start(
  { base, core, editor }: McpParts,
  tokens: { readonly mcp: string; readonly api: string },
  store: DisposableStore,
): Promise<Loopback> {
  const [{ startLoopback }, { GovernedTools }, { RunningCalls }, { agentsApiOf }] = await Promise.all([
    import('../mcp/server/loopback'),
    import('../mcp/server/governed'),
    import('../mcp/server/runningCalls'),
    import('./agentsApi'),
  ]);
  const tools = store.add(
    new GovernedTools({
      registry: core.tools.registry,
      profiles: core.tools.profiles,
      router: core.gate.router,
      // Agent mode has the profile's prompt by the custom agent; a second copy would only cost.
      prompt: () => '',
      found: core.tools.discovery.found,
      only: isRunTime,
      // The editor shows a card of its own before such a tool, with this title, and the gate asks after it.
      actingTitle: (title) => vscode.l10n.t('{0} (allow for the server: Agent Capabilities asks itself)', title),
    }),
  );
  const agents = agentsApiOf(core, editor, { approve: (request) => approveWidening(base.textQuestions, request) });
  return store.add(
    await startLoopback({
      identity: { name: 'agent-capabilities', title: 'Agent Capabilities', version: base.version },
      toolCalls: { tools, calls: new RunningCalls(), crypto: core.gate.ports.crypto },
      port: 0,
      token: tokens.mcp,
      api: { token: tokens.api, agents },
      onError: (error) => base.log.warn(`the loopback server: ${error.message}`),
    }),
  );
}

function approveWidening(questions: TextQuestions, { profile, isNew, from, to }: Widening): Promise<boolean> {
  const name = shortName(profile.name);
  const title = isNew
    ? vscode.l10n.t('Allow the API to create the profile "{0}"?', name)
    : vscode.l10n.t('Allow the API to widen the profile "{0}"?', name);
  const lines = [vscode.l10n.t('Beyond what holds now:'), ...wideningLines(from, to, vscode.l10n.t)];
  return questions.confirms({ title, lines, name: 'widening.txt' }, vscode.l10n.t('Allow'));
}

/** The editor's own server files that exist: the user's, the workspace's, the portable ones. */
async function editorFiles(context: vscode.ExtensionContext): Promise<readonly EditorServerFile[]> {
  const user = vscode.Uri.joinPath(context.globalStorageUri, '..', '..', 'mcp.json');
  const folders = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => [
    { uri: vscode.Uri.joinPath(uri, '.vscode', 'mcp.json'), folder: uri.fsPath },
    { uri: vscode.Uri.joinPath(uri, '.mcp.json'), folder: uri.fsPath },
  ]);
  const portable = vscode.Uri.file(placeOf('copilot', userFolders(process.env), '.copilot/mcp-config.json'));
  const found: EditorServerFile[] = [];
  for (const { uri, ...more } of [{ uri: user }, ...folders, { uri: portable }]) {
    const file = vscode.workspace.asRelativePath(uri);
    try {
      const { value, problems } = readJsonDocument(await fileText(uri), file);
      const fault = problems.find(({ severity }) => severity === 'error')?.said;
      found.push({ uri, file, value, ...(fault ? { fault } : {}), ...more });
    } catch (error) {
      if (isMissing(error)) continue;
      found.push({ uri, file, value: undefined, fault: say('file_unreadable', errorSaid(error)), ...more });
    }
  }
  return found;
}
