import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import type { CommandRuns } from '../vscode/commands/commandRuns';
import type { OutsideCalls } from '../vscode/confirm/outsideCalls';
import type { TextQuestions } from '../vscode/confirm/textQuestions';
import { addDefinitionCommands } from '../vscode/definitions/register';
import type { ReadOnlyText } from '../vscode/files/readOnlyText';
import type { Core } from './compose';

interface EditorDefinitionsOptions {
  readonly core: Core;
  readonly commands: CommandRuns;
  readonly questions: TextQuestions;
  readonly outside: OutsideCalls;
  readonly texts: ReadOnlyText;
}

/** The marks in files of definitions, and the commands about definitions and channels. */
export function editorDefinitions({ core, commands, questions, outside, texts }: EditorDefinitionsOptions): Disposable {
  const store = new DisposableStore();
  const { loader } = core.definitions;
  if (!loader) return store;
  // Marks come behind the start; an ended window needs none.
  void import('../vscode/definitions/definitionDiagnostics').then(({ DefinitionDiagnostics }) => {
    if (!store.isDisposed) store.add(new DefinitionDiagnostics(loader));
  });
  store.add(
    addDefinitionCommands(commands, {
      loader,
      registry: core.tools.registry,
      questions,
      outside,
      reloadChannels: () => core.definitions.reloadChannels(),
      showText: async (title, markdown) => {
        await vscode.commands.executeCommand('markdown.showPreviewToSide', texts.put(`${title}.md`, markdown));
      },
    }),
  );
  return store;
}
