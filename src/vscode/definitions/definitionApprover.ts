import * as vscode from 'vscode';
import { visibleText } from '../../core/base/visible';
import type { DefinitionApproval, DefinitionApprover } from '../../core/definitions/approval';
import type { TextQuestions } from '../textQuestions';

/** One line of a file that somebody else may have written: nothing invisible, and one line only. */
function line(text: string): string {
  return visibleText(text).text.replace(/\s+/g, ' ');
}

/** What a definition would do, as the lines of a question; every tool has one. */
export function approvalLines(approval: DefinitionApproval): readonly string[] {
  return [
    vscode.l10n.t('{0} in {1} defines tools for agents:', line(approval.name), line(approval.file)),
    '',
    ...approval.tools.map((tool) => `• ${line(`${tool.name} (${tool.riskLevel}): ${tool.does}`)}`),
    ...(approval.outsideSandbox.length > 0
      ? ['', vscode.l10n.t('NOT SANDBOXED: {0} would run with all rights of the editor.', approval.outsideSandbox.map(line).join(', '))]
      : []),
    '',
    vscode.l10n.t('You are asked again when what they do, touch or need changes.'),
  ];
}

/** Shows the whole of a definition in a modal and answers what the person chose. */
export function reviewDefinition(questions: TextQuestions, approval: DefinitionApproval): Promise<boolean> {
  const allow = approval.outsideSandbox.length > 0 ? vscode.l10n.t('Trust These Files') : vscode.l10n.t('Approve');
  const title = vscode.l10n.t('Let "{0}" act in this workspace?', line(approval.name).slice(0, 80));
  return questions.confirms({ title, lines: approvalLines(approval), name: 'definition.txt' }, allow);
}

/** Tells of a new definition in a notification, which may wait; only its review, in a modal, approves. */
export function editorDefinitionApprover(questions: TextQuestions): DefinitionApprover {
  return {
    async ask(approval) {
      const review = vscode.l10n.t('Review…');
      const text = vscode.l10n.t('The capability definition "{0}" waits for your approval.', line(approval.name).slice(0, 160));
      if ((await vscode.window.showInformationMessage(text, review)) !== review) return false;
      return reviewDefinition(questions, approval);
    },
  };
}
