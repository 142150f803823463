import * as vscode from 'vscode';
import { Debounce } from '../../core/base/debounce';
import { isObject } from '../../core/base/json';
import { DisposableStore } from '../../core/base/lifecycle';
import type { PastChange } from '../../core/changes/history';
import { changeLabel } from '../../core/changes/undo';
import { burstRow, type ChangeRow, fileRows } from '../../core/present/changeRows';
import { commandId } from '../manifest/commands/commandId';
import { watchFiles } from '../files/watchFiles';
import { tellClickMetRedraw } from '../goneRow';
import { showInformation } from '../notices';
import { shortTime } from '../times';
import { rowItem } from '../tree/rowItem';
import { TreeSelection } from '../tree/treeSelection';
import { AnsweredRows } from './answeredRows';
import { CallChanges } from './callChanges';
import { ChangesReading } from './changesReading';
import { KeptContent } from './keptContent';
import type { ChangeCommand } from './names';
import { openConflicts, openRows, openSince } from './openRows';
import { pickBurst } from './pickBurst';
import { SeenChanges } from './seenChanges';
import type { ShownChanges } from './shownChanges';
import {
  ableRows,
  type TakeBack,
  takeBackRows,
  type TakenBackOffer,
  type TakenBackRows,
  tellTakenBack,
} from './takeBackRows';
import { UnseenMarks } from './unseenMarks';

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

/** The view "Changes by Agents": bursts of work, newest first, with their files; what people do with them. */
export class ChangesView extends DisposableStore {
  readonly kept: KeptContent;
  readonly calls: CallChanges;
  readonly #shown: ShownChanges;
  readonly #drawn: Drawn;
  readonly #reading: ChangesReading;
  readonly #seen: SeenChanges;
  readonly #marks: UnseenMarks;
  #takingBack: Promise<unknown> = Promise.resolve();
  readonly #waiting = this.add(new Debounce(() => this.#redraw(), pauseMs));
  #click: NodeJS.Timeout | undefined;
  readonly #selection: TreeSelection<ChangeRow>;
  readonly #answered = new AnsweredRows();
  /** How many questions of the editor for rows are not answered. */
  #asked = 0;

