import * as vscode from 'vscode';
import { Debounce } from '../../core/base/debounce';
import type { Event } from '../../core/base/event';
import { lazy } from '../../core/base/lazy';
import { DisposableStore } from '../../core/base/lifecycle';
import type { PastCall } from '../../core/audit/recentCalls';
import { isObject } from '../../core/base/json';
import { agentChanges, type Burst, burstsOf, type History, type PastChange } from '../../core/changes/history';
import { type ChangedFile, overviewOf } from '../../core/changes/overview';
import { type CallUndo, callUndo, changeLabel, historyOf } from '../../core/changes/undo';
import { readWhole } from '../../core/files/readWhole';
import type { ToolRouter } from '../../core/gate/router';
import type { ChangesPort } from '../../core/ports/changes';
import type { FileSystem } from '../../core/ports/files';
import type { Crypto, KeyValueStore } from '../../core/ports/platform';
import { burstRow, type ChangeRow, fileRows } from '../../core/present/changeRows';
import { commandId } from '../manifest/commands/commandId';
import { runCommand } from '../manifest/commands/runCommand';
import type { ContextKeys } from '../settings/contextKeys';
import { rowItem } from '../tree/rowItem';
import { TreeSelection } from '../tree/treeSelection';
import { AnsweredRows } from './answeredRows';
import { nothingOf, outcomeOf, tellNotKnown } from './callEnd';
import { ChangeDecorations } from './changeDecorations';
import { KeptContent } from './keptContent';
import { type Comparing, liveUri, openConflict, openFile, openFiles } from './openChanges';
import { type ChangeCommand, unseenKey } from './names';
import { ableRows, type TakeBack, takeBackCall, takeBackRows, type TakenBackRows } from './takeBackRows';
import { watchFiles } from '../files/watchFiles';
import { SeenChanges } from './seenChanges';
import { unseenBadge } from './unseenBadge';
import { showInformation, showWarning } from '../notices';
import { tellClickMetRedraw } from '../goneRow';
import { shortTime } from '../times';

/** What the view shows and takes back. */
export interface ShownChanges {
  readonly changes: ChangesPort;
  readonly files: FileSystem;
  readonly crypto: Crypto;
  readonly router: Pick<ToolRouter, 'invoke' | 'preview'>;
  readonly storage: KeyValueStore;
  readonly keys: ContextKeys;
  readonly profileName: (id: string) => string;
  readonly toolTitle: (id: string) => string;
  readonly decorates: () => boolean;
  /** How a call of this window ended, by its id. */
  readonly pastCall: (call: string) => PastCall | undefined;
  /** Fires when something was kept. */
  readonly onDidChange: Event<void>;
  readonly onDidChangeSettings: Event<unknown>;
  readonly onProblem: (message: string) => void;
}

interface Drawn {
  readonly view: vscode.TreeView<ChangeRow>;
  /** The rows that the editor got from us. */
  readonly rows: WeakSet<object>;
  readonly redraw: () => void;
}

/** Says that a row was clicked, or chosen by a key whose own command follows at once. */
const clicked = 'clicked';
/** So long a click waits whether it was a key. */
const clickMs = 150;
/** Calls come in bursts; the view is drawn once for several. */
const pauseMs = 150;
/** So many places, the newest, are followed as they change. */
const mostFollowed = 500;

/** The view "Changes by Agents": bursts of work, newest first, with their files; what people do with them. */
export class ChangesView extends DisposableStore {
  readonly kept: KeptContent;
  readonly #shown: ShownChanges;
  readonly #drawn: Drawn;
  readonly #decorations: ChangeDecorations;
  readonly #seen: SeenChanges;
  /** The addresses of the files that are shown. */
  #places: ReadonlySet<string> = new Set();
  #read = this.#reading();
  /** The files of the bursts that were asked for, from the same reading as the history. */
  readonly #overviews = new Map<string, () => Promise<readonly ChangedFile[]>>();
  #takingBack: Promise<unknown> = Promise.resolve();
  readonly #waiting = this.add(new Debounce(() => this.#redraw(), pauseMs));
  #click: NodeJS.Timeout | undefined;
  readonly #selection: TreeSelection<ChangeRow>;
  readonly #answered = new AnsweredRows();

