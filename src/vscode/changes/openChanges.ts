import { visible } from '../../core/base/visible';
import * as vscode from 'vscode';
import type { History, PastChange } from '../../core/changes/history';
import type { ChangedFile } from '../../core/changes/overview';
import { whereNow } from '../../core/changes/takeBack';
import type { FileSystem } from '../../core/ports/files';
import { uriOf } from '../files/workspaceFiles';
import type { KeptContent } from './keptContent';
import { showInformation } from '../notices';
import { readWhole } from '../../core/files/readWhole';
import type { ChangeRow } from '../../core/present/changeRows';
import { shortTime } from '../times';
import type { ChangesReading } from './changesReading';
import type { ShownChanges } from './shownChanges';

interface Comparing {
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
async function openFile(file: ChangedFile, comparing: Comparing): Promise<void> {
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
async function openFiles(files: readonly ChangedFile[], title: string, comparing: Comparing): Promise<void> {
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

/** What is opened, and from where. */
interface OpenedChanges extends Pick<ShownChanges, 'files' | 'crypto'> {
  readonly reading: ChangesReading;
  readonly kept: KeptContent;
}

const comparingOf = async ({ reading, kept, files }: OpenedChanges): Promise<Comparing> => ({
  kept,
  files,
  history: await reading.history(),
});

/** Opens what rows stand for, together; answers the changes that a person sees then. */
export async function openRows(rows: readonly ChangeRow[], opened: OpenedChanges): Promise<readonly PastChange[]> {
  const comparing = await comparingOf(opened);
  const [first] = rows;
  if (!first) return [];
  if (first.file && rows.length === 1) await openFile(first.file, comparing);
  else {
    const files = await Promise.all(
      rows.map(({ file, burst }) => (file ? [file] : opened.reading.filesOf({ kind: 'burst', id: burst }))),
    );
    await openFiles(files.flat(), vscode.l10n.t('Changes by agents: {0}', first.label), comparing);
  }
  return rows.flatMap(({ changes }) => changes);
}

/** Opens all that agents changed from the first change of the rows on; answers the changes that a person sees then. */
export async function openSince(rows: readonly ChangeRow[], opened: OpenedChanges): Promise<readonly PastChange[]> {
  const first = rows.flatMap(({ changes }) => changes).sort((a, b) => a.at - b.at)[0];
  if (!first) return [];
  const { reading } = opened;
  const files = await reading.filesOf({ kind: 'since', id: first.id });
  const title = vscode.l10n.t('Changes by agents since {0}', shortTime(first.time));
  await openFiles(files, title, await comparingOf(opened));
  return (await reading.changes()).filter(({ at }) => at >= first.at);
}

/** Opens changes that are in the way, one after the other, for the person to put together. @param ids theirs. */
export async function openConflicts(ids: readonly string[], opened: OpenedChanges): Promise<void> {
  const history = await opened.reading.history();
  for (const id of ids) {
    const change = history.changes.find((one) => one.id === id);
    const readNow = (one: PastChange): Promise<vscode.Uri | undefined> => addressNow(one, opened);
    if (change) await openConflict(change, { ...(await comparingOf(opened)), readNow });
  }
}

/** The address of what stands at the place of a change now. */
async function addressNow(
  change: PastChange,
  { reading, kept, files, crypto }: OpenedChanges,
): Promise<vscode.Uri | undefined> {
  const live = liveUri(change, { files, history: await reading.history() });
  if (!live || (await files.stat(live.at))?.type !== 'file') return undefined;
  const bytes = await readWhole(files, live.at);
  return kept.hold(live.uri.path, crypto.sha256(bytes), bytes);
}