  constructor(shown: ShownChanges, drawn: Drawn) {
    super();
    this.#shown = shown;
    this.#drawn = drawn;
    const { view } = drawn;
    this.kept = new KeptContent(() => shown.changes.store());
    this.calls = new CallChanges(shown, {
      tell: (told, more) => this.#tell(told, more),
      inBackground: (work) => this.#inBackground(work),
    });
    this.#reading = new ChangesReading(shown);
    this.#seen = new SeenChanges(shown.storage);
    this.#marks = this.add(new UnseenMarks(shown, this.#reading, this.#seen, view));
    const follow = (): void => void (view.visible && this.refresh());
    // Whoever changes it: the editor, a terminal, another program.
    this.add(watchFiles('**/*', (uri) => this.#marks.isShown(uri) && follow()));
    this.add(view.onDidChangeVisibility(follow));
    this.add(vscode.window.onDidChangeWindowState(({ focused }) => void (focused && follow())));
    this.add(vscode.workspace.onDidSaveTextDocument(follow));
    this.add(vscode.workspace.onDidDeleteFiles(follow));
    this.add(vscode.workspace.onDidRenameFiles(follow));
    this.add(shown.onDidChangeSettings(() => this.#inBackground(this.#marks.count())));
    this.add(view.onDidCollapseElement(({ element }) => this.#answered.closed(element.id)));
    // After what notes that a row was closed.
    this.#selection = this.add(
      new TreeSelection<ChangeRow>({
        view,
        isAwaited: () => this.#answered.isAwaited,
        // It may have asked, and waits for what is being read.
        giveUp: () => this.#asked === 0 && this.#answered.giveUp(),
        current: (row) => this.#answered.current(row),
        changed: (rows) => shown.keys.set('changes.hasSelection', rows.length > 0),
      }),
    );
    // Its rows are read by who looks at them, from the same reading.
    this.#inBackground(this.#marks.count());
  }

  /** Reads and draws anew, once for several that come together. */
  refresh(): void {
    this.#waiting.start();
  }

  async children(row?: ChangeRow): Promise<readonly ChangeRow[]> {
    let rows: readonly ChangeRow[] = [];
    this.#asked++;
    try {
      rows = row ? await this.#fileRows(row) : await this.#burstRows();
    } finally {
      this.#asked--;
      this.#answered.give(row, rows);
      this.#selection.answers();
    }
    for (const one of rows) this.#drawn.rows.add(one);
    return rows;
  }

  async item(row: ChangeRow): Promise<vscode.TreeItem> {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const newest = (await this.#reading.bursts()).at(-1)?.id;
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
        return this.#look(await this.#reading.changes());
      case 'markSeen':
        return this.#look(rows.flatMap(({ changes }) => changes));
      case 'open':
        return this.#look(await openRows(rows.length > 0 ? rows : (await this.#burstRows()).slice(0, 1), this.#opened));
      case 'openSince':
        return this.#look(await openSince(rows, this.#opened));
      case 'undo':
      case 'undoSince':
      case 'redo': {
        const meant = rows.length > 0 ? rows : await this.#picked(id);
        return meant && this.#takeBack(meant, id);
      }
    }
  }

  override dispose(): void {
    clearTimeout(this.#click);
    super.dispose();
  }

  #isRow(value: unknown): value is ChangeRow {
    return isObject(value) && this.#drawn.rows.has(value);
  }

  get #opened() {
    const { files, crypto } = this.#shown;
    return { files, crypto, reading: this.#reading, kept: this.kept };
  }

  /** Reads before it draws: while the editor waits for rows, a key meets none of them. */
  #redraw(): void {
    const draw = (): void => {
      this.#answered.redrawn();
      this.#drawn.redraw();
    };
    const drawInTurn = (): void => void this.#selection.drawInTurn(draw);
    this.#reading.renew().then(drawInTurn, drawInTurn);
    this.#inBackground(this.#marks.count());
  }

  /** What nobody waits for: its failure goes to the log. */
  #inBackground(work: PromiseLike<unknown>): void {
    work.then(undefined, (error: unknown) => this.#shown.onProblem(`changes by agents: ${String(error)}`));
  }

  async #burstRows(): Promise<readonly ChangeRow[]> {
    const words = await this.#words();
    return [...(await this.#reading.bursts())].reverse().map((burst) => {
      const places = new Set(burst.changes.map((change) => changeLabel(change, this.#shown.files)));
      return burstRow(burst, places.size, words);
    });
  }

  async #fileRows({ burst }: ChangeRow): Promise<readonly ChangeRow[]> {
    const files = await this.#reading.filesOfBurst(burst);
    return fileRows(burst, files, await this.#words());
  }

  async #words() {
    const unseen = new Set(this.#seen.missedIn(await this.#reading.changes()).map(({ id }) => id));
    return {
      t: vscode.l10n.t,
      when: shortTime,
      profileName: this.#shown.profileName,
      toolTitle: this.#shown.toolTitle,
      isUnseen: ({ id }: PastChange) => unseen.has(id),
    };
  }

  async #look(looked: readonly PastChange[]): Promise<void> {
    if (looked.length === 0) return;
    await this.#seen.look(looked, await this.#reading.changes());
    this.#redraw();
  }

  /** What a person means who has no row selected; none where nothing can be meant, undefined where they left. */
  async #picked(action: TakeBack): Promise<readonly ChangeRow[] | undefined> {
    const able = ableRows(await this.#burstRows(), action, await this.#reading.historyNow());
    if (able.length === 0) return able;
    const picked = await pickBurst(able, action);
    return picked && [picked];
  }

  /** One after the other: a key that is pressed again meets what the first one left. */
  #takeBack(rows: readonly ChangeRow[], action: TakeBack): Promise<void> {
    const work = this.#takingBack.then(() => this.#takeBackNow(rows, action));
    this.#takingBack = work.catch(() => undefined);
    return work;
  }

  async #takeBackNow(rows: readonly ChangeRow[], action: TakeBack): Promise<void> {
    const able = ableRows(rows, action, await this.#reading.historyNow());
    if (able.length === 0) {
      const nothing =
        action === 'redo' ? vscode.l10n.t('There is nothing to redo.') : vscode.l10n.t('There is nothing to undo.');
      return void showInformation(nothing);
    }
    this.#tell(await takeBackRows(this.#shown, able, action));
  }

  /** Says what was taken back, when the rows are on their way. */
  #tell(told: TakenBackRows, more?: TakenBackOffer): void {
    this.#redraw();
    this.#inBackground(tellTakenBack(told, (conflicts) => openConflicts(conflicts, this.#opened), more));
  }
}
