import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';
import { agentChanges, burstsOf, type PastChange, isTakenBack } from '../../core/changes/history';
import { changeLabel } from '../../core/changes/undo';
import type { ChangesReading } from './changesReading';
import { unseenKey } from './names';
import { liveUri } from './openChanges';
import type { ShownChanges } from './shownChanges';
import { unseenBadge } from './unseenBadge';
import { visible } from '../../core/base/visible';
import { isObject, stringsIn } from '../../core/base/json';
import { noneSeen, type Seen, seenWith, unseenOf } from '../../core/changes/seen';
import type { KeyValueStore } from '../../core/ports/platform';

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

/** Marks files in the explorer that an agent changed last. */
class ChangeDecorations extends DisposableStore implements vscode.FileDecorationProvider {
  readonly #changed = this.add(new vscode.EventEmitter<vscode.Uri[]>());
  readonly onDidChangeFileDecorations = this.#changed.event;
  #marked = new Map<string, vscode.Uri>();
  #words = '';

  constructor() {
    super();
    this.add(vscode.window.registerFileDecorationProvider(this));
  }

  /**
   * @param profile the name of the profile by which they were changed.
   * @param agent the name of the agent that did it by a tool of its own.
   */
  set(uris: readonly vscode.Uri[], profile: string, agent?: string): void {
    const before = this.#marked;
    this.#marked = new Map(uris.map((uri) => [uri.toString(), uri]));
    this.#words =
      agent === undefined
        ? vscode.l10n.t('Changed by an agent (profile {0})', visible(profile))
        : vscode.l10n.t('Changed by {0}', agent);
    const touched = new Map([...before, ...this.#marked]);
    if (touched.size > 0) this.#changed.fire([...touched.values()]);
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    if (!this.#marked.has(uri.toString())) return undefined;
    return new vscode.FileDecoration('Ag', this.#words);
  }
}

const key = 'changes.seen';

/** Which changes the person has looked at in this workspace. */
export class SeenChanges {
  readonly #storage: KeyValueStore;

  constructor(storage: KeyValueStore) {
    this.#storage = storage;
  }

  /** Those of all changes that they have not seen. */
  missedIn(all: readonly PastChange[]): readonly PastChange[] {
    return unseenOf(all, this.#seen, isTakenBack);
  }

  /** They have looked at some of all changes. */
  async look(looked: readonly PastChange[], all: readonly PastChange[]): Promise<void> {
    const { until, also } = seenWith(this.#seen, looked, all);
    await this.#storage.set(key, { until, also });
  }

  get #seen(): Seen {
    const value = this.#storage.get(key);
    if (!isObject(value)) return noneSeen;
    const { until, also } = value;
    return {
      until: typeof until === 'number' ? until : 0,
      also: stringsIn(also),
    };
  }
}
