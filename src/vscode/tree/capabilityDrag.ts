import * as vscode from 'vscode';
import type { TreeRow } from '../../core/present/treeRow';
import { placeCapabilities } from '../../core/profiles/profileEdit';
import type { ProfileEditor } from '../../core/profiles/profileEditor';
import type { ProfileStore } from '../../core/profiles/profileStore';
import type { CapabilityRegistry } from '../../core/registry/registry';
import { viewIds } from '../manifest/commands/viewIds';
import { draggedRows } from './rowItem';

const dragged = draggedRows(viewIds.capabilities);

interface DragParts {
  readonly registry: CapabilityRegistry;
  readonly profiles: ProfileStore;
  readonly editor: ProfileEditor;
}

/** Capabilities that are dragged take the place before the one on which they are dropped; below all rows, the last. */
export const capabilityDrag = ({
  registry,
  profiles,
  editor,
}: DragParts): vscode.TreeDragAndDropController<TreeRow> => ({
  dropMimeTypes: [dragged.type],
  dragMimeTypes: [dragged.type],
  handleDrag(rows, data) {
    const ids = rows.flatMap((row) => (row.kind === 'capability' ? [row.capability.id] : []));
    dragged.put(ids, data);
  },
  async handleDrop(target, data) {
    const ids = dragged.take(data);
    const { id: before } =
      target?.kind === 'capability' ? target.capability : target?.kind === 'tool' ? target.tool.capability : {};
    if (ids.length === 0 || (before !== undefined && ids.includes(before))) return;
    const label = vscode.l10n.t('move {0}', ids.join(', '));
    await editor.change(profiles.active().id, label, placeCapabilities(registry, ids, before));
  },
});
