// Stands for the module `vscode` in unit tests, as far as they use it: the tree view, context keys and the status bar.
import type * as vscode from 'vscode';
import { FakeQuickPick } from './fakeQuickPick';
import { FakeTree } from './fakeTree';

export { EventEmitter, TreeItemCheckboxState, TreeItemCollapsibleState } from './fakeTree';

export const StatusBarAlignment = { Left: 1, Right: 2 } as const;

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

  constructor(value: string) {
    this.value = value;
  }
}

export class DataTransferItem {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

export const l10n = {
  t: (text: string, ...args: readonly unknown[]): string =>
    text.replace(/\{(\d+)\}/g, (_match, index: string) => String(args[Number(index)])),
};

/** What the window shows and knows, for tests to look at. */
export const shownWindow = {
  keys: new Map<string, unknown>(),
  trees: new Map<string, FakeTree<unknown>>(),
  statusText: new Map<string, string>(),
  /** The list that is open. */
  pick: undefined as FakeQuickPick | undefined,
  /** How long the editor takes for its next step, in milliseconds. */
  delay: (): number => 0,
};

export const commands = {
  async executeCommand(command: string, ...args: readonly unknown[]): Promise<unknown> {
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
      show: () => undefined,
      dispose: () => undefined,
    };
  },
  createQuickPick: (): FakeQuickPick => new FakeQuickPick((pick) => (shownWindow.pick = pick)),
  setStatusBarMessage: (): void => undefined,
  showInformationMessage: async (): Promise<undefined> => undefined,
  showWarningMessage: async (): Promise<undefined> => undefined,
  async showErrorMessage(text: string): Promise<undefined> {
    throw new Error(text);
  },
};
