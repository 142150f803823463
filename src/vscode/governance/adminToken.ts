import * as vscode from 'vscode';
import type { AdminChange } from '../../core/policy/approvals/adminToken';
import type { GovernanceCommand, GovernanceContext } from './governanceCommand';
import { showError, showInformation, showWarning } from '../notices';

const shortest = 8;

/**
 * Sets, changes, removes, unlocks with or locks the admin token. Only a hash of it is kept, in the editor's secret
 * storage.
 */
export const setAdminToken: GovernanceCommand<'admin'> = async (context) => {
  const { admin } = context;
  if (!(await admin.isSet())) return change(context, undefined);
  const items = [
    { label: `$(key) ${vscode.l10n.t('Change the token')}`, id: 'change' },
    { label: `$(trash) ${vscode.l10n.t('Remove the token')}`, id: 'remove' },
    ...(admin.isUnlocked
      ? [{ label: `$(lock) ${vscode.l10n.t('Lock now')}`, id: 'lock' }]
      : [{ label: `$(unlock) ${vscode.l10n.t('Unlock for a while…')}`, id: 'unlock' }]),
  ];
  const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Admin token') });
  if (!picked) return undefined;
  if (picked.id === 'lock') return admin.lock();
  const current = await ask(vscode.l10n.t('The current admin token'));
  if (current === undefined) return undefined;
  if (picked.id === 'change') return change(context, current);
  if (picked.id === 'remove')
    return tell(await admin.set(undefined, current), vscode.l10n.t('The admin token is removed.'));
  const lifetimeMs = await pickLifetime();
  if (lifetimeMs === undefined) return undefined;
  return tell(await admin.unlock(current, lifetimeMs), vscode.l10n.t('Admin approvals need no further token for now.'));
};

async function change(context: Pick<GovernanceContext, 'admin'>, current: string | undefined): Promise<void> {
  const token = await ask(
    vscode.l10n.t('A new admin token'),
    vscode.l10n.t('At least {0} characters. It is asked for where a call needs an administrator.', shortest),
    (text) => (text.length < shortest ? vscode.l10n.t('At least {0} characters', shortest) : undefined),
  );
  if (token === undefined) return;
  const again = await ask(vscode.l10n.t('The new admin token again'), undefined, (text) =>
    text === token ? undefined : vscode.l10n.t('The two are not the same'),
  );
  if (again === undefined) return;
  tell(await context.admin.set(token, current), vscode.l10n.t('The admin token is set.'));
}

function ask(
  title: string,
  prompt?: string,
  validateInput?: (text: string) => string | undefined,
): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    password: true,
    ignoreFocusOut: true,
    ...(prompt === undefined ? {} : { prompt }),
    ...(validateInput ? { validateInput } : {}),
  });
}

/** How long a right token shall hold: 0 for one call. Undefined where the person left. */
async function pickLifetime(): Promise<number | undefined> {
  const minute = 60_000;
  const items = [
    { label: vscode.l10n.t('For 15 minutes'), ms: 15 * minute },
    { label: vscode.l10n.t('For 1 hour'), ms: 60 * minute },
    { label: vscode.l10n.t('For 8 hours'), ms: 480 * minute },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('For how long?'),
    ignoreFocusOut: true,
  });
  return picked?.ms;
}

function tell(answer: AdminChange, accepted: string): void {
  switch (answer.outcome) {
    case 'accepted':
      void showInformation(accepted);
      return;
    case 'not-set':
      void showWarning(vscode.l10n.t('No admin token is set.'));
      return;
    case 'wrong':
      void showError(vscode.l10n.t('The admin token was wrong.'));
      return;
    case 'too-short':
      void showError(vscode.l10n.t('At least {0} characters', answer.shortest));
      return;
    case 'locked':
      void showError(
        vscode.l10n.t('Too many wrong tokens; try again in {0} s.', Math.ceil(answer.retryAfterMs / 1000)),
      );
  }
}
