import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import type { DefinitionLoader } from '../../core/definitions/loader';
import { parseDefinition } from '../../core/definitions/parse';
import { proposedSpelling } from '../../core/definitions/words';
import type { Problem } from '../../core/base/problem';
import { definitionFile, definitionUri, diagnosticOf } from './definitionPlaces';

const typingPauseMs = 200;
export const documentSelector: vscode.DocumentSelector = {
  pattern: '**/.vscode/capabilities/*.{capability,actions,channel}.json',
};

/**
 * Marks mistakes in definition files at their place: while typing what the text says, after saving what became of it,
 * too.
 */
export class DefinitionDiagnostics implements Disposable {
  readonly #store = new DisposableStore();
  readonly #collection = this.#store.add(vscode.languages.createDiagnosticCollection('agentCapabilities.definitions'));
  readonly #loader: DefinitionLoader;
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(loader: DefinitionLoader) {
    this.#loader = loader;
    this.#store.add(loader.onDidChange(() => this.#refresh()));
    this.#store.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#schedule(document)));
    this.#store.add(vscode.workspace.onDidCloseTextDocument(() => this.#refresh()));
    this.#store.add(
      vscode.languages.registerCodeActionsProvider(documentSelector, fixes, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
    this.#refresh();
  }

  #schedule(document: vscode.TextDocument): void {
    const file = definitionFile(document.uri);
    if (file === undefined) return;
    clearTimeout(this.#timers.get(file));
    this.#timers.set(
      file,
      setTimeout(() => {
        this.#timers.delete(file);
        this.#markText(document, file);
      }, typingPauseMs),
    );
  }

  /** What the text in the editor says by itself; the rest of the system hears of it when it is saved. */
  #markText(document: vscode.TextDocument, file: string): void {
    if (document.isClosed || !document.isDirty) return;
    this.#collection.set(document.uri, parseDefinition(document.getText(), file).problems.map(diagnosticOf));
  }

  #refresh(): void {
    const byFile = new Map<string, Problem[]>();
    for (const problem of this.#loader.problems())
      if (problem.file !== undefined) byFile.set(problem.file, [...(byFile.get(problem.file) ?? []), problem]);
    this.#collection.clear();
    for (const [file, problems] of byFile) {
      const uri = definitionUri(file);
      if (uri) this.#collection.set(uri, problems.map(diagnosticOf));
    }
    for (const document of vscode.workspace.textDocuments) {
      const file = definitionFile(document.uri);
      if (file !== undefined) this.#markText(document, file);
    }
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#store.dispose();
  }
}

/** Offers the spelling that a problem proposes, to remove an unknown property, and to approve what waits for it. */
const fixes: vscode.CodeActionProvider = {
  provideCodeActions(document, _range, { diagnostics }) {
    return diagnostics
      .filter((one) => one.source === 'Agent Capabilities')
      .flatMap((diagnostic): readonly vscode.CodeAction[] => {
        const spelling = proposedSpelling(diagnostic.message);
        if (spelling !== undefined) return [replaceWord(document, diagnostic, spelling)];
        return diagnostic.code === 'definition_pending' ? [approve(diagnostic)] : [];
      });
  },
};

function replaceWord(
  document: vscode.TextDocument,
  diagnostic: vscode.Diagnostic,
  spelling: string,
): vscode.CodeAction {
  const action = new vscode.CodeAction(vscode.l10n.t('Change to "{0}"', spelling), vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.isPreferred = true;
  action.edit = new vscode.WorkspaceEdit();
  action.edit.replace(document.uri, diagnostic.range, JSON.stringify(spelling));
  return action;
}

function approve(diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const title = vscode.l10n.t('Review and approve…');
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.diagnostics = [diagnostic];
  action.command = { command: 'agentCapabilities.approveDefinitions', title };
  return action;
}
