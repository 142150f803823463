import * as vscode from 'vscode';
import { oneLine } from '../../core/present/approvalWords';
import type { CommandHandler } from './context';
import { showInformation } from '../notices';

/**
 * Shows the text of a prompt file whole and takes it over on a yes. What is accepted is the text that was shown,
 * whatever the file holds by then.
 */
export const reviewPrompt: CommandHandler<'profiles' | 'prompts' | 'textQuestions'> = async ({
  profiles,
  prompts,
  textQuestions,
}) => {
  const pending = prompts.pending(profiles.active().profile);
  if (!pending) {
    void showInformation(vscode.l10n.t('No prompt file waits for you.'));
    return;
  }
  const question = {
    title: vscode.l10n.t('Use {0} as instructions of the agent?', oneLine(pending.file).slice(0, 80)),
    lines: pending.text.split('\n'),
    name: 'prompt.md',
  };
  if (await textQuestions.confirms(question, vscode.l10n.t('Accept'))) await prompts.accept(pending.hash);
};
