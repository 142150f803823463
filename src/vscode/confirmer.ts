import * as vscode from 'vscode';
import type { ApprovalRequest } from '../core/gate/types';
import type { AdminEntry, Confirmer, ConfirmerAnswer } from '../core/policy/approvals';
import { describeApproval } from '../core/policy/approvalText';
import type { GrantDraft, GrantScope } from '../core/policy/grants';
import type { ModalQuestions } from './modalConfirmer';
import type { ReadOnlyText } from './readOnlyText';

/** The person's side of a confirmation (ux.md, the modal). A picker that is left without a choice comes back to the question. */
export class EditorConfirmer implements Confirmer {
  readonly #questions: ModalQuestions;
  readonly #texts: ReadOnlyText;

  constructor(questions: ModalQuestions, texts: ReadOnlyText) {
    this.#questions = questions;
    this.#texts = texts;
  }

  async confirm(request: ApprovalRequest, signal: AbortSignal): Promise<ConfirmerAnswer> {
    const text = describeApproval(request);
    const buttons = text.buttons.map((button) => ({ ...button, label: buttonLabel(button.id) }));
    for (;;) {
      const answer = await this.#questions.ask({ title: text.title, detail: text.detail, buttons }, signal);
      switch (answer) {
        case undefined:
          return { outcome: 'deny' };
        case 'show':
          await this.#texts.open(`Confirmation ${request.call.tool.definition.name}.txt`, text.full);
          return { outcome: 'parked' };
        case 'allow-once':
        case 'allow-session': {
          const admin = request.needsAdmin ? await askToken() : undefined;
          if (request.needsAdmin && !admin) continue;
          return { outcome: answer, ...(admin ? { admin } : {}) };
        }
        case 'always': {
          const grant = await pickGrant(request);
          if (!grant) continue;
          const admin = request.needsAdmin ? await askToken() : undefined;
          if (request.needsAdmin && !admin) continue;
          return { outcome: 'always', grant, ...(admin ? { admin } : {}) };
        }
      }
    }
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

/** Asks what to remember and for how long, from the narrowest to the widest. */
export async function pickGrant(request: ApprovalRequest): Promise<GrantDraft | undefined> {
  const name = request.call.tool.definition.name;
  const resources = request.accesses.map((access) => access.resource).filter(Boolean);
  const covers: (vscode.QuickPickItem & { cover: GrantDraft['cover'] })[] = [
    { label: vscode.l10n.t('Exactly these arguments'), cover: 'arguments' },
    ...(resources.length > 0
      ? [
          { label: vscode.l10n.t('These resources'), description: resources.slice(0, 3).join(', '), cover: 'resources' as const },
          {
            label: vscode.l10n.t('Resources by a pattern…'),
            description: vscode.l10n.t('such as src/** or *.example.com'),
            cover: 'pattern' as const,
          },
        ]
      : []),
    { label: vscode.l10n.t('Every call of {0}', name), cover: 'tool' },
  ];
  const cover = await vscode.window.showQuickPick(covers, { title: vscode.l10n.t('Always allow {0} for…', name), ignoreFocusOut: true });
  if (!cover) return undefined;
  let pattern: string | undefined;
  if (cover.cover === 'pattern') {
    pattern = await vscode.window.showInputBox({
      title: vscode.l10n.t('A glob for the resources'),
      value: resources[0] ?? '',
      ignoreFocusOut: true,
      validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('A pattern is needed') : undefined),
    });
    if (pattern === undefined) return undefined;
  }
  const scopes: (vscode.QuickPickItem & { scope: GrantScope })[] = [
    { label: vscode.l10n.t('Until the window is reloaded'), scope: 'session' },
    { label: vscode.l10n.t('In this workspace'), scope: 'workspace' },
    { label: vscode.l10n.t('In every workspace'), scope: 'always' },
  ];
  const scope = await vscode.window.showQuickPick(scopes, { title: vscode.l10n.t('For how long?'), ignoreFocusOut: true });
  return scope && { scope: scope.scope, cover: cover.cover, ...(pattern === undefined ? {} : { pattern: pattern.trim() }) };
}

async function askToken(): Promise<AdminEntry | undefined> {
  const token = await vscode.window.showInputBox({
    title: vscode.l10n.t('Admin token'),
    prompt: vscode.l10n.t('This call needs the approval of an administrator.'),
    password: true,
    ignoreFocusOut: true,
  });
  return token === undefined ? undefined : { token, lifetimeMs: 0 };
}
