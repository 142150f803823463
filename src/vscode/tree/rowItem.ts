import { stringsIn } from '../../core/base/json';
import * as vscode from 'vscode';

/** What the rows of our views have in common. */
interface Row {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** A codicon id without `$()`. */
  readonly icon: string;
  readonly warns?: boolean;
  readonly contextValue: string;
  readonly accessibleLabel: string;
  readonly checkbox?: { readonly checked: boolean; readonly label: string };
}

/** A row as the editor draws it, but for its tooltip; `id` is what the editor remembers it by. */
export function rowItem(row: Row, id: string, state?: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label, state);
  item.id = id;
  item.description = row.description;
  item.iconPath = new vscode.ThemeIcon(
    row.icon,
    row.warns ? new vscode.ThemeColor('list.warningForeground') : undefined,
  );
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

/** Rows that are dragged within a view: only their ids travel. */
export function draggedRows(viewId: string) {
  const type = `application/vnd.code.tree.${viewId.toLowerCase()}`;
  return {
    type,
    put(ids: readonly string[], data: vscode.DataTransfer): void {
      if (ids.length > 0) data.set(type, new vscode.DataTransferItem(ids));
    },
    take(data: vscode.DataTransfer): readonly string[] {
      const dragged: unknown = data.get(type)?.value;
      return stringsIn(dragged);
    },
  };
}

/** Gives a row its tooltip, which is made when somebody rests on the row. */
export function withTooltip(item: vscode.TreeItem, row: { tooltip(): string }): vscode.TreeItem {
  item.tooltip = new vscode.MarkdownString(row.tooltip());
  return item;
}
