import * as vscode from 'vscode';
import type { Event } from '../../core/base/event';
import type { Problem } from '../../core/base/problem';
import type { Capability } from '../../core/capability/capability';
import type { CapabilityRegistry } from '../../core/registry/registry';
import type { ProfileStore } from '../../core/profiles/profileStore';
import { Debounce } from '../../core/base/debounce';
import { DisposableStore } from '../../core/base/lifecycle';
import type { ProfileEditor } from '../../core/profiles/profileEditor';
import { capabilityTree, type Grouping } from '../../core/present/capabilityTree';
import type { TreeRow } from '../../core/present/treeRow';
import { DrawnTree, type Redraw } from '../../core/present/drawnTree';
import type { FoundTools } from '../../core/registry/foundTools';
import type { parseFilter, TreeFilter } from '../../core/present/treeFilter';
import { CapabilityViewTitle } from './capabilityViewTitle';
import { namedFile } from '../files/namedFile';
import { rangeOf } from '../files/problemMarks';
import { viewIds } from '../manifest/commands/viewIds';
import type { ContextKeys } from '../settings/contextKeys';
import type { CapabilitySwitch } from './capabilitySwitch';
import { saidToPerson } from '../saidToPerson';
import { capabilityDrag } from './capabilityDrag';
import { rowItem, withTooltip } from './rowItem';
import { RowStanding, type Standing, standingOfFound } from './rowStanding';
import { TreeSelection } from './treeSelection';
import { tellClickMetRedraw } from '../goneRow';
import { showError } from '../notices';

const viewId = viewIds.capabilities;

/** Changes come in bursts (a settings file saved, a server's tools arriving); the view is drawn once for each burst. */
const burstMs = 30;

/**
 * How long a person has to pause before open rows are drawn anew, which makes the editor forget the rows below them for
 * a moment.
 */
const quietMs = 800;

/** How long it is waited at most for the editor to fetch all rows once the filter is gone. */
const unfilteredMs = 10_000;

/** How often a row is revealed that the editor does not know yet, and how long it is waited between at most. */
const revealTries = 5;
const revealPauseMs = 1000;
/** As many rows of a group are brought into sight with it. */
const childrenInSight = 12;

/** What the view shows beside the capabilities: groups below them and problems on their rows. */
export interface MoreRows {
  rows?(): readonly TreeRow[];
  problems?(): readonly Problem[];
  readonly changes: readonly Event<unknown>[];
}

interface ViewParts {
  readonly registry: CapabilityRegistry;
  readonly editor: ProfileEditor;
  readonly capabilitySwitch: CapabilitySwitch;
  readonly keys: ContextKeys;
  readonly otherTools: () => number;
  readonly more: Required<MoreRows>;
  readonly profiles: ProfileStore;
  readonly problems: () => readonly Problem[];
  readonly basePrompt: () => string;
  /** The tools that searches found, for profiles that offer search instead of all. */
  readonly found: FoundTools;
  readonly onDidChange: Event<void>;
  /** True where samples for developers are shown too. */
  readonly isDeveloper: boolean;
}

/** The view "Capabilities": draws the rows that core makes and turns clicks and keys into changes of the profile. */
export class CapabilityView extends DisposableStore implements vscode.TreeDataProvider<TreeRow> {
  readonly #parts: ViewParts;
  readonly #title: CapabilityViewTitle;
  readonly #changed = this.add(new vscode.EventEmitter<TreeRow[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly view: vscode.TreeView<TreeRow>;
  readonly #tree = new DrawnTree<TreeRow>();
  /** Rows that the editor was given: whoever hands one back got it from the view. */
  readonly #given = new WeakSet<object>();
  /** What the person asked of boxes whose change is still on its way. */
  readonly #wanted = new Map<string, boolean>();
  readonly #selection: TreeSelection<TreeRow>;
  #filter = '';
  /** Loaded with the first filter. */
  #parse: typeof parseFilter | undefined;
  readonly #standing = new RowStanding();
  #grouping: Grouping = 'order';
  readonly #burst = this.add(new Debounce(() => this.#drawInTurn(), burstMs));
  readonly #quiet = this.add(new Debounce(() => this.#drawLater(), quietMs));

