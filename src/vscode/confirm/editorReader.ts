import * as vscode from 'vscode';
import type { SecondReader } from '../../core/ports/secondReader';
import { settingId } from '../../core/settings/settingTable';
import { showWarning } from '../notices';
import { askModel } from '../tools/askModel';

/**
 * The second reader over the language models of the editor, which asks the person once whether we may use one. Of each
 * choice that names none the person is told once.
 */
export function editorReader(): SecondReader {
  const told = new Set<string>();
  return {
    async ask(choice, question, signal) {
      const model = await modelOf(choice);
      if (!model) {
        if (!told.has(choice)) void tellMissing(choice);
        told.add(choice);
        return 'no-model';
      }
      const messages = [vscode.LanguageModelChatMessage.User(question)];
      const justification = vscode.l10n.t('The second reader of approvals reads a call before you are asked.');
      const text = await askModel(model, { messages, justification, mostCharacters: 2000 }, signal);
      return { model: `${model.vendor}/${model.id}`, text };
    },
  };
}

/** The model of an id, or else the first of a family. */
async function modelOf(choice: string): Promise<vscode.LanguageModelChat | undefined> {
  const [, vendor, name] = /^(?:([^/]+)\/)?(.+)$/.exec(choice) ?? [];
  const of = vendor === undefined ? {} : { vendor };
  const [byId] = await vscode.lm.selectChatModels({ ...of, id: name ?? choice });
  return byId ?? (await vscode.lm.selectChatModels({ ...of, family: name ?? choice }))[0];
}

async function tellMissing(choice: string): Promise<void> {
  const open = vscode.l10n.t('Open the Setting');
  const said = vscode.l10n.t(
    'There is no language model "{0}" for the second reader, so you are asked yourself. Name another one in `approvals.reader`, or none.',
    choice,
  );
  if ((await showWarning(said, open)) === open)
    await vscode.commands.executeCommand('workbench.action.openSettings', settingId('approvals.reader'));
}
