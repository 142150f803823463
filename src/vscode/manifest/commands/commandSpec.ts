/** Where a command stands in a menu; `group` orders it there, as `inline@1` or `1_run@2`. */
interface MenuPlace {
  readonly menu: string;
  readonly when: string;
  readonly group: string;
}

/**
 * One command of the extension; the manifest, the palette's `enablement`, menus and keys are made from the tables of
 * this folder. Titles are in title case; an ellipsis says that a question follows.
 */
interface CommandSpec {
  readonly title: string;
  readonly icon?: string;
  /** True where the command works: shown greyed out, or left out of the palette, elsewhere. */
  readonly enablement?: string;
  readonly keys?: readonly {
    readonly key: string;
    readonly mac?: string;
    readonly when: string;
    /**
     * True for a command about the row that has the focus: an extension hears of selections only, so the key selects
     * the row first.
     */
    readonly onRow?: boolean;
  }[];
  readonly menus?: readonly MenuPlace[];
  /** False for commands that only make sense on a tree row. */
  readonly palette?: boolean;
}

/** Commands by their ids without the prefix `agentCapabilities.`, in the order of the manifest. */
export type CommandTable = Readonly<Record<string, CommandSpec>>;

/** The commands of a table with their ids. */
export function specsOf<Id extends string>(
  table: Readonly<Record<Id, CommandSpec>>,
): readonly (CommandSpec & { readonly id: Id })[] {
  // Safe: a table has no keys but those that its type names.
  return Object.entries<CommandSpec>(table).map(([id, spec]) => ({ id: id as Id, ...spec }));
}

/** The places that commands have in a view: its title, and the rows whose `contextValue` is or fits `row`. */
export function menusOf(viewId: string) {
  const when = `view == ${viewId}`;
  return {
    // A view's own box to find rows in takes keys as text.
    focused: `focusedView == ${viewId} && !inputFocus`,
    title: (group: string, also?: string): MenuPlace => ({
      menu: 'view/title',
      when: also === undefined ? when : `${when} && ${also}`,
      group,
    }),
    row: (row: string | RegExp, group: string): MenuPlace => ({
      menu: 'view/item/context',
      when: `${when} && viewItem ${typeof row === 'string' ? `== ${row}` : `=~ ${row}`}`,
      group,
    }),
  };
}
