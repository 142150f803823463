import * as vscode from 'vscode';
import type { ApprovalRequest } from '../../core/call/gateCall';
import { visibleText } from '../../core/base/visible';
import type {
  AdminEntry,
  ApprovalQueue,
  Confirmer,
  ConfirmerAnswer,
  RefusedYes,
} from '../../core/policy/approvals/approvals';
import { type ApprovalText, describeApproval } from '../../core/present/approvalText';
import type { Clock } from '../../core/ports/platform';
import type { ModalQuestions } from './modalQuestions';
import type { ReadOnlyText } from '../files/readOnlyText';

interface ConfirmerContext {
  readonly questions: ModalQuestions;
  readonly texts: ReadOnlyText;
  readonly clock: Clock;
  /** Tells whether a token that was right still holds, so that it need not be typed again. */
  readonly isUnlocked: () => boolean;
  /** Where calls wait that were put aside; there once all is composed. */
  readonly inbox: () => Pick<ApprovalQueue, 'show' | 'answer'> | undefined;
}

/** The person's side of a confirmation. A picker that is left without a choice comes back to the question. */
export class EditorConfirmer implements Confirmer {
  readonly #questions: ModalQuestions;
  readonly #texts: ReadOnlyText;
  readonly #clock: Clock;
  readonly #isUnlocked: () => boolean;
  readonly #inbox: ConfirmerContext['inbox'];

  constructor(parts: ConfirmerContext) {
    this.#isUnlocked = parts.isUnlocked;
    this.#inbox = parts.inbox;
    this.#questions = parts.questions;
    this.#texts = parts.texts;
    this.#clock = parts.clock;
  }

  /** A way back to the question from the text that was shown instead of it; the inbox has it too. */
  async #offerToDecide(id: string, title: string): Promise<void> {
    const decide = vscode.l10n.t('Decide…');
    const deny = vscode.l10n.t('Deny');
    const picked = await vscode.window.showInformationMessage(title, decide, deny);
    const inbox = this.#inbox();
    if (picked === undefined || !inbox) return;
    const isWaiting = picked === decide ? inbox.show(id) : (await inbox.answer([id], { outcome: 'deny' })) > 0;
    if (!isWaiting)
      void vscode.window.showInformationMessage(vscode.l10n.t('That call waits no more, so nothing was decided.'));
  }

  refused(request: ApprovalRequest, why: RefusedYes): void {
    const name = visibleText(request.call.tool.definition.name).text;
    void vscode.window.showErrorMessage(vscode.l10n.t('{0} was not allowed. {1}', name, refusalWords(why)));
  }

  async confirm(request: ApprovalRequest, signal: AbortSignal): Promise<ConfirmerAnswer> {
    const text = describeApproval(request, vscode.l10n.t);
    const detail = unbroken(text);
    const buttons = text.buttons.map(({ id }) => ({ id, label: buttonLabel(id), isHarmless: id === 'show' }));
    for (;;) {
      const answer = await this.#questions.ask({ title: text.title, detail, buttons }, signal);
      switch (answer) {
        case undefined:
          return { outcome: 'deny' };
        case 'show':
          await this.#texts.open(`Confirmation ${request.call.tool.definition.name}.diff`, text.full);
          void this.#offerToDecide(request.id, text.title);
          return { outcome: 'parked' };
        case 'allow-once':
        case 'allow-session': {
          const proof = await this.#proof(request);
          if (!proof) continue;
          return { outcome: answer, ...proof };
        }
        case 'always': {
          const { pickGrant } = await import('./grantPicker');
          const grant = await pickGrant(request, () => this.#clock.now());
          if (!grant) continue;
          const proof = await this.#proof(request);
          if (!proof) continue;
          return { outcome: 'always', grant, ...proof };
        }
      }
    }
  }

  /** The admin token where the call needs one; undefined where the person left. */
  async #proof({ needsAdmin }: ApprovalRequest): Promise<{ readonly admin?: AdminEntry } | undefined> {
    if (!needsAdmin || this.#isUnlocked()) return {};
    const admin = await askToken();
    return admin && { admin };
  }
}

/**
 * The detail with its content unbroken: a line of a diff that wraps at a blank would look like two, the second without
 * its sign.
 */
function unbroken({ lines, contentFrom }: ApprovalText): string {
  return lines.map((line, at) => (at < contentFrom ? line : line.replaceAll(' ', '\u00A0'))).join('\n');
}

/** Why a yes did not count, in the person's language. */
function refusalWords(why: RefusedYes): string {
  switch (why.type) {
    case 'none':
      return vscode.l10n.t('No admin token was entered.');
    case 'not-set':
      return vscode.l10n.t('No admin token is set. An administrator sets one with Set Admin Token.');
    case 'wrong':
      return vscode.l10n.t('The admin token was wrong.');
    case 'locked':
      return vscode.l10n.t('Too many wrong admin tokens; try again in {0} s.', Math.ceil(why.retryAfterMs / 1000));
  }
}

function buttonLabel(id: 'allow-once' | 'allow-session' | 'always' | 'show'): string {
  switch (id) {
    case 'allow-once':
      return vscode.l10n.t('Allow Once');
    case 'allow-session':
      return vscode.l10n.t('Allow for This Session');
    case 'always':
      return vscode.l10n.t('Always Allow…');
    case 'show':
      return vscode.l10n.t('Show in Editor');
  }
}

async function askToken(): Promise<AdminEntry | undefined> {
  const token = await vscode.window.showInputBox({
    title: vscode.l10n.t('Admin token'),
    prompt: vscode.l10n.t('This call needs the approval of an administrator.'),
    password: true,
    ignoreFocusOut: true,
  });
  if (token === undefined) return undefined;
  const minute = 60_000;
  const terms = [
    { label: vscode.l10n.t('For this call'), lifetimeMs: 0 },
    { label: vscode.l10n.t('For 15 minutes'), lifetimeMs: 15 * minute },
    { label: vscode.l10n.t('For 1 hour'), lifetimeMs: 60 * minute },
  ];
  const term = await vscode.window.showQuickPick(terms, {
    title: vscode.l10n.t('How long shall the token unlock admin approvals?'),
    ignoreFocusOut: true,
  });
  return term && { token, lifetimeMs: term.lifetimeMs };
}
