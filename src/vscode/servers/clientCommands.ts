import * as vscode from 'vscode';
import { type ClientConfiguration, clientConfiguration, clientNames } from '../../core/foreign/clientConfiguration';
import { clientFile, mergedClientFile } from '../../core/foreign/clientFile';
import { worded } from '../../core/base/sentence';
import type { ServerCommand, ServerCommandContext } from './serverCommand';
import { showInformation } from '../notices';
import { fileTextIfAny, isLink } from '../files/fileText';

/** Hands another client what it needs to start our server on stdio: on the clipboard, or written into its own file. */
export const copyClientConfiguration: ServerCommand<'client' | 'user' | 'writeText'> = async (
  context,
  client,
  where,
) => {
  const options = await context.client();
  const all = clientNames.map((name) => clientConfiguration(name, options));
  const title = vscode.l10n.t('Configure another client');
  const given = all.find((one) => one.client === client);
  const items = all.map((one) => ({ label: one.title, description: one.where, configuration: one }));
  const picked =
    given ?? (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.configuration;
  if (!picked) return undefined;
  const file = clientFile(picked.client, { workspace: options.workspace, user: context.user });
  const write = vscode.l10n.t('Write it into {0}', file ? shown(file) : '');
  const copy = vscode.l10n.t('Copy it to the clipboard');
  const how =
    where === 'copy' || !file
      ? copy
      : where === 'write'
        ? write
        : await vscode.window.showQuickPick([write, copy], { title: picked.title });
  if (how === copy) {
    await vscode.env.clipboard.writeText(picked.text);
    void showInformation(vscode.l10n.t('Copied for {0}; it goes into {1}.', picked.title, picked.where));
  }
  if (how === write && file) await writeFile(context, picked, file);
  return picked;
};

async function writeFile(
  context: Pick<ServerCommandContext, 'writeText'>,
  configuration: ClientConfiguration,
  file: string,
): Promise<void> {
  const uri = vscode.Uri.file(file);
  if (await leadsElsewhere(uri))
    throw new Error(
      vscode.l10n.t('{0} is a link, so nothing is written into it; copy the configuration instead.', shown(file)),
    );
  const before = (await fileTextIfAny(uri)) ?? '';
  const after = mergedClientFile(configuration, before);
  if ('fault' in after)
    throw new Error(
      vscode.l10n.t(
        '{0} cannot be read ({1}); mend it, or copy the configuration instead.',
        shown(file),
        worded(after.fault, vscode.l10n.t),
      ),
    );
  await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(uri, '..'));
  await context.writeText(uri, after.text);
  await vscode.window.showTextDocument(uri, { preview: true });
  void showInformation(
    before === after.text
      ? vscode.l10n.t('{0} had this configuration already.', shown(file))
      : vscode.l10n.t('{0} starts these tools from now on; start it anew.', configuration.title),
  );
}

/** The address of the HTTP API and its token, on the clipboard of the person and nowhere else. */
export const copyApiAccess: ServerCommand<'api'> = async (context: Pick<ServerCommandContext, 'api'>) => {
  const { url, token } = await context.api();
  await vscode.env.clipboard.writeText(`${url}\nAuthorization: Bearer ${token}\n`);
  void showInformation(
    vscode.l10n.t(
      'Copied the address and the token of the API. They hold until this window closes; whoever has them can read profiles and ask you to change them.',
    ),
  );
};

/** A repository may bring a link in place of the file, which would lead anywhere. */
async function leadsElsewhere(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.getWorkspaceFolder(uri) !== undefined && isLink(uri).catch(() => true);
}

function shown(file: string): string {
  return vscode.workspace.asRelativePath(vscode.Uri.file(file), false);
}
