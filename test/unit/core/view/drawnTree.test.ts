import { plainWords } from '../../../../src/core/base/translate';
import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { placeCapabilities, switchCapabilities, switchTools } from '../../../../src/core/profiles/profileEdit';
import { parseProfile, type Profile, resolveProfile } from '../../../../src/core/profiles/profile';
import { CapabilityRegistry } from '../../../../src/core/registry/registry';
import { budgetOf } from '../../../../src/core/present/budget';
import { capabilityTree, type Grouping } from '../../../../src/core/present/capabilityTree';
import type { TreeRow } from '../../../../src/core/present/treeRow';
import { DrawnTree, type Redraw } from '../../../../src/core/present/drawnTree';
import { runs } from '../../../support/counts';
import { fiveCapabilities } from '../../../support/profiles';

const registry = new CapabilityRegistry();
for (const capability of fiveCapabilities) registry.register(capability);
const ids = registry.capabilityIds();
const tools = registry.tools();

function rowsOf(profile: Profile, grouping: Grouping): readonly TreeRow[] {
  const resolved = resolveProfile(profile, registry);
  return capabilityTree({
    t: plainWords,
    registry,
    profile: resolved,
    problems: [],
    budget: budgetOf(resolved, 0),
    grouping,
  });
}

interface Item {
  readonly handle: TreeRow;
  text: string;
  box: boolean | undefined;
  readonly parent: Item | undefined;
  /** Undefined where the editor would have to ask. */
  children: Item[] | undefined;
}

/**
 * The editor's tree as far as it matters: it keeps what it fetched, draws a row alone when told so and then forgets
 * what is below it, and, where a box changes that way, sets the boxes around it even though the extension manages them
 * (seen in VS Code 1.139).
 */
class Editor {
  readonly #tree: DrawnTree<TreeRow>;
  readonly open = new Set<string>();
  roots: Item[] = [];
  /** How often everything was fetched. */
  fetches = 0;
  /** Rows whose click would have been lost, because the editor forgot them for a moment. */
  forgotten = new Set<string>();

  constructor(tree: DrawnTree<TreeRow>) {
    this.#tree = tree;
    this.#fetchAll();
  }

  #item(handle: TreeRow, parent: Item | undefined): Item {
    const row = this.#tree.current(handle);
    return {
      handle,
      parent,
      text: `${row.label}|${row.description}|${row.accessibleLabel}`,
      box: row.checkbox?.checked,
      children: undefined,
    };
  }

  #fetch(parent: Item | undefined): Item[] {
    const items = this.#tree.children(parent?.handle).map((handle) => this.#item(handle, parent));
    if (parent) parent.children = items;
    for (const item of items) if (this.open.has(item.handle.id)) this.#fetch(item);
    return items;
  }

  #fetchAll(): void {
    for (const item of this.all()) this.forgotten.add(item.handle.id);
    this.fetches++;
    this.roots = this.#fetch(undefined);
  }

  all(items = this.roots): Item[] {
    return items.flatMap((item) => [item, ...this.all(item.children ?? [])]);
  }

  isVisible(id: string): boolean {
    let item = this.find(id);
    if (!item) return false;
    while ((item = item.parent)) if (!this.open.has(item.handle.id)) return false;
    return true;
  }

  find(id: string): Item | undefined {
    return this.all().find((item) => item.handle.id === id);
  }

  apply(redraw: Redraw<TreeRow>): void {
    if (redraw.type === 'all') this.#fetchAll();
    if (redraw.type === 'rows') this.draw(redraw.rows);
  }

  draw(handles: readonly TreeRow[]): void {
    for (const handle of handles) {
      const item = this.find(handle.id);
      assert.ok(item, 'only rows that the editor has are drawn alone');
      assert.equal(item.handle, handle, 'the editor knows its rows by identity');
      for (const below of this.all(item.children ?? [])) this.forgotten.add(below.handle.id);
      const now = this.#item(handle, item.parent);
      const changed = item.box !== now.box;
      item.text = now.text;
      item.box = now.box;
      item.children = undefined;
      if (changed) this.#cascadeUp(item);
      if (this.open.has(handle.id)) this.#fetch(item);
    }
  }

  #cascadeUp({ parent }: Item): void {
    if (parent?.box === undefined || !parent.children) return;
    const boxes = parent.children.map((child) => child.box);
    if (boxes.every(Boolean)) parent.box = true;
    else if (boxes.includes(false)) parent.box = false;
  }

  expand(id: string): void {
    const item = this.find(id);
    if (!item) return;
    this.open.add(id);
    if (!item.children) this.#fetch(item);
  }

  collapse(id: string): void {
    const item = this.find(id);
    if (!item) return;
    this.open.delete(id);
    this.#tree.close(item.handle);
  }

  /** What the person sees: closed rows hide what is below them. */
  shown(items = this.roots): string[] {
    return items.flatMap((item) => [
      `${item.box} ${item.text}`,
      ...(this.open.has(item.handle.id) ? this.shown(item.children ?? []) : []),
    ]);
  }
}

function truth(rows: readonly TreeRow[], open: ReadonlySet<string>): string[] {
  return rows.flatMap((row) => [
    `${row.checkbox?.checked} ${row.label}|${row.description}|${row.accessibleLabel}`,
    ...(open.has(row.id) ? truth(row.children(), open) : []),
  ]);
}

const start = (): Profile => parseProfile('p', { capabilities: ids }, 'user').value;

