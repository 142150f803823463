import * as vscode from 'vscode';
import type { SecretStore } from '../../core/ports/platform';
import { showInformation } from '../notices';

/**
 * *Set Secret…*: asks for a secret's name, where none is given, and for its value, which is typed into a password box,
 * kept in the editor's secret storage and shown nowhere. An empty value removes the secret.
 */
export async function setSecret(
  { secrets }: { readonly secrets: SecretStore },
  ...[given]: readonly unknown[]
): Promise<void> {
  const name = typeof given === 'string' ? given : await askName(await secrets.names());
  if (name === undefined) return;
  const value = await vscode.window.showInputBox({
    title: vscode.l10n.t('Set the secret {0}', name),
    prompt: vscode.l10n.t('The value; leave it empty to remove the secret'),
    password: true,
    ignoreFocusOut: true,
  });
  if (value === undefined) return;
  if (value === '' && !(await secrets.names()).includes(name)) {
    void showInformation(vscode.l10n.t('No secret {0} was stored, so there was nothing to remove.', name));
    return;
  }
  await secrets.set(name, value === '' ? undefined : value);
  void showInformation(
    value === ''
      ? vscode.l10n.t('The secret {0} was removed.', name)
      : vscode.l10n.t('The secret {0} is stored.', name),
  );
}

async function askName(known: readonly string[]): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Set a secret'),
    prompt:
      known.length === 0
        ? vscode.l10n.t('Name of the secret')
        : vscode.l10n.t('Name of the secret; stored are {0}', known.join(', ')),
    validateInput: (text) =>
      /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(text) && !text.startsWith('agentCapabilities.')
        ? undefined
        : vscode.l10n.t('Letters, digits, `_`, `-` and dots, a letter first'),
  });
}
