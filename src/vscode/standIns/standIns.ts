import * as vscode from 'vscode';
import type { CommandRuns } from '../commands/commandRuns';
import type { PromptFiles, PromptFilesContext } from '../commands/promptFiles';
import type { ParticipantContext } from '../participant/participant';
import type { AgentModeServer } from '../servers/agentModeServer';
import type { GovernedTool, ToolHost } from '../tools/languageModelTools';

/** What answers behind the stand-ins. */
export interface StandInSystem {
  readonly tools: ToolHost;
  readonly commands: Pick<CommandRuns, 'run'>;
  readonly participant: ParticipantContext;
  readonly prompts: PromptFilesContext;
  readonly server: Pick<AgentModeServer, 'definitions' | 'onDidChange'>;
}

/**
 * Registers everything that the manifest names and the editor may call: tools, commands, the chat participant, the
 * provider of our MCP server and the files in which prompts are edited. They stay as long as the window and answer
 * nothing themselves: each waits for the system and hands on to it, and fails with its words where that never stands.
 * So no call is lost or judged by half a system, and the editor waits for none of this.
 *
 * Loaded with the entry: nothing may be imported here but types.
 */
export function standIns(
  { extension, extensionUri }: Pick<vscode.ExtensionContext, 'extension' | 'extensionUri'>,
  system: Promise<StandInSystem>,
): vscode.Disposable {
  const names = (point: string, key: string): readonly string[] => namesIn(extension.packageJSON, point, key);
  return vscode.Disposable.from(
    ...names('languageModelTools', 'name').map((name) => vscode.lm.registerTool(name, toolStandIn(name, system))),
    ...commandStandIns(names('commands', 'command'), system),
    ...names('chatParticipants', 'id').map((id) => participantStandIn(id, extensionUri, system)),
    ...names('mcpServerDefinitionProviders', 'id').map((id) => serverStandIn(id, system)),
    ...names('resourceLabelFormatters', 'scheme').map((scheme) => promptStandIn(scheme, system)),
  );
}

/** What the manifest names at a contribution point. */
function namesIn(manifest: unknown, point: string, key: string): readonly string[] {
  const entries = property(property(manifest, 'contributes'), point);
  if (!Array.isArray(entries)) return [];
  return entries
    .map((entry: unknown) => property(entry, key))
    .filter((name): name is string => typeof name === 'string');
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function toolStandIn(name: string, system: Promise<StandInSystem>): vscode.LanguageModelTool<object> {
  let made: GovernedTool | undefined;
  const tool = async (): Promise<GovernedTool> => {
    const { GovernedTool: Governed } = await import('../tools/languageModelTools');
    return (made ??= new Governed(name, async () => (await system).tools));
  };
  return {
    prepareInvocation: async (options, token) => (await tool()).prepareInvocation(options, token),
    invoke: async (options, token) => (await tool()).invoke(options, token),
  };
}

/**
 * Once the system stands a command runs in the very turn in which it comes: the next message of the editor may tell of
 * another selection, and a key is about the row that had the focus.
 */
function commandStandIns(ids: readonly string[], system: Promise<StandInSystem>): readonly vscode.Disposable[] {
  let commands: StandInSystem['commands'] | undefined;
  const stood = system.then((made) => (commands = made.commands));
  // Whoever runs one hears why it never stood.
  stood.catch(() => undefined);
  return ids.map((id) =>
    vscode.commands.registerCommand(id, (...args: unknown[]) =>
      commands ? commands.run(id, args) : stood.then((made) => made.run(id, args)),
    ),
  );
}

/** `@capabilities`, whose loop is loaded when somebody asks it something. */
function participantStandIn(
  id: string,
  extensionUri: vscode.Uri,
  system: Promise<StandInSystem>,
): vscode.ChatParticipant {
  const made = vscode.chat.createChatParticipant(id, async (request, context, stream, token) => {
    const { participant } = await system;
    const { answer } = await import('../participant/participant');
    return answer(participant, { request, context, stream, token });
  });
  made.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'container.svg');
  made.followupProvider = {
    provideFollowups: async (result) => (await import('../participant/participant')).followups(result),
  };
  return made;
}

/** The editor holds a chat turn back until a provider answered first, so that it sees the tools of the run time too. */
function serverStandIn(id: string, system: Promise<StandInSystem>): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const server = system.then((made) => made.server);
  let following: vscode.Disposable | undefined;
  let isOver = false;
  server.then(
    ({ onDidChange }) => {
      if (!isOver) following = onDidChange(() => changed.fire());
    },
    () => undefined,
  );
  const provider = vscode.lm.registerMcpServerDefinitionProvider(id, {
    onDidChangeMcpServerDefinitions: changed.event,
    // Where the system never stands there is no server; the person hears why from the start.
    provideMcpServerDefinitions: async () => (await server.catch(() => undefined))?.definitions() ?? [],
  });
  return vscode.Disposable.from(provider, changed, {
    dispose() {
      isOver = true;
      following?.dispose();
    },
  });
}

/** An editor with a prompt, left open, is read again before anything else stands. */
function promptStandIn(scheme: string, system: Promise<StandInSystem>): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  let made: PromptFiles | undefined;
  const files = async (): Promise<PromptFiles> => {
    const { prompts } = await system;
    const { PromptFiles: Files } = await import('../commands/promptFiles');
    return (made ??= new Files(prompts, changed));
  };
  const refuse = (): never => {
    throw vscode.FileSystemError.NoPermissions();
  };
  const provider = vscode.workspace.registerFileSystemProvider(scheme, {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose: () => undefined }),
    stat: async (uri) => (await files()).stat(uri),
    readFile: async (uri) => (await files()).readFile(uri),
    writeFile: async (uri, content) => (await files()).writeFile(uri, content),
    readDirectory: refuse,
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  });
  return vscode.Disposable.from(provider, changed, { dispose: () => made?.dispose() });
}
