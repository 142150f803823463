import * as vscode from 'vscode';
import type { PastChange } from '../../core/changes/history';
import { readWhole } from '../../core/files/readWhole';
import type { ChangeRow } from '../../core/present/changeRows';
import { shortTime } from '../times';
import type { ChangesReading } from './changesReading';
import type { KeptContent } from './keptContent';
import { type Comparing, liveUri, openConflict, openFile, openFiles } from './openChanges';
import type { ShownChanges } from './shownChanges';

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
