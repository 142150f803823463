// Stands for the module `vscode` in unit tests, as far as they use it: the tree view, context keys, the status bar,
// lists and files.
import { strict as assert } from 'node:assert';
import type * as vscode from 'vscode';
import { type FakeItem, FakeQuickPick } from './fakeQuickPick';
import { FakeTree } from './fakeTree';

import { EventEmitter } from './fakeTree';

export { EventEmitter, TreeItemCheckboxState, TreeItemCollapsibleState } from './fakeTree';

export const StatusBarAlignment = { Left: 1, Right: 2 } as const;

export const TextEditorSelectionChangeKind = { Keyboard: 1, Mouse: 2, Command: 3 } as const;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;

export class TreeItem {
  readonly label: string;
  readonly collapsibleState: number;

  constructor(label: string, collapsibleState: number) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

export class ThemeIcon {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeColor {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class MarkdownString {
  readonly value: string;
  isTrusted: unknown;

  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelTextPart {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

export class LanguageModelToolResult {
  readonly content: readonly unknown[];

  constructor(content: readonly unknown[]) {
    this.content = content;
  }
}

export class DataTransferItem {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** An address, without what makes one from a text. */
export class Uri {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;

  constructor({ scheme, path, query = '' }: { scheme: string; path: string; query?: string }) {
    this.scheme = scheme;
    this.path = path;
    this.query = query;
  }

  static from(parts: { scheme: string; path: string; query?: string }): Uri {
    return new Uri(parts);
  }

  static file(path: string): Uri {
    return new Uri({ scheme: 'file', path });
  }

  static joinPath(base: Uri, ...parts: readonly string[]): Uri {
    return new Uri({ scheme: base.scheme, path: [base.path, ...parts].join('/') });
  }

  with({ scheme }: { scheme: string }): Uri {
    return new Uri({ ...this, scheme });
  }

  get fsPath(): string {
    return this.path;
  }

  toString(): string {
    return `${this.scheme}:${this.path}${this.query === '' ? '' : `?${this.query}`}`;
  }
}

export const FileType = { File: 1, Directory: 2, SymbolicLink: 64 } as const;

/** What a file system of the editor throws. */
export class FileSystemError extends Error {
  readonly code: string;

  constructor(text: string, code = 'Unknown') {
    super(text);
    this.code = code;
  }

  static readonly NoPermissions = (): FileSystemError => new FileSystemError('no permissions');
  static readonly FileNotFound = (): FileSystemError => new FileSystemError('not found', 'FileNotFound');
  static readonly Unavailable = (text: string): FileSystemError => new FileSystemError(text);
}

export const FileChangeType = { Changed: 1 } as const;

export class FileDecoration {
  readonly badge: string;

  constructor(badge: string) {
    this.badge = badge;
  }
}

const neverEvent = (): { dispose(): void } => ({ dispose: () => undefined });

export const ConfigurationTarget = { Global: 1, Workspace: 2 } as const;
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 } as const;

const changedSettings = new EventEmitter<{ affectsConfiguration(section: string): boolean }>();
const shownWindowSettings = changedSettings.event;
const changedFocus = new EventEmitter<{ focused: boolean }>();
const shownWindowFocus = changedFocus.event;
const changedDocuments = new EventEmitter<void>();
const shownWindowDocuments = changedDocuments.event;

export class TabInputText {
  readonly uri: Uri;

  constructor(uri: Uri) {
    this.uri = uri;
  }
}

export const workspace = {
  getConfiguration: () => ({
    get: (name: string): unknown => shownWindow.settings[name],
    inspect: (name: string) => ({
      globalValue: shownWindow.scopes.user[name],
      workspaceValue: shownWindow.scopes.workspace[name],
    }),
    update: async (name: string, value: unknown, target: number): Promise<void> => {
      shownWindow.scopes[target === ConfigurationTarget.Global ? 'user' : 'workspace'][name] = value;
      shownWindow.changedSettings.fire({ affectsConfiguration: () => true });
      // The editor reads the file after each change that it was asked for.
      if (value === undefined) shownWindow.readSettings();
    },
  }),
  workspaceFolders: [] as { uri: Uri; name: string; index: number }[],
  textDocuments: [] as object[],
  isTrusted: true,
  onDidChangeConfiguration: shownWindowSettings,
  onDidGrantWorkspaceTrust: neverEvent,
  onDidSaveTextDocument: neverEvent,
  onDidChangeTextDocument: shownWindowDocuments,
  onDidDeleteFiles: neverEvent,
  onDidRenameFiles: neverEvent,
  registerFileSystemProvider: neverEvent,
  onDidChangeWorkspaceFolders: neverEvent,
  createFileSystemWatcher: () => ({
    onDidChange: shownWindow.changedFiles.event,
    onDidCreate: neverEvent,
    onDidDelete: neverEvent,
    dispose: () => undefined,
  }),
  asRelativePath: (uri: Uri): string => uri.path,
  fs: {
    readFile: async (uri: Uri): Promise<Uint8Array> => {
      const text = shownWindow.files.get(uri.path);
      if (text === undefined) throw FileSystemError.FileNotFound();
      return new TextEncoder().encode(text);
    },
    writeFile: async (uri: Uri, bytes: Uint8Array): Promise<void> =>
      void shownWindow.files.set(uri.path, new TextDecoder().decode(bytes)),
    stat: async (uri: Uri): Promise<{ mtime: number }> => {
      if (!shownWindow.files.has(uri.path)) throw FileSystemError.FileNotFound();
      return { mtime: shownWindow.changedAt(uri.path) };
    },
  },
};

export class RelativePattern {
  readonly baseUri: Uri;
  readonly pattern: string;
  constructor(baseUri: Uri, pattern: string) {
    this.baseUri = baseUri;
    this.pattern = pattern;
  }
}

export const env = { language: 'en' };

export const l10n = {
  t: (text: string, ...args: readonly unknown[]): string =>
    text.replace(/\{(\d+)\}/g, (_match, index: string) => String(args[Number(index)])),
};

/** What the window shows and knows, for tests to look at. */
export const shownWindow = {
  keys: new Map<string, unknown>(),
  /** Tells watchers that a file changed. */
  changedFiles: new EventEmitter<Uri>(),
  trees: new Map<string, FakeTree<unknown>>(),
  statusText: new Map<string, string>(),
  /** What the items of the status bar say when a pointer rests on them. */
  statusTips: new Map<string, MarkdownString>(),
  /** The list that is open. */
  pick: undefined as FakeQuickPick | undefined,
  /** What the commands of the editor were called with, and what was told. */
  called: [] as { command: string; args: readonly unknown[] }[],
  told: [] as string[],
  /** What notifications about running work said. */
  progress: [] as string[],
  /** The editor's own settings, by their whole names. */
  settings: {} as Record<string, unknown>,
  /** Our own settings by scope, as far as the editor has read them, and what tells that it read them. */
  scopes: { user: {}, workspace: {} } as Record<'user' | 'workspace', Record<string, unknown>>,
  changedSettings,
  /** Tells that a document of the workspace changed or was saved. */
  changedDocuments,
  /** Tells that the window came to the front or left it. */
  changedFocus,
  readSettings: (): void => undefined,
  /** The errors that are told; where there is no list, none is expected. */
  errors: undefined as string[] | undefined,
  /** What the editor was given to call, by its kind and name. */
  registered: new Map<string, unknown>(),
  /** The button that a person presses where a message offers it. */
  pressed: undefined as string | undefined,
  /** What a person presses of a warning, after its options where it is a modal. */
  warned: (_items: readonly unknown[]): unknown => undefined,
  /** What a person picks of a list that the editor makes; nothing closes it. */
  answer: (_items: readonly FakeItem[]): FakeItem | undefined => undefined,
  /** What a person types where they are asked for a text. */
  typed: undefined as string | undefined,
  /** What was shown as a page. */
  shown: [] as unknown[],
  /** Files by their path. */
  files: new Map<string, string>(),
  /** When somebody changed one of them, in milliseconds since 1970. */
  changedAt: (_path: string): number => 0,
  /** What a person chooses where files are to be opened, and where one is to be saved. */
  opened: [] as readonly string[],
  saved: undefined as string | undefined,
  /** Fires when a person or an extension selects in a text editor. */
  changedSelection: new EventEmitter<{ kind: number | undefined }>(),
  /** How long the editor takes for its next step, in milliseconds. */
  delay: (): number => 0,
};

function register(name: string, what: unknown): { dispose(): void } {
  assert.ok(!shownWindow.registered.has(name), `${name} is registered twice`);
  shownWindow.registered.set(name, what);
  return { dispose: () => void shownWindow.registered.delete(name) };
}

export const lm = {
  registerTool: (name: string, tool: unknown) => register(`tool ${name}`, tool),
  /** No language model is there. */
  selectChatModels: async (): Promise<readonly unknown[]> => [],
  registerMcpServerDefinitionProvider: (id: string, provider: unknown) => register(`server ${id}`, provider),
};

export const chat = {
  createChatParticipant: (id: string, answer: unknown): object => register(`participant ${id}`, answer),
};

/** Stands for parts of chats, which no test makes. */
class ChatPart {
  readonly isMade = true;
}
export {
  ChatPart as CancellationTokenSource,
  ChatPart as ChatRequestTurn,
  ChatPart as ChatResponseMarkdownPart,
  ChatPart as ChatResponseTurn,
  ChatPart as LanguageModelChatMessage,
  ChatPart as LanguageModelError,
  ChatPart as LanguageModelToolCallPart,
  ChatPart as LanguageModelToolResultPart,
  ChatPart as Location,
};

/** What lets go of several things at once. */
export const Disposable = {
  from: (...items: readonly { dispose(): void }[]) => ({ dispose: () => items.forEach((one) => one.dispose()) }),
};

const ownCommands = [
  'vscode.diff',
  'vscode.changes',
  'vscode.open',
  '_open.mergeEditor',
  'workbench.action.chat.open',
  'workbench.action.openSettings',
  'workbench.action.openSettingsJson',
];

export const commands = {
  getCommands: async (): Promise<readonly string[]> => ownCommands,
  registerCommand: (id: string, run: (...args: unknown[]) => unknown) => register(`command ${id}`, run),
  async executeCommand(command: string, ...args: readonly unknown[]): Promise<unknown> {
    if (ownCommands.includes(command) || command.startsWith('agentCapabilities.'))
      return void shownWindow.called.push({ command, args });
    if (command === 'markdown.showPreview') return void shownWindow.shown.push(args[0]);
    if (command !== 'setContext') throw new Error(`the fake editor has no command ${command}`);
    shownWindow.keys.set(String(args[0]), args[1]);
    return undefined;
  },
};

export const window = {
  createTreeView<T>(id: string, options: { readonly treeDataProvider: vscode.TreeDataProvider<T> }): FakeTree<T> {
    const tree = new FakeTree(options.treeDataProvider, () => shownWindow.delay());
    shownWindow.trees.set(id, tree as FakeTree<unknown>);
    return tree;
  },
  createStatusBarItem(id: string): object {
    return {
      set text(text: string) {
        shownWindow.statusText.set(id, text);
      },
      get tooltip() {
        return shownWindow.statusTips.get(id);
      },
      set tooltip(tip: MarkdownString | undefined) {
        if (tip) shownWindow.statusTips.set(id, tip);
      },
      show: () => undefined,
      hide: () => void shownWindow.statusText.delete(id),
      dispose: () => undefined,
    };
  },
  createQuickPick: (): FakeQuickPick => new FakeQuickPick((pick) => (shownWindow.pick = pick)),
  showQuickPick: async (items: readonly FakeItem[]): Promise<FakeItem | undefined> => shownWindow.answer(items),
  showInputBox: async (): Promise<string | undefined> => shownWindow.typed,
  showOpenDialog: async (): Promise<readonly Uri[]> => shownWindow.opened.map((path) => Uri.file(path)),
  showSaveDialog: async (): Promise<Uri | undefined> =>
    shownWindow.saved === undefined ? undefined : Uri.file(shownWindow.saved),
  setStatusBarMessage: (text: string): void => void shownWindow.told.push(text),
  registerFileDecorationProvider: neverEvent,
  onDidChangeWindowState: shownWindowFocus,
  onDidChangeTextEditorSelection: shownWindow.changedSelection.event,
  state: { focused: true },
  tabGroups: { all: [] as { tabs: { input: unknown }[] }[] },
  withProgress: async (
    { title = '' }: { readonly title?: string },
    work: (
      progress: { report(said: { readonly message?: string }): void },
      token: { readonly isCancellationRequested: boolean; readonly onCancellationRequested: typeof neverEvent },
    ) => Promise<unknown>,
  ): Promise<unknown> => {
    shownWindow.progress.push(title);
    return work(
      { report: ({ message = '' }) => void shownWindow.progress.push(message) },
      { isCancellationRequested: false, onCancellationRequested: neverEvent },
    );
  },
  showInformationMessage: async (text: string, ...buttons: readonly string[]): Promise<string | undefined> => {
    shownWindow.told.push(text);
    return buttons.find((one) => one === shownWindow.pressed);
  },
  showWarningMessage: async (text: string, ...items: readonly unknown[]): Promise<unknown> => {
    shownWindow.told.push(text);
    return shownWindow.warned(items);
  },
  async showErrorMessage(text: string, ...buttons: readonly string[]): Promise<string | undefined> {
    if (!shownWindow.errors) throw new Error(text);
    shownWindow.errors.push(text);
    return buttons.find((one) => one === shownWindow.pressed);
  },
};
