import type * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';
import { agentChanges, burstsOf, type PastChange } from '../../core/changes/history';
import { changeLabel } from '../../core/changes/undo';
import { ChangeDecorations } from './changeDecorations';
import type { ChangesReading } from './changesReading';
import { unseenKey } from './names';
import { liveUri } from './openChanges';
import type { SeenChanges } from './seenChanges';
import type { ShownChanges } from './shownChanges';
import { unseenBadge } from './unseenBadge';

/** So many places, the newest, are followed as they change. */
const mostFollowed = 500;

/** Counts what nobody has looked at: for the badge of the view and for the marks in the explorer. */
export class UnseenMarks extends DisposableStore {
  readonly #shown: Pick<ShownChanges, 'files' | 'storage' | 'profileName' | 'decorates'>;
  readonly #reading: ChangesReading;
  readonly #seen: SeenChanges;
  readonly #view: Pick<vscode.TreeView<unknown>, 'badge'>;
  readonly #decorations = this.add(new ChangeDecorations());
  /** The addresses of the files that are shown. */
  #places: ReadonlySet<string> = new Set();

  constructor(
    shown: Pick<ShownChanges, 'files' | 'storage' | 'profileName' | 'decorates'>,
    reading: ChangesReading,
    seen: SeenChanges,
    view: Pick<vscode.TreeView<unknown>, 'badge'>,
  ) {
    super();
    this.#shown = shown;
    this.#reading = reading;
    this.#seen = seen;
    this.#view = view;
  }

  /** True for a file of which a row says what stands there now. */
  isShown(uri: vscode.Uri): boolean {
    return this.#places.has(uri.toString());
  }

  async count(): Promise<void> {
    const { files, storage, profileName, decorates } = this.#shown;
    const history = await this.#reading.history();
    const all = agentChanges(history);
    const ids = new Set(this.#seen.missedIn(all).map(({ id }) => id));
    const byPlace = (changes: readonly PastChange[]): ReadonlyMap<string, PastChange> =>
      new Map(changes.map((one) => [changeLabel(one, files), one]));
    const bursts = burstsOf(all).map((burst) => ({
      by: burst.agent,
      profile: profileName(burst.profile),
      changes: byPlace(burst.changes.filter(({ id }) => ids.has(id))),
    }));
    const count = bursts.reduce((sum, { changes }) => sum + changes.size, 0);
    this.#view.badge = unseenBadge(count);
    if (storage.get(unseenKey) !== count) await storage.set(unseenKey, count);
    const uriNow = (change: PastChange): vscode.Uri | undefined => liveUri(change, { history, files })?.uri;
    const newest = [...byPlace(all).values()].slice(-mostFollowed);
    this.#places = new Set(newest.flatMap((change) => uriNow(change)?.toString() ?? []));
    const last = bursts.at(-1);
    const marked = last && decorates() ? [...last.changes.values()] : [];
    this.#decorations.set(
      marked.flatMap((change) => uriNow(change) ?? []),
      last?.profile ?? '',
      last?.by,
    );
  }
}
