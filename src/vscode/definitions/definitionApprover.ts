import { visibleLine } from '../../core/base/visible';
import * as vscode from 'vscode';
import { worded } from '../../core/base/sentence';
import { boundText, type DefinitionApproval, type DefinitionApprover } from '../../core/definitions/approval';
import { riskWords } from '../../core/present/words';
import type { TextQuestions } from '../confirm/textQuestions';
import { showInformation } from '../notices';

/**
 * What a definition would do, as the lines of a question: what changed since it was approved, what each tool does and
 * which secret goes where, then all that is bound, word by word.
 */
function approvalLines(approval: DefinitionApproval): readonly string[] {
  const { t } = vscode.l10n;
  return [
    vscode.l10n.t('{0} in {1} defines tools for agents:', visibleLine(approval.name), visibleLine(approval.file)),
    '',
    ...(approval.changes.length > 0
      ? [
          vscode.l10n.t('Changed since you approved it:'),
          ...approval.changes.map(({ sign, line: one }) => `${sign}${boundText(one, t)}`),
          '',
        ]
      : []),
    ...approval.tools.flatMap((tool) => [
      `• ${visibleLine(`${tool.name} (${riskWords(tool.riskLevel, t)}): ${worded(tool.does, t)}`)}`,
      ...tool.secrets.map(
        ({ name, goesTo }) =>
          `  ${vscode.l10n.t('The secret {0} goes to {1}', visibleLine(name), visibleLine(worded(goesTo, t)))}`,
      ),
    ]),
    ...(approval.outsideSandbox.length > 0
      ? [
          '',
          vscode.l10n.t(
            'NOT SANDBOXED: {0} would run with all rights of the editor, and can load whatever else it finds.',
            approval.outsideSandbox.map(visibleLine).join(', '),
          ),
        ]
      : []),
    '',
    vscode.l10n.t('All of it; you are asked again when any of this changes:'),
    ...approval.lines.map((one) => boundText(one, t)),
  ];
}

/** Shows the whole of a definition in a modal and answers what the person chose. */
export function reviewDefinition(questions: TextQuestions, approval: DefinitionApproval): Promise<boolean> {
  const allow = approval.outsideSandbox.length > 0 ? vscode.l10n.t('Trust These Files') : vscode.l10n.t('Approve');
  const name = visibleLine(approval.name).slice(0, 80);
  const title =
    approval.changes.length > 0
      ? vscode.l10n.t('Let the changed "{0}" act in this workspace?', name)
      : vscode.l10n.t('Let "{0}" act in this workspace?', name);
  return questions.confirms({ title, lines: approvalLines(approval), name: 'definition.txt' }, allow);
}

/**
 * Tells of a new definition in a notification, which may wait; only its review, in a modal, approves. A template that
 * nobody has changed yet is not asked about: the question comes with the first change that is saved. No extension can
 * take a notification away, so a click on one that is out of date says so and asks nothing.
 */
export function editorDefinitionApprover(questions: TextQuestions): DefinitionApprover {
  return {
    async ask(approval, isWaiting) {
      const { isUntouchedTemplate } = await import('./untouchedTemplate');
      if (await isUntouchedTemplate(approval)) return false;
      const review = vscode.l10n.t('Review…');
      const name = visibleLine(approval.name).slice(0, 160);
      const text = vscode.l10n.t('The capability definition "{0}" waits for your approval.', name);
      if ((await showInformation(text, review)) !== review) return false;
      if (!isWaiting()) {
        const over = vscode.l10n.t(
          'Nothing was asked: "{0}" does not wait any more as this notice told. It was approved, changed or removed since.',
          name,
        );
        void showInformation(over);
        return false;
      }
      return reviewDefinition(questions, approval);
    },
  };
}
