import * as vscode from 'vscode';
import type { Event } from '../core/base/event';
import type { Problem } from '../core/problem';
import type { AgentSystem } from '../core/system';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import { placeCapabilities, switchCapabilities, switchTools } from '../core/profileEdit';
import type { ResolvedProfile } from '../core/profile';
import type { ProfileEditor } from '../core/profileEditor';
import { type Budget, budgetLine, budgetOf } from '../core/view/budget';
import { capabilityTree, type Grouping, type TreeRow } from '../core/view/capabilityTree';
import { parseFilter } from '../core/view/treeFilter';
import type { ContextKeys } from './contextKeys';
import type { CapabilitySwitch } from './capabilitySwitch';

const viewId = 'agentCapabilities.capabilities';
const dragType = `application/vnd.code.tree.${viewId.toLowerCase()}`;

/** Changes come in bursts (a settings file saved, a server's tools arriving); the view is drawn once for each burst. */
const burstMs = 30;

/** What the view shows beside the capabilities: groups below them and problems on their rows. */
export interface MoreRows {
  rows(): readonly TreeRow[];
  problems(): readonly Problem[];
  readonly changes: readonly Event<void>[];
}

/** The view "Capabilities": draws the rows that core makes and turns clicks, drags and keys into changes of the profile. */
export class CapabilityView implements vscode.TreeDataProvider<TreeRow>, vscode.TreeDragAndDropController<TreeRow>, Disposable {
  readonly dropMimeTypes = [dragType];
  readonly dragMimeTypes = [dragType];
  readonly #core: AgentSystem;
  readonly #editor: ProfileEditor;
  readonly #switch: CapabilitySwitch;
  readonly #keys: ContextKeys;
  readonly #otherTools: () => number;
  readonly #more: MoreRows;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new vscode.EventEmitter<TreeRow[] | undefined>());
  readonly onDidChangeTreeData = this.#changed.event;
  readonly view: vscode.TreeView<TreeRow>;
  #rows: readonly TreeRow[] | undefined;
  #shown = '';
  /** Resolves when the editor has asked for the rows again after all of them were declared stale. */
  #fetched: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;
  readonly #parents = new Map<string, TreeRow>();
  #counted: { readonly profile: ResolvedProfile; readonly budget: Budget } | undefined;
  #filter = '';
  #grouping: Grouping = 'order';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: {
    core: AgentSystem;
    editor: ProfileEditor;
    capabilitySwitch: CapabilitySwitch;
    keys: ContextKeys;
    otherTools: () => number;
    more: MoreRows;
  }) {
    this.#core = parts.core;
    this.#editor = parts.editor;
    this.#switch = parts.capabilitySwitch;
    this.#keys = parts.keys;
    this.#otherTools = parts.otherTools;
    this.#more = parts.more;
    this.view = this.#store.add(
      vscode.window.createTreeView(viewId, {
        treeDataProvider: this,
        dragAndDropController: this,
        canSelectMany: true,
        manageCheckboxStateManually: true,
        showCollapseAll: true,
      }),
    );
    this.#store.add(this.view.onDidChangeCheckboxState((event) => void this.#checked(event.items)));
    this.#store.add(this.view.onDidChangeSelection(() => this.#describeSelection()));
    this.#store.add(this.view.onDidChangeVisibility(() => this.#decorate()));
    this.#store.add(parts.core.onDidChange(() => this.#schedule()));
    this.#store.add(parts.editor.onIdle(() => this.#schedule()));
    for (const change of parts.more.changes) this.#store.add(change(() => this.#schedule()));
    this.#decorate();
    this.#describeSelection();
    parts.keys.set('agentCapabilities.filtered', false);
    parts.keys.set('agentCapabilities.ready', true);
  }

  /** What is selected; the command's own rows come first, as the editor passes them. */
  selection(clicked?: TreeRow, selected?: readonly TreeRow[]): readonly TreeRow[] {
    if (selected && selected.length > 0) return selected;
    return clicked ? [clicked] : this.view.selection;
  }

  get filter(): string {
    return this.#filter;
  }

  setFilter(text: string): void {
    this.#filter = text;
    this.#keys.set('agentCapabilities.filtered', parseFilter(this.#core.registry, text) !== undefined);
    this.#draw();
  }

  get grouping(): Grouping {
    return this.#grouping;
  }

  setGrouping(grouping: Grouping): void {
    this.#grouping = grouping;
    this.#draw();
  }

  getTreeItem(row: TreeRow): vscode.TreeItem {
    const state = row.expandable
      ? (row.kind === 'group' && row.contextValue !== 'group.grants') || this.#filter !== ''
        ? vscode.TreeItemCollapsibleState.Expanded
        : vscode.TreeItemCollapsibleState.Collapsed
      : vscode.TreeItemCollapsibleState.None;
    const item = new vscode.TreeItem(row.label, state);
    // A filtered tree opens its rows without changing how they stand when the filter is gone.
    item.id = this.#filter === '' ? row.id : `filtered:${row.id}`;
    item.description = row.description;
    item.iconPath = new vscode.ThemeIcon(row.icon, row.warns ? new vscode.ThemeColor('list.warningForeground') : undefined);
    item.contextValue = row.contextValue;
    item.accessibilityInformation = { label: row.accessibleLabel, role: 'treeitem' };
    if (row.checkbox)
      item.checkboxState = {
        state: row.checkbox.checked ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked,
        tooltip: row.checkbox.label,
        accessibilityInformation: { label: row.checkbox.label },
      };
    return item;
  }

  resolveTreeItem(item: vscode.TreeItem, row: TreeRow): vscode.TreeItem {
    item.tooltip = new vscode.MarkdownString(row.tooltip(), true);
    return item;
  }

  getChildren(row?: TreeRow): TreeRow[] {
    const children = [...(row ? row.children() : this.rows())];
    for (const child of children) if (row) this.#parents.set(child.id, row);
    if (!row) {
      const fetched = this.#fetched;
      this.#fetched = undefined;
      // The editor registers the rows just after they are answered.
      if (fetched) setTimeout(fetched.resolve, 50);
    }
    return children;
  }

  /** Waits while the editor is between two states of the tree: until it has fetched the rows, it does not know what is selected. */
  async settled(): Promise<void> {
    if (!this.#fetched || !this.view.visible) return;
    await Promise.race([this.#fetched.promise, new Promise<void>((resolve) => setTimeout(resolve, 1000))]);
  }

  getParent(row: TreeRow): TreeRow | undefined {
    return this.#parents.get(row.id);
  }

  /** The top rows as they stand. */
  rows(): readonly TreeRow[] {
    if (this.#rows) return this.#rows;
    const profile = this.#core.profiles.active();
    const filter = parseFilter(this.#core.registry, this.#filter);
    this.#parents.clear();
    const capabilities = capabilityTree({
      registry: this.#core.registry,
      profile,
      problems: [...this.#core.problems(), ...this.#more.problems()],
      budget: this.#budget(),
      grouping: this.#grouping,
      ...(filter ? { filter } : {}),
      t: vscode.l10n.t,
    });
    this.#rows = filter ? capabilities : [...capabilities, ...this.#more.rows()];
    return this.#rows;
  }

  handleDrag(rows: readonly TreeRow[], data: vscode.DataTransfer): void {
    const ids = rows.flatMap((row) => (row.kind === 'capability' ? [row.capability.id] : []));
    if (ids.length > 0) data.set(dragType, new vscode.DataTransferItem(ids));
  }

  async handleDrop(target: TreeRow | undefined, data: vscode.DataTransfer): Promise<void> {
    const dragged: unknown = data.get(dragType)?.value;
    const ids = Array.isArray(dragged) ? dragged.filter((id): id is string => typeof id === 'string') : [];
    const before = target?.kind === 'capability' ? target.capability.id : target?.kind === 'tool' ? target.tool.capability.id : undefined;
    if (ids.length === 0 || (before !== undefined && ids.includes(before))) return;
    const label = vscode.l10n.t('move {0}', ids.join(', '));
    await this.#editor.change(this.#core.profiles.active().id, label, placeCapabilities(this.#core.registry, ids, before));
  }

  async #checked(items: readonly (readonly [TreeRow, vscode.TreeItemCheckboxState])[]): Promise<void> {
    for (const on of [true, false]) {
      const rows = items.filter(([, state]) => (state === vscode.TreeItemCheckboxState.Checked) === on).map(([row]) => row);
      if (rows.length > 0) await this.setEnabled(rows, on);
    }
  }

  /** Switches rows on or off; where a dependency is in the way the person is asked, and the rows show what came of it. */
  async setEnabled(rows: readonly TreeRow[], on: boolean): Promise<void> {
    const capabilities = rows.flatMap((row) => (row.kind === 'capability' ? [row.capability.id] : []));
    const tools = rows.flatMap((row) => (row.kind === 'tool' && !capabilities.includes(row.tool.capability.id) ? [row.tool] : []));
    const id = this.#core.profiles.active().id;
    const { registry } = this.#core;
    const ids = await this.#switch.settle(
      capabilities,
      tools.map((tool) => tool.capability.id),
      on,
    );
    if (ids === undefined) {
      // The editor has set the box already; only drawing sets it back.
      this.#shown = '';
      return this.#draw();
    }
    const names = [...capabilities, ...tools.map((tool) => tool.definition.name)].join(', ');
    await this.#editor.change(id, on ? vscode.l10n.t('switch on {0}', names) : vscode.l10n.t('switch off {0}', names), (profile) =>
      switchTools(registry, tools, on)(switchCapabilities(registry, ids, on)(profile)),
    );
    // A change that wrote nothing still has to set the clicked box back to what holds.
    this.#shown = '';
    this.#schedule();
  }

  #schedule(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#editor.isBusy) this.#draw();
    }, burstMs);
  }

  /**
   * Tells the editor that rows changed, where any did: a click that comes while the editor fetches the rows anew is lost. All rows are
   * fetched then, because the editor does not draw the boxes of rows below one that is refreshed alone.
   */
  #draw(): void {
    this.#rows = undefined;
    const shown = this.rows()
      .map((row) => `${row.id} ${rowState(row)}`)
      .join('\n');
    if (shown !== this.#shown || this.#filter !== '') {
      this.#shown = shown;
      if (!this.#fetched) {
        let resolve = (): void => undefined;
        const promise = new Promise<void>((done) => (resolve = done));
        this.#fetched = { promise, resolve };
      }
      this.#changed.fire(undefined);
    }
    this.#decorate();
  }

  #decorate(): void {
    const profile = this.#core.profiles.active();
    const budget = this.#budget();
    const line = budgetLine(profile, budget);
    this.view.description = line;
    const problems = this.#core.problems().filter((problem) => problem.severity !== 'information').length;
    this.view.badge =
      problems > 0 ? { value: problems, tooltip: vscode.l10n.t('{0} problems in profiles and settings', problems) } : undefined;
    // The description is cut off in a narrow side bar; the message wraps. An empty view has its own words, which a message would hide.
    this.view.message = this.rows().length === 0 ? '' : [line, ...this.#budgetWarning(budget)].join('\n');
    this.#keys.set('agentCapabilities.canUndo', this.#editor.canUndo);
  }

  /** Counted once for each state of the profile. */
  #budget(): Budget {
    const profile = this.#core.profiles.active();
    const others = this.#otherTools();
    if (this.#counted?.profile !== profile || this.#counted.budget.others !== others)
      this.#counted = { profile, budget: budgetOf(profile, others) };
    return this.#counted.budget;
  }

  #budgetWarning(budget: Budget): readonly string[] {
    switch (budget.state) {
      case 'ok':
        return [];
      case 'near':
        return [
          vscode.l10n.t(
            '⚠ This profile and the editor together may send {0} tools, and a request may carry 128. Switch some off here or in the tool picker of the chat.',
            budget.own + budget.others,
          ),
        ];
      case 'over':
        return [
          vscode.l10n.t('⚠ More than 128 tools: models refuse such a request. Switch some off here or in the tool picker of the chat.'),
        ];
    }
  }

  #describeSelection(): void {
    const rows = this.view.selection;
    this.#keys.set(
      'agentCapabilities.hasSelection',
      rows.some((row) => row.kind === 'capability' || row.kind === 'tool' || row.kind === 'server'),
    );
    this.#keys.set(
      'agentCapabilities.capabilitySelected',
      rows.some((row) => row.kind === 'capability'),
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
  }
}

/** Everything of a row and the rows below it that can be seen. */
function rowState(row: TreeRow): string {
  const own = `${row.label}|${row.description}|${row.icon}|${row.accessibleLabel}|${row.contextValue}|${row.checkbox?.checked}`;
  // The rows of a capability say no more than their tools do.
  if (row.kind === 'capability') return `${own}|${row.state}`;
  return `${own}(${row.children().map(rowState).join(';')})`;
}
