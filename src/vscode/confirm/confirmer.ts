import * as vscode from 'vscode';
import type { ApprovalRequest } from '../../core/call/gateCall';
import { visibleText } from '../../core/base/visible';
import type { AdminEntry, Confirmer, ConfirmerAnswer, RefusedYes } from '../../core/policy/approvals/approvals';
import {
  type ApprovalAnswer,
  type ApprovalButton,
  type ApprovalText,
  describeApproval,
  modalButtons,
} from '../../core/present/approvalText';
import type { Suggestion } from '../../core/learning/suggest';
import { reasonKey } from '../../core/vocabulary/decision';
import type { Clock } from '../../core/ports/platform';
import { LearnedGrants, type LearnedGrantsOptions } from './learnedGrants';
import type { ModalQuestions } from './modalQuestions';
import type { DecisionEditors } from './decisionEditors';

/** From this question alike on something is offered for all of them. */
const alikeBefore = 3;

interface ConfirmerContext {
  readonly questions: ModalQuestions;
  /** Shows what is asked about in an editor, where it is decided. */
  readonly editors: Pick<DecisionEditors, 'open' | 'hasShown'>;
  readonly clock: Clock;
  /** Tells whether a token that was right still holds, so that it need not be typed again. */
  readonly isUnlocked: () => boolean;
  /** What grants are learned from. */
  readonly learned: LearnedGrantsOptions;
}

/** The person's side of a confirmation. A picker that is left without a choice comes back to the question. */
export class EditorConfirmer implements Confirmer {
  readonly #questions: ModalQuestions;
  readonly #editors: ConfirmerContext['editors'];
  readonly #clock: Clock;
  readonly #isUnlocked: () => boolean;
  readonly #learned: LearnedGrants;
  readonly #asked = new Map<string, number>();

  constructor(parts: ConfirmerContext) {
    this.#isUnlocked = parts.isUnlocked;
    this.#learned = new LearnedGrants(parts.learned);
    this.#questions = parts.questions;
    this.#editors = parts.editors;
    this.#clock = parts.clock;
  }

  refused(request: ApprovalRequest, why: RefusedYes): void {
    const name = visibleText(request.call.tool.definition.name).text;
    void vscode.window.showErrorMessage(vscode.l10n.t('{0} was not allowed. {1}', name, refusalWords(why)));
  }

  async confirm(request: ApprovalRequest, signal: AbortSignal): Promise<ConfirmerAnswer> {
    const text = describeApproval(request, vscode.l10n.t);
    const detail = unbroken(text);
    const hasRead = this.#editors.hasShown(request.id);
    const mayLast = text.lasting === 'now' || (hasRead && text.lasting === 'read');
    const learned = mayLast ? this.#suggestion(request) : undefined;
    const more = learned ? [{ id: 'learned', label: vscode.l10n.t('Stop Asking…') } as const] : [];
    const offered = mayLast ? modalButtons(text.lastingButtons, vscode.l10n.t, more) : text.buttons;
    const shown: readonly { readonly id: ApprovalButton['id'] | 'learned'; readonly label: string }[] = [
      ...offered.slice(0, -1),
      ...more,
      ...offered.slice(-1),
    ];
    const buttons = shown.map(({ id, label }) => ({ id, label, isHarmless: id === 'show' }));
    for (;;) {
      const pressed = await this.#questions.ask({ title: text.title, detail, buttons }, signal);
      if (pressed === 'learned' && learned) {
        const scope = await this.#learned.offer(learned, signal);
        if (scope === undefined && !signal.aborted) continue;
        return scope === undefined
          ? { outcome: 'deny' }
          : { outcome: 'always', grant: { scope, cover: 'pattern', pattern: learned.pattern }, hasRead };
      }
      const button = offered.find(({ id }) => id === pressed);
      if (!button) return { outcome: 'deny' };
      if (button.id === 'show') {
        await this.#editors.open(request, text);
        return { outcome: 'parked' };
      }
      const answer = await answerOf(button, request, () => this.#clock.now());
      if (!answer) continue;
      const proof = await this.#proof(request);
      if (!proof) continue;
      return answer.outcome === 'allow-once' ? { ...answer, ...proof } : { ...answer, hasRead, ...proof };
    }
  }

  /** What would have saved this question and those alike before it; from the third on. */
  #suggestion(request: ApprovalRequest): Suggestion | undefined {
    const { call, reasons, needsAdmin } = request;
    const key = JSON.stringify([call.tool.id, call.actor.type, reasons.map(reasonKey)]);
    const times = (this.#asked.get(key) ?? 0) + 1;
    this.#asked.set(key, times);
    if (needsAdmin) return undefined;
    // Begun with the first question, so that the record was read when something can be learned from it.
    this.#learned.lookUp(call.tool.id);
    try {
      return times < alikeBefore ? undefined : this.#learned.forRequest(request);
    } catch {
      return undefined;
    }
  }

  /** The admin token where the call needs one; undefined where the person left. */
  async #proof({ needsAdmin }: ApprovalRequest): Promise<{ readonly admin?: AdminEntry } | undefined> {
    if (!needsAdmin || this.#isUnlocked()) return {};
    const admin = await askToken();
    return admin && { admin };
  }
}

/** What a button answers; undefined where the person left its picker without a choice. */
export async function answerOf(
  button: ApprovalButton,
  request: ApprovalRequest,
  now: () => number,
): Promise<Yes | undefined> {
  switch (button.id) {
    case 'allow-once':
    case 'allow-session':
      return { outcome: button.id };
    case 'allow-files':
      return { outcome: 'always', grant: { scope: 'session', cover: 'files', folder: button.folder } };
    case 'always': {
      const { pickGrant } = await import('./grantPicker');
      const grant = await pickGrant(request, now);
      return grant && { outcome: 'always', grant };
    }
    case 'for-session': {
      const picked = await pickAnswer(button.choices);
      return picked && answerOf(picked, request, now);
    }
    case 'show':
      return undefined;
  }
}

/** Asks which of the answers that last is meant. */
export async function pickAnswer(answers: readonly ApprovalAnswer[]): Promise<ApprovalAnswer | undefined> {
  const items = answers.map((answer) => ({ label: answer.label, answer }));
  const title = vscode.l10n.t('What is allowed for longer?');
  return (await vscode.window.showQuickPick(items, { title, ignoreFocusOut: true }))?.answer;
}

type Yes = Exclude<ConfirmerAnswer, { readonly outcome: 'deny' | 'parked' }>;

/**
 * The detail with its content unbroken: a line of a diff that wraps at a blank would look like two, the second without
 * its sign.
 */
export function unbroken({ lines, contentFrom }: ApprovalText): string {
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
