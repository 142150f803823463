import * as vscode from 'vscode';
import type { TreeRow } from '../../core/present/treeRow';
import { placeCapabilities } from '../../core/profiles/profileEdit';
import type { ProfileEditor } from '../../core/profiles/profileEditor';
import type { ProfileStore } from '../../core/profiles/profileStore';
import type { CapabilityRegistry } from '../../core/registry/registry';
import { viewIds } from '../manifest/commands/viewIds';
import { DraggedRows } from './rowItem';

const dragged = new DraggedRows(viewIds.capabilities);

/** Capabilities that are dragged take the place before the one on which they are dropped; below all rows, the last. */
export class CapabilityDrag implements vscode.TreeDragAndDropController<TreeRow> {
  readonly dropMimeTypes = [dragged.type];
  readonly dragMimeTypes = [dragged.type];
  readonly #registry: CapabilityRegistry;
  readonly #profiles: ProfileStore;
  readonly #editor: ProfileEditor;

  constructor(parts: { registry: CapabilityRegistry; profiles: ProfileStore; editor: ProfileEditor }) {
    this.#registry = parts.registry;
    this.#profiles = parts.profiles;
    this.#editor = parts.editor;
  }

  handleDrag(rows: readonly TreeRow[], data: vscode.DataTransfer): void {
    const ids = rows.flatMap((row) => (row.kind === 'capability' ? [row.capability.id] : []));
    dragged.put(ids, data);
  }

  async handleDrop(target: TreeRow | undefined, data: vscode.DataTransfer): Promise<void> {
    const ids = dragged.take(data);
    const { id: before } =
      target?.kind === 'capability' ? target.capability : target?.kind === 'tool' ? target.tool.capability : {};
    if (ids.length === 0 || (before !== undefined && ids.includes(before))) return;
    const label = vscode.l10n.t('move {0}', ids.join(', '));
    await this.#editor.change(this.#profiles.active().id, label, placeCapabilities(this.#registry, ids, before));
  }
}
