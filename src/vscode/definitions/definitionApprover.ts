import * as vscode from 'vscode';
import { visibleText } from '../../core/base/visible';
import type { ModalQuestions } from '../modalConfirmer';
import type { DefinitionApproval, DefinitionApprover } from '../../core/definitions/approval';

const shownTools = 12;
const longestLine = 160;

/** One line of a file that somebody else may have written: nothing invisible, not longer than a line. */
function line(text: string): string {
  const plain = visibleText(text).text.replace(/\s+/g, ' ');
  return plain.length > longestLine ? `${plain.slice(0, longestLine)}…` : plain;
}

/** What a definition would do, as the lines of a dialog. */
export function approvalDetail(approval: DefinitionApproval): string {
  const tools = approval.tools.slice(0, shownTools).map((tool) => `• ${line(`${tool.name} (${tool.riskLevel}): ${tool.does}`)}`);
  const more = approval.tools.length - shownTools;
  return [
    vscode.l10n.t('{0} in {1} defines tools for agents:', line(approval.name), line(approval.file)),
    '',
    ...tools,
    ...(more > 0 ? [vscode.l10n.t('… {0} more', more)] : []),
    ...(approval.outsideSandbox.length > 0
      ? ['', vscode.l10n.t('NOT SANDBOXED: {0} would run with all rights of the editor.', approval.outsideSandbox.map(line).join(', '))]
      : []),
    '',
    vscode.l10n.t('You are asked again when what they do, touch or need changes.'),
  ].join('\n');
}

/** Shows the whole of a definition in a modal and answers what the person chose. */
export function reviewDefinition(questions: ModalQuestions, approval: DefinitionApproval): Promise<boolean> {
  const allow = approval.outsideSandbox.length > 0 ? vscode.l10n.t('Trust These Files') : vscode.l10n.t('Approve');
  const title = vscode.l10n.t('Let "{0}" act in this workspace?', line(approval.name));
  return questions.confirms(title, approvalDetail(approval), allow);
}

/** Tells of a new definition in a notification, which may wait; only its review, in a modal, approves. */
export function editorDefinitionApprover(questions: ModalQuestions): DefinitionApprover {
  return {
    async ask(approval) {
      const review = vscode.l10n.t('Review…');
      const text = vscode.l10n.t('The capability definition "{0}" waits for your approval.', line(approval.name));
      if ((await vscode.window.showInformationMessage(text, review)) !== review) return false;
      return reviewDefinition(questions, approval);
    },
  };
}
