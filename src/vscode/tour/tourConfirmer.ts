import * as vscode from 'vscode';
import type { Confirmer } from '../../core/policy/approvals/approvals';
import { describeApproval } from '../../core/present/approvalText';
import { unbroken } from '../confirm/confirmer';
import type { ModalQuestions } from '../confirm/modalQuestions';

/** Asks as every call is asked about, but for the answers that outlast the tour or its page. */
export function tourConfirmer(questions: ModalQuestions): Confirmer {
  return {
    async confirm(request, signal) {
      const text = describeApproval(request, vscode.l10n.t);
      const buttons = text.buttons.filter((one) => one.id === 'allow-once');
      const pressed = await questions.ask({ title: text.title, detail: unbroken(text), buttons }, signal);
      return { outcome: pressed === undefined ? 'deny' : 'allow-once' };
    },
  };
}