function world(grouping: Grouping = 'order') {
  const tree = new DrawnTree<TreeRow>();
  const one = { profile: start(), tree, editor: undefined as unknown as Editor };
  tree.update(rowsOf(one.profile, grouping));
  one.editor = new Editor(tree);
  return {
    ...one,
    /** The profile changed: by the person's click on a box, or by a command. */
    change(change: (profile: Profile) => Profile, clicked?: string): Redraw<TreeRow> {
      const item = clicked === undefined ? undefined : this.editor.find(clicked);
      if (item) {
        item.box = !item.box;
        tree.clicked(item.handle, item.box);
      }
      this.profile = change(this.profile);
      const redraw = tree.update(rowsOf(this.profile, grouping));
      this.editor.apply(redraw);
      return redraw;
    },
    truth(): string[] {
      return truth(rowsOf(this.profile, grouping), this.editor.open);
    },
  };
}

type Action =
  | { do: 'click' | 'command'; id: string }
  | { do: 'expand' | 'collapse'; id: string }
  | { do: 'move'; id: string; before: string }
  | { do: 'refuse'; id: string }
  | { do: 'pause' };

const anyRow = fc.constantFrom(...ids.map((id) => `cap:${id}`), ...tools.map((tool) => tool.id));
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constantFrom('click' as const, 'command' as const), id: anyRow }),
  fc.record({
    do: fc.constantFrom('expand' as const, 'collapse' as const),
    id: fc.constantFrom(...ids.map((id) => `cap:${id}`)),
  }),
  fc.record({ do: fc.constant('move' as const), id: fc.constantFrom(...ids), before: fc.constantFrom(...ids) }),
  fc.record({ do: fc.constant('refuse' as const), id: anyRow }),
  fc.constant({ do: 'pause' as const }),
);

describe('drawing the Capabilities view anew', () => {
  const toggled = (profile: Profile, id: string): Profile => {
    const tool = registry.tool(id);
    if (tool) return switchTools(registry, [tool], !resolveProfile(profile, registry).isToolEnabled(tool))(profile);
    const ref = id.slice(4);
    return switchCapabilities(
      registry,
      [ref],
      profile.capabilities.find((entry) => entry.ref === ref)?.enabled !== true,
    )(profile);
  };

  it('D.tree: shows what holds after any clicks, commands, moves and refusals, once the person has paused', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Grouping>('order', 'source'),
        fc.array(anyAction, { maxLength: 25 }),
        (grouping, actions) => {
          const at = world(grouping);
          if (grouping === 'source') at.editor.expand('group:source:Built in');
          for (const action of actions) {
            if (action.do === 'click') {
              if (at.editor.isVisible(action.id)) at.change((profile) => toggled(profile, action.id), action.id);
            } else if (action.do === 'command') at.change((profile) => toggled(profile, action.id));
            else if (action.do === 'refuse')
              at.change((profile) => profile, at.editor.isVisible(action.id) ? action.id : undefined);
            else if (action.do === 'move') at.change(placeCapabilities(registry, [action.id], action.before));
            else if (action.do === 'expand') at.editor.expand(action.id);
            else if (action.do === 'collapse') at.editor.collapse(action.id);
            else at.editor.draw(at.tree.takeLater());
          }
          at.editor.draw(at.tree.takeLater());
          assert.deepEqual(at.editor.shown(), at.truth());
          assert.equal(at.tree.isAwaited, false);
        },
      ),
      { numRuns: runs(24, 1000, 5000) },
    );
  });

  it('D.tree: forgets no row while a person clicks one tool after the other, so that no click is lost', () => {
    const at = world();
    for (const id of ['cap:file_system', 'cap:math']) at.editor.expand(id);
    at.editor.forgotten.clear();
    for (const tool of tools.filter((one) => at.editor.find(one.id)))
      at.change((profile) => toggled(profile, tool.id), tool.id);
    for (const id of ['cap:web_fetch', 'cap:todo_list', 'cap:web_fetch'])
      at.change((profile) => toggled(profile, id), id);
    assert.deepEqual([...at.editor.forgotten], []);
    assert.equal(at.editor.fetches, 1);
    at.editor.draw(at.tree.takeLater());
    assert.deepEqual(at.editor.shown(), at.truth());
  });

  it('D.tree: an open row that changes while the editor has drawn it and not yet what is below it is drawn once more', () => {
    const at = world();
    at.editor.expand('cap:math');
    const renamed = (description: string): readonly TreeRow[] =>
      rowsOf(placeCapabilities(registry, ['math'], 'file_system')(at.profile), 'order').map((row) =>
        row.id === 'cap:math' ? { ...row, description } : row,
      );
    assert.equal(at.tree.update(renamed('before')).type, 'all');
    const math = at.tree.children().find((row) => row.id === 'cap:math');
    assert.ok(math);
    assert.deepEqual(at.tree.update(renamed('after')), { type: 'rows', rows: [], later: true });
    at.tree.children(math);
    assert.deepEqual(
      at.tree.takeLater().map((row) => row.id),
      ['cap:math'],
    );
  });

  it('tells nothing where nothing looks different', () => {
    const at = world();
    at.editor.expand('cap:math');
    assert.deepEqual(
      at.change((profile) => ({ ...profile })),
      { type: 'nothing' },
    );
  });

  it('waits for open rows that everything fetched anew has to bring again, but not for those that were closed meanwhile', () => {
    const at = world();
    at.editor.expand('cap:math');
    at.tree.update(rowsOf(placeCapabilities(registry, ['math'], 'file_system')(at.profile), 'order'));
    assert.equal(at.tree.isAwaited, true);
    const [math] = at.tree.children();
    assert.ok(math);
    assert.equal(at.tree.isAwaited, true, 'the rows below Math are still to come');
    at.tree.close(math);
    assert.equal(at.tree.isAwaited, false);
  });
});
