import { visible } from '../../core/base/visible';
import * as vscode from 'vscode';
import { sessionWords } from '../../core/present/flowWords';
import type { HiddenSecret } from '../../core/secrets/shownOnce';
import type { GovernanceCommand } from './governanceCommand';
import { showInformation } from '../notices';

type SecretItem = vscode.QuickPickItem & { readonly secret: HiddenSecret };

/**
 * Lets one session of an agent see one hidden value in the next result that holds it. It takes no arguments: a person
 * picks, and says yes in a modal that no program can answer. The value itself is shown to nobody here.
 */
export const showSecretOnce: GovernanceCommand<'hidden' | 'questions'> = async ({ hidden, questions }) => {
  const shown = await hidden();
  const items = shown.list().map((secret): SecretItem => {
    const from = secret.from === '' ? secret.tool : vscode.l10n.t('{0}, by {1}', secret.from, secret.tool);
    return {
      label: `$(key) ${secret.placeholder}`,
      description: visible(sessionWords(secret.session, vscode.l10n.t)),
      detail: secret.isAllowed
        ? vscode.l10n.t('{0}. May be shown once: choose it to take that back.', visible(from))
        : visible(from),
      secret,
    };
  });
  if (items.length === 0) {
    void showInformation(
      vscode.l10n.t('No secret is hidden from an agent in this window, or the workspace is not trusted.'),
    );
    return;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Show a hidden secret once'),
    placeHolder: vscode.l10n.t('Which value may an agent see once? It is not shown here.'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!picked) return;
  const { session, placeholder, kind, from, tool, isAllowed } = picked.secret;
  if (isAllowed) {
    shown.withdraw(session, placeholder);
    void showInformation(vscode.l10n.t('{0} stays hidden.', placeholder));
    return;
  }
  const who = visible(sessionWords(session, vscode.l10n.t));
  const where = visible(from === '' ? tool : from);
  const isAgreed = await questions.confirms(
    vscode.l10n.t('Show this secret to an agent once?'),
    [
      vscode.l10n.t('What: {0} ({1}), from {2}', placeholder, kind, where),
      vscode.l10n.t('To: {0}, and the company that runs its model', who),
      vscode.l10n.t(
        'The next result within 10 minutes that holds the value shows it, once. What a model has read cannot be taken back. The record names the placeholder, never the value.',
      ),
    ].join('\n\n'),
    vscode.l10n.t('Show Once'),
  );
  if (!isAgreed) return;
  void showInformation(
    shown.allow(session, placeholder)
      ? vscode.l10n.t('The next result that holds {0} shows its value, once.', placeholder)
      : vscode.l10n.t('{0} stays hidden.', placeholder),
  );
};