  constructor(parts: ViewParts) {
    super();
    this.#parts = parts;
    this.#title = new CapabilityViewTitle(parts);
    this.view = this.add(
      vscode.window.createTreeView(viewId, {
        treeDataProvider: this,
        dragAndDropController: capabilityDrag(parts),
        canSelectMany: true,
        manageCheckboxStateManually: true,
        showCollapseAll: true,
      }),
    );
    this.add(this.view.onDidChangeCheckboxState((event) => this.#checked(event.items).catch(tell)));
    this.add(this.view.onDidChangeSelection(() => this.#hurry()));
    this.add(this.view.onDidChangeVisibility(() => this.#decorate()));
    this.add(
      this.view.onDidExpandElement(({ element }) => {
        this.#standing.changed(element, true);
        this.#hurry();
      }),
    );
    this.add(
      this.view.onDidCollapseElement(({ element }) => {
        this.#standing.changed(element, false);
        this.#tree.close(element);
      }),
    );
    // After what notes that a row was closed.
    this.#selection = this.add(
      new TreeSelection<TreeRow>({
        view: this.view,
        isAwaited: () => this.#tree.isAwaited,
        giveUp: () => this.#tree.giveUp(),
        current: (row) => this.#tree.current(row),
        changed: (rows) => this.#selectionChanged(rows),
      }),
    );
    this.add(parts.onDidChange(() => this.#schedule()));
    this.add(parts.found.onDidChange(() => this.#schedule()));
    this.add(parts.editor.onIdle(() => this.#schedule()));
    for (const change of parts.more.changes) this.add(change(() => this.#schedule()));
    this.#tree.update(this.#makeRows().rows);
    this.#decorate();
    this.#selectionChanged([]);
    parts.keys.set('filtered', false);
    parts.keys.set('ready', true);
  }

  /** What is selected, as it is now; the command's own rows come first, as the editor passes them. */
  selection(clicked?: TreeRow, selected?: readonly TreeRow[]): readonly TreeRow[] {
    const rows = selected && selected.length > 0 ? selected : clicked ? [clicked] : undefined;
    return rows?.map((row) => this.#tree.current(row)) ?? this.#selection.rows;
  }

  /** What was selected when a key was pressed; undefined, and told, where nobody can say. */
  settledSelection(): Promise<readonly TreeRow[] | undefined> {
    return this.#selection.settled();
  }

  /** Tells whether a row's box is checked, or will be once the changes that are on their way have been made. */
  isChecked(row: TreeRow): boolean {
    return this.#wanted.get(row.id) ?? row.checkbox?.checked === true;
  }

  /** True for a capability that is of use to this person, or that their profile names. */
  isShown({ id, forDevelopers }: Capability): boolean {
    if (!forDevelopers || this.#parts.isDeveloper) return true;
    return this.#parts.profiles.active().entries.some(({ capability }) => capability.id === id);
  }

  get filter(): string {
    return this.#filter;
  }

  setFilter(text: string): void {
    if (text === this.#filter) return;
    this.#filter = text;
    if (this.#parse || text.trim() === '') this.#filterChanged();
    else
      void import('../../core/present/treeFilter').then((read) => {
        this.#parse = read.parseFilter;
        this.#filterChanged();
      }, tell);
  }

  #filterChanged(): void {
    this.#parts.keys.set('filtered', this.#parsed() !== undefined);
    // While somebody types, several keys are drawn together.
    this.#schedule();
  }

  #parsed(): TreeFilter | undefined {
    return this.#parse?.(this.#parts.registry, this.#filter, vscode.l10n.t);
  }

  /** True where nothing fits the filter: the editor has no list then that it could give the focus back to. */
  get isEmpty(): boolean {
    return this.#tree.roots.length === 0;
  }

  /** Brings the focus into the view, once its rows are there again. */
  async focus(): Promise<void> {
    const isOnItsWay = this.#selection.isFetching || (this.isEmpty && this.#makeRows().rows.length > 0);
    if (isOnItsWay) await this.#selection.nextFetch(unfilteredMs);
    await vscode.commands.executeCommand(`${viewId}.focus`);
  }

  get grouping(): Grouping {
    return this.#grouping;
  }

  setGrouping(grouping: Grouping): void {
    this.#grouping = grouping;
    this.#schedule();
  }

  /**
   * A box is drawn as the person left it also while the change is on its way: their next click is about what they see.
   */
  getTreeItem(handle: TreeRow): vscode.TreeItem {
    const row = this.#tree.current(handle);
    const state = row.expandable
      ? this.#standing.isOpen(row)
        ? vscode.TreeItemCollapsibleState.Expanded
        : vscode.TreeItemCollapsibleState.Collapsed
      : vscode.TreeItemCollapsibleState.None;
    const { checkbox } = row;
    const wanted = checkbox ? { ...row, checkbox: { ...checkbox, checked: this.isChecked(row) } } : row;
    const item = rowItem(wanted, this.#standing.idOf(row), state);
    if (row.kind === 'problem') opens(item, row.problem);
    return item;
  }

  resolveTreeItem(item: vscode.TreeItem, row: TreeRow): vscode.TreeItem {
    return withTooltip(item, this.#tree.current(row));
  }

  getChildren(row?: TreeRow): TreeRow[] {
    const children = [...this.#tree.children(row)];
    for (const child of children) {
      this.#given.add(child);
      // Drawn as the person wants it; where nothing comes of that, it has to be drawn once more.
      const wanted = this.#wanted.get(child.id);
      if (wanted !== undefined) this.#tree.clicked(child, wanted);
    }
    this.#selection.answers();
    return children;
  }

  /** Shows a row of the top, opened; what a filter hides is shown first. */
  async reveal(id: string): Promise<void> {
    await vscode.commands.executeCommand(`${viewId}.focus`);
    if (this.#standing.drawn !== 'all') {
      this.setFilter('');
      await this.#selection.nextFetch(unfilteredMs);
    }
    // A view that has just been opened, or is being drawn anew, does not know its rows for a moment.
    for (let left = revealTries; ; left--) {
      const row = this.#tree.top(id);
      if (!row) return;
      try {
        await this.view.reveal(row, { expand: 2, focus: true, select: true });
        await this.#bringChildrenIntoSight(row);
        return;
      } catch (error) {
        if (left <= 1) throw error;
        await this.#selection.nextFetch(revealPauseMs);
      }
    }
  }

  /** The editor shows the row that it reveals at the lower edge, with what it opened below out of sight. */
  async #bringChildrenIntoSight(row: TreeRow): Promise<void> {
    const last = this.#tree.children(row).slice(0, childrenInSight).at(-1);
    if (!last) return;
    await this.view.reveal(last, { focus: false, select: false });
    await this.view.reveal(row, { focus: true, select: true });
  }

  /** True for a row that this view gave to the editor; one that only looks like it is somebody else's. */
  isOwnRow(value: unknown): boolean {
    return typeof value === 'object' && value !== null && this.#given.has(value);
  }

  getParent(row: TreeRow): TreeRow | undefined {
    return this.#tree.parent(row);
  }

  #makeRows(): { readonly rows: readonly TreeRow[]; readonly drawn: Standing } {
    const filter = this.#parsed();
    const heldBack = this.#parts.profiles.merged.ifAccepted(this.#parts.profiles.activeId);
    const capabilities = capabilityTree({
      registry: this.#parts.registry,
      profile: this.#parts.profiles.active(),
      problems: [...this.#parts.problems(), ...this.#parts.more.problems()],
      budget: this.#title.budget(),
      grouping: this.#grouping,
      isDeveloper: this.#parts.isDeveloper,
      ...(heldBack ? { heldBack } : {}),
      ...(filter ? { filter } : {}),
      t: vscode.l10n.t,
    });
    if (!filter) return { rows: [...capabilities, ...this.#parts.more.rows()], drawn: 'all' };
    return { rows: capabilities, drawn: standingOfFound(capabilities) };
  }

  async #checked(items: readonly (readonly [TreeRow, vscode.TreeItemCheckboxState])[]): Promise<void> {
    this.#hurry();
    // The editor was fetching rows anew and no longer knows which box it was.
    if (items.length === 0) tellClickMetRedraw();
    for (const on of [true, false]) {
      const rows = items
        .filter(([, state]) => (state === vscode.TreeItemCheckboxState.Checked) === on)
        .map(([row]) => row);
      for (const row of rows) this.#tree.clicked(row, on);
      if (rows.length > 0)
        await this.setEnabled(
          rows.map((row) => this.#tree.current(row)),
          on,
        );
    }
  }

  /**
   * Switches rows on or off; where a dependency is in the way the person is asked, and the rows show what came of it.
   */
  async setEnabled(rows: readonly TreeRow[], on: boolean): Promise<void> {
    const capabilities = rows.flatMap((row) => (row.kind === 'capability' ? [row.capability.id] : []));
    const tools = rows.flatMap((row) =>
      row.kind === 'tool' && !capabilities.includes(row.tool.capability.id) ? [row.tool] : [],
    );
    for (const row of rows) this.#wanted.set(row.id, on);
    await this.#parts.capabilitySwitch.change(capabilities, tools, on);
    // A change that wrote nothing still has to set the clicked box back to what holds.
    this.#schedule();
  }

  #schedule(): void {
    this.#burst.start();
  }

  #drawInTurn(): void {
    void this.#selection.drawInTurn(() => !this.#parts.editor.isBusy && this.#draw());
  }

  /** Reads everything anew and tells the editor what looks different. */
  #draw(): void {
    this.#wanted.clear();
    const { rows, drawn } = this.#makeRows();
    const redraw = this.#tree.update(rows);
    const isOtherwise = drawn !== this.#standing.drawn;
    this.#standing.drawn = drawn;
    this.#tell(isOtherwise ? this.#tree.reopen() : redraw);
    this.#decorate();
  }

  #tell(redraw: Redraw<TreeRow>): void {
    switch (redraw.type) {
      case 'nothing':
        return;
      case 'all':
        return this.#changed.fire(undefined);
      case 'rows':
        if (redraw.rows.length > 0) this.#changed.fire([...redraw.rows]);
        if (redraw.later) this.#quiet.restart();
    }
  }

  /** Puts off what waits for a pause of the person. */
  #hurry(): void {
    if (this.#quiet.isWaiting) this.#quiet.restart();
  }

  #drawLater(): void {
    if (this.#parts.editor.isBusy) return this.#quiet.restart();
    // Which comes back to this once the editor has its rows.
    if (this.#tree.isAwaited && this.view.visible) return this.#drawInTurn();
    const rows = this.#tree.takeLater();
    if (rows.length > 0) this.#changed.fire([...rows]);
  }

  #decorate(): void {
    this.#title.show(this.view, this.isEmpty);
  }

  #selectionChanged(rows: readonly TreeRow[]): void {
    this.#parts.keys.set(
      'hasSelection',
      rows.some((row) => row.kind === 'capability' || row.kind === 'tool' || row.kind === 'server'),
    );
  }
}

/** A click on the row opens the place of its problem; Enter does the same by a command of ours. */
function opens(item: vscode.TreeItem, problem: Problem): void {
  if (problem.file === undefined) return;
  const { start } = rangeOf(problem);
  const shown = [namedFile(problem.file), { selection: new vscode.Range(start, start) }];
  item.command = { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: shown };
}

/** A click has no command that could fail, so the person is told here. */
function tell(error: unknown): void {
  void showError(saidToPerson(error));
}
