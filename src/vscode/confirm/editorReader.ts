import * as vscode from 'vscode';
import type { SecondReader } from '../../core/ports/secondReader';
import { askModel } from '../tools/askModel';

/** The second reader over the language models of the editor, which asks the person once whether we may use one. */
export const editorReader: SecondReader = {
  async ask(choice, question, signal) {
    const [, vendor, name] = /^(?:([^/]+)\/)?(.+)$/.exec(choice) ?? [];
    const of = vendor === undefined ? {} : { vendor };
    const [byId] = await vscode.lm.selectChatModels({ ...of, id: name ?? choice });
    const model = byId ?? (await vscode.lm.selectChatModels({ ...of, family: name ?? choice }))[0];
    if (!model) throw new Error(`there is no language model \`${choice}\` for approvals.reader`);
    const messages = [vscode.LanguageModelChatMessage.User(question)];
    const justification = vscode.l10n.t('The second reader of approvals reads a call before you are asked.');
    const text = await askModel(model, { messages, justification, mostCharacters: 2000 }, signal);
    return { model: `${model.vendor}/${model.id}`, text };
  },
};
