import * as vscode from 'vscode';
import { isObject } from '../../core/base/json';
import { parseHttpUrl } from '../../core/net/url';
import { saidToPerson } from '../saidToPerson';
import { settingId } from '../../core/settings/settingTable';
import { showInformation } from '../notices';
import { letRead } from '../settings/letRead';

const setting = settingId('channels');

/**
 * Asks for a channel's name and the address of its manifest, and writes both into the person's own settings: then the
 * manifest is fetched, and what its tools may do is asked before any of them acts.
 */
export async function addChannel(): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add a channel (1/2)'),
    prompt: vscode.l10n.t('Name of the channel; its tools carry it in front of theirs'),
    ignoreFocusOut: true,
    validateInput: nameFault,
  });
  if (name === undefined) return;
  const url = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add the channel {0} (2/2)', name),
    prompt: vscode.l10n.t('Address of its manifest'),
    placeHolder: 'http://localhost:8080/capabilities.json',
    ignoreFocusOut: true,
    validateInput: (text) => urlFault(text.trim()),
  });
  if (url === undefined) return;
  await letRead(vscode.ConfigurationTarget.Global);
  await vscode.workspace
    .getConfiguration()
    .update(setting, { ...ownChannels(), [name]: url.trim() }, vscode.ConfigurationTarget.Global);
  void showInformation(vscode.l10n.t('{0} is asked for its tools; before one acts you are asked.', name));
}

function ownChannels(): Readonly<Record<string, unknown>> {
  const value: unknown = vscode.workspace.getConfiguration().inspect(setting)?.globalValue;
  return isObject(value) ? value : {};
}

function nameFault(name: string): string | undefined {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name))
    return vscode.l10n.t('Small letters, digits and underscores, a letter first');
  return Object.hasOwn(ownChannels(), name) ? vscode.l10n.t('There is a channel of this name already.') : undefined;
}

function urlFault(text: string): string | undefined {
  try {
    parseHttpUrl(text);
    return undefined;
  } catch (error) {
    return saidToPerson(error);
  }
}
