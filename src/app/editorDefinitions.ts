import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import { withoutOwnSecrets } from '../core/ports/ownSecrets';
import { addDefinitionCommands } from '../vscode/definitions/register';
import type { EditorParts } from './editorParts';

/** The marks in files of definitions, and the commands about definitions and channels. */
export function editorDefinitions({ base, core, outside }: Pick<EditorParts, 'base' | 'core' | 'outside'>): Disposable {
  const store = new DisposableStore();
  const { loader } = core.definitions;
  if (!loader) return store;
  // Marks come behind the start; an ended window needs none.
  void import('../vscode/definitions/definitionDiagnostics').then(({ DefinitionDiagnostics }) => {
    if (!store.isDisposed) store.add(new DefinitionDiagnostics(loader));
  });
  store.add(
    addDefinitionCommands(base.commands, {
      loader,
      registry: core.tools.registry,
      questions: base.textQuestions,
      outside,
      secrets: withoutOwnSecrets(base.secrets),
      reloadChannels: () => core.definitions.reloadChannels(),
      showText: async (title, markdown) => {
        await vscode.commands.executeCommand('markdown.showPreviewToSide', base.texts.put(`${title}.md`, markdown));
      },
    }),
  );
  return store;
}
