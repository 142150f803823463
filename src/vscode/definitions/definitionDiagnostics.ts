import * as vscode from 'vscode';
import { commandId } from '../manifest/commands/commandId';
import { Debounce } from '../../core/base/debounce';
import { DisposableStore } from '../../core/base/lifecycle';
import { proposedName } from '../../core/base/nearest';
import type { DefinitionLoader } from '../../core/definitions/loader';
import type { Problem } from '../../core/base/problem';
import { diagnosticOf, rangeOf } from '../files/problemMarks';
import { definitionFile, definitionUri } from './definitionPlaces';

const typingPauseMs = 200;
const documentSelector: vscode.DocumentSelector = {
  pattern: '**/.vscode/capabilities/*.{capability,actions,channel}.json',
};

/**
 * Marks mistakes in definition files at their place: while typing what the text says, after saving what became of it,
 * too.
 */
export class DefinitionDiagnostics extends DisposableStore implements vscode.CodeActionProvider {
  readonly #collection = this.add(vscode.languages.createDiagnosticCollection('agentCapabilities.definitions'));
  readonly #loader: DefinitionLoader;
  /** What is marked now, by document: the editor hands its marks back without what they were made of. */
  readonly #marked = new Map<string, readonly Problem[]>();
  /** The documents in which somebody types, with the names of their files. */
  readonly #typed = new Map<vscode.TextDocument, string>();
  readonly #typing = this.add(new Debounce(() => this.#markTyped(), typingPauseMs));

  constructor(loader: DefinitionLoader) {
    super();
    this.#loader = loader;
    this.add(loader.onDidChange(() => this.#refresh()));
    this.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#schedule(document)));
    this.add(vscode.workspace.onDidCloseTextDocument(() => this.#refresh()));
    this.add(
      vscode.languages.registerCodeActionsProvider(documentSelector, this, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
    this.#refresh();
  }

  #schedule(document: vscode.TextDocument): void {
    const file = definitionFile(document.uri);
    if (file === undefined) return;
    this.#typed.set(document, file);
    this.#typing.restart();
  }

  #markTyped(): void {
    for (const [document, file] of this.#typed) this.#markText(document, file);
    this.#typed.clear();
  }

  /** What the text in the editor says by itself; the rest of the system hears of it when it is saved. */
  #markText(document: vscode.TextDocument, file: string): void {
    if (document.isClosed || !document.isDirty) return;
    void import('../../core/definitions/parse').then(({ parseDefinition }) => {
      if (document.isClosed || !document.isDirty || this.isDisposed) return;
      this.#mark(document.uri, parseDefinition(document.getText(), file).problems);
    });
  }

  #mark(uri: vscode.Uri, problems: readonly Problem[]): void {
    this.#marked.set(uri.toString(), problems);
    this.#collection.set(uri, problems.map(diagnosticOf));
  }

  #refresh(): void {
    const byFile = new Map<string, Problem[]>();
    for (const problem of this.#loader.problems())
      if (problem.file !== undefined) byFile.set(problem.file, [...(byFile.get(problem.file) ?? []), problem]);
    this.#collection.clear();
    this.#marked.clear();
    for (const [file, problems] of byFile) {
      const uri = definitionUri(file);
      if (uri) this.#mark(uri, problems);
    }
    for (const document of vscode.workspace.textDocuments) {
      const file = definitionFile(document.uri);
      if (file !== undefined) this.#markText(document, file);
    }
  }

  /** Offers the spelling that a problem proposes, and to approve what waits for it. */
  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const marked = this.#marked.get(document.uri.toString()) ?? [];
    return diagnostics
      .filter((one) => one.source === 'Agent Capabilities')
      .flatMap((diagnostic) => {
        if (diagnostic.code === 'definition_pending') return [approve(diagnostic)];
        const said = marked.find((one) => one.code === diagnostic.code && rangeOf(one).isEqual(diagnostic.range))?.said;
        const spelling = said && proposedName(said);
        return spelling === undefined ? [] : [replaceWord(document, diagnostic, spelling)];
      });
  }
}

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
  action.command = { command: commandId('approveDefinitions'), title };
  return action;
}
