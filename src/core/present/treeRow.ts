import type { Problem } from '../base/problem';
import type { Capability } from '../capability/capability';
import type { RegisteredTool } from '../registry/registry';
import type { Boundary } from '../vocabulary/boundary';
import { proseMarkdown } from './words';

/** What the rows of our views have in common. */
export interface RowBase {
  /** Stable while the thing that it stands for exists, so that expansion and selection survive a refresh. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** A codicon id without `$()`. */
  readonly icon: string;
  readonly warns: boolean;
  /** Markdown in which every foreign text is escaped. */
  tooltip(): string;
  /** What a screen reader says of the row: name, state, position. */
  readonly accessibleLabel: string;
  /** Read by the menus' `when` clauses. */
  readonly contextValue: string;
  readonly checkbox?: { readonly checked: boolean; readonly label: string };
  children(): readonly TreeRow[];
  readonly expandable: boolean;
}

export type TreeRow = RowBase &
  (
    | {
        readonly kind: 'capability';
        readonly capability: Capability;
        readonly enabled: boolean;
        /** Changes whenever a row below it looks different. */
        readonly state: string;
      }
    | { readonly kind: 'tool'; readonly tool: RegisteredTool; readonly enabled: boolean }
    | { readonly kind: 'problem'; readonly problem: Problem }
    | { readonly kind: 'group' }
    | { readonly kind: 'pending'; readonly requestId: string }
    | { readonly kind: 'grant'; readonly grantId: string }
    | { readonly kind: 'composed'; readonly capabilityId: string }
    | { readonly kind: 'rule'; readonly rule: Boundary }
    | { readonly kind: 'plan' }
    | { readonly kind: 'server'; readonly server: string }
  );

/** Tells whether a command was handed a row of the tree, and not an id or something else of the editor. */
export function isTreeRow(value: unknown): value is TreeRow {
  return typeof value === 'object' && value !== null && 'kind' in value && 'contextValue' in value;
}

/** A tool with whether its profile has it on. */
export interface ToolState {
  readonly tool: RegisteredTool;
  readonly enabled: boolean;
}

/** What a row has that has no rows below it and nothing that warns. */
export const leaf = { warns: false, children: (): readonly TreeRow[] => [], expandable: false } as const;

/** A row that only holds others, left out where there are none; its tooltip is its label where it says no more. */
export function groupRows(
  id: string,
  row: Pick<TreeRow, 'label' | 'description' | 'icon' | 'accessibleLabel'> & {
    readonly children: readonly TreeRow[] | (() => readonly TreeRow[]);
    readonly tooltip?: string;
    readonly warns?: boolean;
    readonly contextValue?: string;
  },
): readonly TreeRow[] {
  const { label, description, icon, accessibleLabel, children, tooltip = label, warns = false } = row;
  if (typeof children !== 'function' && children.length === 0) return [];
  return [
    {
      ...{ kind: 'group', id: `group:${id}`, label, description, icon, warns, accessibleLabel },
      tooltip: () => proseMarkdown(tooltip),
      contextValue: row.contextValue ?? `group.${id}`,
      children: typeof children === 'function' ? children : () => children,
      expandable: true,
    },
  ];
}
