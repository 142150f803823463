import { visible } from '../../core/base/visible';
import * as vscode from 'vscode';
import { pause } from '../../core/base/pause';
import type { ApprovalRequest } from '../../core/call/gateCall';
import type {
  AdminEntry,
  ApprovalQueue,
  Confirmer,
  ConfirmerAnswer,
  RefusedYes,
} from '../../core/policy/approvals/approvals';
import {
  type ApprovalAnswer,
  type ApprovalButton,
  type ApprovalText,
  describeApproval,
  modalButtons,
} from '../../core/present/approvalText';
import type { Suggestion } from '../../core/learning/suggest';
import { mayStandTogether } from '../../core/present/together';
import { reasonKey } from '../../core/vocabulary/decision';
import type { Clock } from '../../core/ports/platform';
import { LearnedGrants, type LearnedGrantsOptions } from './learnedGrants';
import type { ModalButton, ModalQuestions } from './modalQuestions';
import type { DecisionEditors } from './decisionEditors';
import { showError } from '../notices';

/** From this question alike on something is offered for all of them. */
const alikeBefore = 3;
/** Calls of one answer of a model come so close together; while more come, or are on their way, they are waited for. */
const sameMomentMs = 100;
const sameMomentTimes = 5;
const lateMs = 25;

/** A button of the modal; those beside the answers of the question lead to answers for more than it. */
type ShownButton = { readonly id: ApprovalButton['id'] | 'learned' | 'together'; readonly label: string };

export interface ConfirmerContext {
  readonly questions: ModalQuestions;
  /** Shows what is asked about in an editor, where it is decided. */
  readonly editors: Pick<DecisionEditors, 'open' | 'hasShown'>;
  readonly clock: Clock;
  /** The calls that wait; there once all is composed. */
  readonly queue: () => Pick<ApprovalQueue, 'answer' | 'coming' | 'pending'> | undefined;
  /** Tells whether a token that was right still holds, so that it need not be typed again. */
  readonly isUnlocked: () => boolean;
  /** What grants are learned from. */
  readonly learned: LearnedGrantsOptions;
}

/** The person's side of a confirmation. A picker that is left without a choice comes back to the question. */
export class EditorConfirmer implements Confirmer {
  readonly #parts: ConfirmerContext;
  readonly #learned: LearnedGrants;
  readonly #asked = new Map<string, number>();

  constructor(parts: ConfirmerContext) {
    this.#parts = parts;
    this.#learned = new LearnedGrants(parts.learned);
  }

  refused(request: ApprovalRequest, why: RefusedYes): void {
    const name = visible(request.call.tool.definition.name);
    void showError(vscode.l10n.t('{0} was not allowed. {1}', name, refusalWords(why)));
  }

  async confirm(request: ApprovalRequest, signal: AbortSignal): Promise<ConfirmerAnswer> {
    const text = describeApproval(request, vscode.l10n.t);
    const detail = unbroken(text);
    const hasRead = this.#parts.editors.hasShown(request.id);
    const mayLast = text.lasting === 'now' || (hasRead && text.lasting === 'read');
    const learned = mayLast ? this.#suggestion(request) : undefined;
    await this.#sameMoment(request, signal);
    for (;;) {
      const others = this.#others(request);
      const { offered, buttons } = modalRow(text, { mayLast, isLearned: learned !== undefined, others: others.length });
      const pressed = await this.#parts.questions.ask({ title: text.title, detail, buttons }, signal);
      if (pressed === 'learned' && learned) {
        const scope = await this.#learned.offer(learned, signal);
        if (scope === undefined && !signal.aborted) continue;
        return scope === undefined
          ? { outcome: 'deny' }
          : { outcome: 'always', grant: { scope, cover: 'pattern', pattern: learned.pattern }, hasRead };
      }
      if (pressed === 'together') {
        // Also those that came while the modal was open.
        const answer = await this.#together([request, ...this.#others(request)], signal);
        if (!answer) continue;
        return answer;
      }
      const button = offered.find(({ id }) => id === pressed);
      if (!button) return { outcome: 'deny' };
      if (button.id === 'show') {
        await this.#parts.editors.open(request, text);
        return { outcome: 'parked' };
      }
      const answer = await answerOf(button, request, () => this.#parts.clock.now());
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

  /**
   * Waits for the calls that come with this one: a modal that is open says no other number. A pause that ended late has
   * heard nothing, for timers run before what came meanwhile.
   */
  async #sameMoment(request: ApprovalRequest, signal: AbortSignal): Promise<void> {
    if (!mayStandTogether(request)) return;
    const { clock, queue } = this.#parts;
    let known = 0;
    for (let times = 0; times < sameMomentTimes && !signal.aborted; times++) {
      const due = clock.monotonic() + sameMomentMs;
      await pause(sameMomentMs, signal, clock);
      const now = this.#others(request).length;
      const isLate = clock.monotonic() - due > lateMs;
      if (now <= known && !isLate && queue()?.coming.isAny !== true) return;
      known = now;
    }
  }

  /** What waits beside a call, and may be answered with it in one list. */
  #others(request: ApprovalRequest): readonly ApprovalRequest[] {
    if (!mayStandTogether(request)) return [];
    return (this.#parts.queue()?.pending() ?? []).flatMap((one) =>
      one.state === 'queued' && mayStandTogether(one.request) ? [one.request] : [],
    );
  }

  /** The answer to the first of these calls, after the others were answered; undefined where the list was left. */
  async #together(requests: readonly ApprovalRequest[], signal: AbortSignal): Promise<ConfirmerAnswer | undefined> {
    const { answerAll, decideTogether } = await import('./togetherQuestion');
    const parts = { clock: this.#parts.clock, questions: this.#parts.questions, editors: this.#parts.editors };
    const answers = await decideTogether(requests, parts, signal);
    if (!answers) return undefined;
    const [first] = requests;
    const { allowed, denied } = answers;
    await answerAll(this.#parts.queue(), answers, first);
    if (first && allowed.includes(first)) return { outcome: 'allow-once' };
    return first && denied.includes(first) ? { outcome: 'deny' } : undefined;
  }

  /** The admin token where the call needs one; undefined where the person left. */
  async #proof({ needsAdmin }: ApprovalRequest): Promise<{ readonly admin?: AdminEntry } | undefined> {
    if (!needsAdmin || this.#parts.isUnlocked()) return {};
    const admin = await askToken();
    return admin && { admin };
  }
}

/** The buttons of the modal, and those of them that answer this question alone. */
function modalRow(
  text: ApprovalText,
  { mayLast, isLearned, others }: { readonly mayLast: boolean; readonly isLearned: boolean; readonly others: number },
): { readonly offered: readonly ApprovalButton[]; readonly buttons: readonly ModalButton<ShownButton['id']>[] } {
  const more: readonly ShownButton[] = [
    ...(isLearned ? [{ id: 'learned', label: vscode.l10n.t('Stop Asking…') } as const] : []),
    ...(others > 0 ? [{ id: 'together', label: vscode.l10n.t('Decide All {0}…', others + 1) } as const] : []),
  ];
  const offered = modalButtons(mayLast ? text.lastingButtons : [], vscode.l10n.t, more);
  const shown: readonly ShownButton[] = [...offered.slice(0, -1), ...more, ...offered.slice(-1)];
  const isHarmless = (id: ShownButton['id']): boolean => id === 'show' || id === 'together';
  return { offered, buttons: shown.map(({ id, label }) => ({ id, label, isHarmless: isHarmless(id) })) };
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
  switch (why.outcome) {
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
