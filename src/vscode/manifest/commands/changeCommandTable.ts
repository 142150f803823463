import { contextKey } from './contextKey';
import { viewIds } from './viewIds';
import { type CommandTable, menusOf } from './commandSpec';

const { title, row, focused } = menusOf(viewIds.changes);
/** A row's own buttons and menu are about that row, which need not be the selected one. */
const selected = `${contextKey('changes.hasSelection')} || viewItem =~ /^change\\./`;
const any = /^change\./;
const undo = /^change\..*undo/;
const redo = /^change\..*redo/;

/** The commands of the view "Changes by Agents". */
export const changeCommandTable = {
  'changes.open': {
    title: 'Open Changes by Agents',
    icon: 'diff-multiple',
    keys: [{ key: 'enter', when: focused, onRow: true }],
    menus: [row(any, 'inline@1'), row(any, '1_open@1')],
  },
  'changes.openSince': {
    title: 'Open All Changes by Agents Since',
    enablement: selected,
    menus: [row(any, '1_open@2')],
  },
  'changes.undo': {
    title: 'Undo Changes by Agents',
    icon: 'discard',
    keys: [{ key: 'ctrl+z', mac: 'cmd+z', when: focused, onRow: true }],
    menus: [row(undo, 'inline@2'), row(undo, '2_undo@1')],
  },
  'changes.undoSince': {
    title: 'Undo All Changes by Agents Since',
    keys: [{ key: 'ctrl+alt+z', mac: 'cmd+alt+z', when: focused, onRow: true }],
    menus: [row(any, '2_undo@2')],
  },
  'changes.undoCall': { title: 'Undo Changes of a Call', icon: 'discard', palette: false },
  'changes.redo': {
    title: 'Redo Changes by Agents',
    icon: 'redo',
    keys: [{ key: 'ctrl+shift+z', mac: 'cmd+shift+z', when: focused, onRow: true }],
    menus: [row(redo, 'inline@3'), row(redo, '2_undo@3')],
  },
  'changes.markSeen': {
    title: 'Mark Changes by Agents as Seen',
    enablement: selected,
    keys: [{ key: 'space', when: focused, onRow: true }],
    menus: [row(any, '3_seen@1')],
  },
  'changes.markAllSeen': {
    title: 'Mark All Changes by Agents as Seen',
    icon: 'check-all',
    menus: [title('navigation@1')],
  },
  'changes.refresh': { title: 'Refresh Changes by Agents', icon: 'refresh', menus: [title('navigation@2')] },
} as const satisfies CommandTable;
