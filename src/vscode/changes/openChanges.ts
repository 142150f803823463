import { visible } from '../../core/base/visible';
import * as vscode from 'vscode';
import type { History, PastChange } from '../../core/changes/history';
import type { ChangedFile } from '../../core/changes/overview';
import { whereNow } from '../../core/changes/takeBack';
import type { FileSystem } from '../../core/ports/files';
import { uriOf } from '../files/workspaceFiles';
import type { KeptContent } from './keptContent';
import { showInformation } from '../notices';

export interface Comparing {
  readonly kept: KeptContent;
  readonly history: History;
  readonly files: FileSystem;
}

interface Sides {
  readonly before: vscode.Uri;
  readonly after: vscode.Uri;
}

/** Where the place of a change is now, for the editor; undefined where its folder is not open. */
export function liveUri(change: PastChange, { history, files }: Pick<Comparing, 'history' | 'files'>) {
  const at = whereNow(change, { history, files });
  return at && { at, uri: uriOf(at) };
}

/**
 * What agents did to a file, as two addresses: the second is the file itself where it stands as they left it. Undefined
 * where one of them is not kept, and for folders.
 */
function sidesOf({ path, changes, state }: ChangedFile, comparing: Comparing): Sides | undefined {
  const contents = changes.filter(({ action }) => action === 'write' || action === 'delete');
  const [first, last] = [contents[0], contents.at(-1)];
  if (!first || !last || first.before.kind === 'folder' || last.after.kind === 'folder') return undefined;
  const { kept } = comparing;
  const live = liveUri(last, comparing)?.uri;
  // By the path of the file itself: another one would read as a new name.
  const shown = live?.path ?? `/${path}`;
  const before = kept.address(shown, first.before);
  const after = live && state === 'as_left' && last.after.kind === 'file' ? live : kept.address(shown, last.after);
  return before && after && { before, after };
}

/** Opens what agents did to one file in the editor's own comparison; a moved file alone, where nothing else changed. */
export async function openFile(file: ChangedFile, comparing: Comparing): Promise<void> {
  const sides = sidesOf(file, comparing);
  const name = visible(file.path.slice(file.path.lastIndexOf('/') + 1));
  if (sides) {
    const title =
      file.state === 'changed_since'
        ? vscode.l10n.t('{0} (what the agent changed; it was changed since)', name)
        : vscode.l10n.t('{0} (what the agent changed)', name);
    await vscode.commands.executeCommand('vscode.diff', sides.before, sides.after, title, { preview: true });
    return;
  }
  const last = file.changes.at(-1);
  const live = last && last.action !== 'delete' ? liveUri(last, comparing) : undefined;
  const stat = live && (await comparing.files.stat(live.at).catch(() => undefined));
  if (live && stat?.type === 'file') await vscode.commands.executeCommand('vscode.open', live.uri);
  else if (live && stat) await vscode.commands.executeCommand('revealInExplorer', live.uri);
  else void showInformation(vscode.l10n.t('What stood at {0} is not kept.', name));
}

/** Opens what agents did to several files in one editor. */
export async function openFiles(files: readonly ChangedFile[], title: string, comparing: Comparing): Promise<void> {
  const resources = files.flatMap((file) => {
    const sides = sidesOf(file, comparing);
    return sides ? [[sides.after, sides.before, sides.after]] : [];
  });
  const [only] = files;
  if (only && files.length === 1) await openFile(only, comparing);
  else if (resources.length > 0) await vscode.commands.executeCommand('vscode.changes', title, resources);
  else void showInformation(vscode.l10n.t('Nothing of this has a content that can be compared.'));
}

/**
 * Shows a change that others changed since, so that a person puts both together: in the editor's merge editor, else as
 * a comparison. Nothing is written before the person does it.
 */
export async function openConflict(
  change: PastChange,
  { readNow, ...comparing }: Comparing & { readonly readNow: (change: PastChange) => Promise<vscode.Uri | undefined> },
): Promise<void> {
  const { kept } = comparing;
  const live = liveUri(change, comparing);
  const shown = live?.uri.path ?? `/${change.path}`;
  const [base, theirs] = [kept.address(shown, change.after), kept.address(shown, change.before)];
  const now = await readNow(change);
  if (!live || !base || !theirs || !now) {
    const name = visible(change.path);
    const words =
      live && base && theirs
        ? vscode.l10n.t('What was changed at {0} is not there any more; it was moved or deleted since.', name)
        : vscode.l10n.t('What stood at {0} is not kept.', name);
    void showInformation(words);
    return;
  }
  // To take back what took a change back is to make the change again.
  const aside =
    change.reverts === undefined
      ? vscode.l10n.t('Without the agent’s change')
      : vscode.l10n.t('With the agent’s change again');
  // What the editor's own Git uses; a command that no version promises.
  const merge = '_open.mergeEditor';
  const isThere = (await vscode.commands.getCommands(false)).includes(merge);
  if (isThere)
    try {
      await vscode.commands.executeCommand(merge, {
        base,
        input1: { uri: theirs, title: aside },
        input2: { uri: now, title: vscode.l10n.t('As it is now') },
        output: live.uri,
      });
      return;
    } catch {
      // Then side by side.
    }
  const title = vscode.l10n.t('{0} ({1}, and as it is now)', visible(change.path), aside);
  await vscode.commands.executeCommand('vscode.diff', theirs, live.uri, title, { preview: false });
}