  constructor(shown: ShownChanges, drawn: Drawn) {
    super();
    this.#shown = shown;
    this.#drawn = drawn;
    const { view } = drawn;
    this.kept = new KeptContent(() => shown.changes.store());
    this.#seen = new SeenChanges(shown.storage);
    this.#decorations = this.add(new ChangeDecorations());
    const follow = (): void => void (view.visible && this.refresh());
    // Whoever changes it: the editor, a terminal, another program.
    this.add(watchFiles('**/*', (uri) => this.#places.has(uri.toString()) && follow()));
    this.add(view.onDidChangeVisibility(follow));
    this.add(vscode.window.onDidChangeWindowState(({ focused }) => void (focused && follow())));
    this.add(vscode.workspace.onDidSaveTextDocument(follow));
    this.add(vscode.workspace.onDidDeleteFiles(follow));
    this.add(vscode.workspace.onDidRenameFiles(follow));
    this.add(shown.onDidChangeSettings(() => this.#inBackground(this.#count())));
    this.add(view.onDidCollapseElement(({ element }) => this.#answered.closed(element.id)));
    // After what notes that a row was closed.
    this.#selection = this.add(
      new TreeSelection<ChangeRow>({
        view,
        isAwaited: () => this.#answered.isAwaited,
        current: (row) => this.#answered.current(row),
        changed: (rows) => shown.keys.set('changes.hasSelection', rows.length > 0),
      }),
    );
    // Its rows are read by who looks at them, from the same reading.
    this.#inBackground(this.#count());
  }

  /** Reads and draws anew, once for several that come together. */
  refresh(): void {
    this.#waiting.start();
  }

  async children(row?: ChangeRow): Promise<readonly ChangeRow[]> {
    let rows: readonly ChangeRow[] = [];
    try {
      rows = row ? await this.#fileRows(row) : await this.#burstRows();
    } finally {
      this.#answered.give(row, rows);
      this.#selection.answers();
    }
    for (const one of rows) this.#drawn.rows.add(one);
    return rows;
  }

  async item(row: ChangeRow): Promise<vscode.TreeItem> {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const newest = (await this.#bursts()).at(-1)?.id;
    const item = rowItem(row, row.id, row.file ? None : row.id === newest ? Expanded : Collapsed);
    // Every row has a command: the editor would open or close those without one at every key that is about a row.
    item.command = { command: commandId('changes.open'), title: vscode.l10n.t('Open'), arguments: [row, clicked] };
    this.#selection.answers();
    return item;
  }

  /** Runs a command on the rows that the editor passes; a key passes none, and is about those that are selected. */
  async run(id: ChangeCommand, ...args: readonly unknown[]): Promise<unknown> {
    clearTimeout(this.#click);
    const [row, all] = args;
    const passed = [...(Array.isArray(all) ? all : []), row].filter((one) => this.#isRow(one));
    const isAboutAll = id === 'refresh' || id === 'markAllSeen';
    const rows = args.length > 0 || isAboutAll ? [...new Set(passed)] : await this.#selection.settled();
    if (!rows) return undefined;
    if (all === clicked) {
      if (rows[0]?.file) this.#click = setTimeout(() => this.#inBackground(this.run('open', row)), clickMs);
      return undefined;
    }
    if (args.length > 0 && rows.length === 0 && !isAboutAll) return tellClickMetRedraw();
    switch (id) {
      case 'refresh':
        return this.#redraw();
      case 'markAllSeen':
        return this.#look(agentChanges(await this.#read()));
      case 'markSeen':
        return this.#look(rows.flatMap(({ changes }) => changes));
      case 'open':
        return this.#open(rows.length > 0 ? rows : (await this.#burstRows()).slice(0, 1));
      case 'openSince':
        return this.#openSince(rows);
      case 'undo':
      case 'undoSince':
      case 'redo':
        return this.#takeBack(rows, id);
    }
  }

  override dispose(): void {
    clearTimeout(this.#click);
    super.dispose();
  }

  #isRow(value: unknown): value is ChangeRow {
    return isObject(value) && this.#drawn.rows.has(value);
  }

  /** Reads once; what could not be read is read again. */
  #reading(): () => Promise<History> {
    return lazy(() => historyOf(this.#shown));
  }

  async #bursts(): Promise<readonly Burst[]> {
    return burstsOf(agentChanges(await this.#read()));
  }

  /** Reads before it draws: while the editor waits for rows, a key meets none of them. */
  #redraw(): void {
    this.#read = this.#reading();
    const asked = [...this.#overviews.keys()];
    this.#overviews.clear();
    const ready = Promise.all([this.#read(), ...asked.map((id) => this.#overviewOf(id))]);
    const draw = (): void => {
      this.#answered.redrawn();
      this.#drawn.redraw();
    };
    ready.then(draw, draw);
    this.#inBackground(this.#count());
  }

  /** What nobody waits for: its failure goes to the log. */
  #inBackground(work: PromiseLike<unknown>): void {
    work.then(undefined, (error: unknown) => this.#shown.onProblem(`changes by agents: ${String(error)}`));
  }

  async #burstRows(): Promise<readonly ChangeRow[]> {
    const words = await this.#words();
    return [...(await this.#bursts())].reverse().map((burst) => {
      const places = new Set(burst.changes.map((change) => changeLabel(change, this.#shown.files)));
      return burstRow(burst, places.size, words);
    });
  }

  async #fileRows({ burst }: ChangeRow): Promise<readonly ChangeRow[]> {
    const files = await this.#overviewOf(burst);
    return fileRows(burst, files, await this.#words());
  }

  #overviewOf(burst: string): Promise<readonly ChangedFile[]> {
    const known = this.#overviews.get(burst) ?? lazy(() => this.#filesOf({ kind: 'burst', id: burst }));
    this.#overviews.set(burst, known);
    return known();
  }

  /** The files of a selection, once each, in the order of their first change. */
  async #filesOf(selection: {
    readonly kind: 'burst' | 'since';
    readonly id: string;
  }): Promise<readonly ChangedFile[]> {
    const { changes, files, crypto } = this.#shown;
    const history = await this.#read();
    const bursts = await overviewOf({ store: await changes.store(), files, crypto, history, selection });
    const byPath = new Map<string, ChangedFile>();
    for (const file of bursts.toReversed().flatMap((burst) => burst.files)) {
      const earlier = byPath.get(file.path);
      byPath.set(file.path, earlier ? { ...file, changes: [...earlier.changes, ...file.changes] } : file);
    }
    return [...byPath.values()];
  }

  async #words() {
    const unseen = new Set((await this.#unseen()).map(({ id }) => id));
    return {
      t: vscode.l10n.t,
      when: shortTime,
      profileName: this.#shown.profileName,
      toolTitle: this.#shown.toolTitle,
      isUnseen: ({ id }: PastChange) => unseen.has(id),
    };
  }

  async #unseen(): Promise<readonly PastChange[]> {
    return this.#seen.missedIn(agentChanges(await this.#read()));
  }

  async #look(looked: readonly PastChange[]): Promise<void> {
    await this.#seen.look(looked, agentChanges(await this.#read()));
    this.#redraw();
  }

  /** The badge and the marks in the explorer. */
  async #count(): Promise<void> {
    const { files, storage, profileName, decorates } = this.#shown;
    const history = await this.#read();
    const unseen = await this.#unseen();
    const ids = new Set(unseen.map(({ id }) => id));
    const places = (await this.#bursts()).map((burst) => ({
      by: burst.agent,
      profile: profileName(burst.profile),
      changes: new Map(burst.changes.filter(({ id }) => ids.has(id)).map((one) => [changeLabel(one, files), one])),
    }));
    const count = places.reduce((sum, { changes }) => sum + changes.size, 0);
    this.#drawn.view.badge = unseenBadge(count);
    if (storage.get(unseenKey) !== count) await storage.set(unseenKey, count);
    const followed = new Map(agentChanges(history).map((one) => [changeLabel(one, files), one]));
    const newest = [...followed.values()].slice(-mostFollowed);
    this.#places = new Set(newest.flatMap((change) => liveUri(change, { history, files })?.uri.toString() ?? []));
    const last = places.at(-1);
    const marked = last && decorates() ? [...last.changes.values()] : [];
    this.#decorations.set(
      marked.flatMap((change) => liveUri(change, { history, files })?.uri ?? []),
      last?.profile ?? '',
      last?.by,
    );
  }

  async #comparing(): Promise<Comparing> {
    return { kept: this.kept, files: this.#shown.files, history: await this.#read() };
  }

  async #open(rows: readonly ChangeRow[]): Promise<void> {
    const comparing = await this.#comparing();
    const [first] = rows;
    if (!first) return;
    if (first.file && rows.length === 1) await openFile(first.file, comparing);
    else {
      const files = await Promise.all(
        rows.map(({ file, burst }) => (file ? [file] : this.#filesOf({ kind: 'burst', id: burst }))),
      );
      await openFiles(files.flat(), vscode.l10n.t('Changes by agents: {0}', first.label), comparing);
    }
    await this.#look(rows.flatMap(({ changes }) => changes));
  }

  async #openSince(rows: readonly ChangeRow[]): Promise<void> {
    const first = rows.flatMap(({ changes }) => changes).sort((a, b) => a.at - b.at)[0];
    if (!first) return;
    const files = await this.#filesOf({ kind: 'since', id: first.id });
    const since = (await this.#words()).when(first.time);
    await openFiles(files, vscode.l10n.t('Changes by agents since {0}', since), await this.#comparing());
    await this.#look(agentChanges(await this.#read()).filter(({ at }) => at >= first.at));
  }

  /** One after the other: a key that is pressed again meets what the first one left. */
  #takeBack(rows: readonly ChangeRow[], action: TakeBack): Promise<void> {
    const work = this.#takingBack.then(() => this.#takeBackNow(rows, action));
    this.#takingBack = work.catch(() => undefined);
    return work;
  }

  async #takeBackNow(rows: readonly ChangeRow[], action: TakeBack): Promise<void> {
    this.#read = this.#reading();
    const able = ableRows(rows, action, await this.#read());
    if (able.length === 0) {
      const nothing =
        action === 'redo' ? vscode.l10n.t('There is nothing to redo.') : vscode.l10n.t('There is nothing to undo.');
      return void showInformation(nothing);
    }
    this.#tell(await takeBackRows(this.#shown.router, able, action));
  }

  /** What became of the changes of calls, by their ids. */
  async ofCalls(calls: readonly string[]): Promise<ReadonlyMap<string, CallUndo>> {
    const history = await historyOf(this.#shown);
    return new Map(calls.map((call) => [call, callUndo(history, call, this.#shown.files)]));
  }

  async #ofCall(call: string): Promise<CallUndo> {
    return callUndo(await historyOf(this.#shown), call, this.#shown.files);
  }

  /** Takes back what a call changed, or makes it again, and offers the other way round. */
  async takeBackCall(call: string | undefined, action: 'undo' | 'redo'): Promise<void> {
    if (call === undefined) return tellNotKnown();
    const state = await this.#ofCall(call);
    const found = action === 'redo' ? state.takenBack : state.standing;
    if (found === 0) return void showInformation(nothingOf(this.#shown.pastCall(call), state));
    const back = action === 'undo' ? 'redo' : 'undo';
    const label = back === 'redo' ? vscode.l10n.t('Redo') : vscode.l10n.t('Undo');
    const told = await takeBackCall(this.#shown.router, call, action);
    this.#tell(told, { label, run: () => this.takeBackCall(call, back) });
  }

  /** Tells what became of a call, and offers to take back what it changed. */
  async tellOutcome(call: string | undefined): Promise<void> {
    if (call === undefined) return tellNotKnown();
    const state = await this.#ofCall(call);
    const past = this.#shown.pastCall(call);
    const undo = vscode.l10n.t('Undo');
    const offers = state.standing > 0 ? [undo] : past ? [] : [vscode.l10n.t('Open Audit View')];
    const told = showInformation(outcomeOf(past, state), ...offers).then((picked) => {
      if (picked === undo) return this.takeBackCall(call, 'undo');
      return picked === undefined ? undefined : runCommand('openAuditView');
    });
    this.#inBackground(told);
  }

  /** Says what was taken back, and offers to put together what is in the way. */
  #tell(told: TakenBackRows, more?: { readonly label: string; readonly run: () => Promise<void> }): void {
    this.#redraw();
    const solve = vscode.l10n.t('Put Together…');
    const show = told.isWarning ? showWarning : showInformation;
    const offers = [...(told.conflicts.length > 0 ? [solve] : []), ...(more ? [more.label] : [])];
    this.#inBackground(
      show(told.text, ...offers).then(async (picked) => {
        if (more && picked === more.label) await more.run();
        else if (picked === solve) await this.#solve(told.conflicts);
      }),
    );
  }

  /** Opens changes that are in the way, one after the other, for the person to put together. */
  async #solve(conflicts: readonly string[]): Promise<void> {
    const history = await this.#read();
    for (const id of conflicts) {
      const change = history.changes.find((one) => one.id === id);
      if (change) await openConflict(change, { ...(await this.#comparing()), readNow: (one) => this.#readNow(one) });
    }
  }

  /** The address of what stands at the place of a change now. */
  async #readNow(change: PastChange): Promise<vscode.Uri | undefined> {
    const { files, crypto } = this.#shown;
    const live = liveUri(change, { files, history: await this.#read() });
    if (!live || (await files.stat(live.at))?.type !== 'file') return undefined;
    const bytes = await readWhole(files, live.at);
    return this.kept.hold(live.uri.path, crypto.sha256(bytes), bytes);
  }
}
