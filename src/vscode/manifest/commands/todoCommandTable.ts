import { contextKey } from './contextKey';
import { viewIds } from './viewIds';
import { type CommandTable, menusOf } from './commandSpec';

const { title, row, focused } = menusOf(viewIds.todos);
const todo = /^todo\./;
/** A row's own buttons and menu are about that row, which need not be the selected one. */
const selected = `${contextKey('todo.hasSelection')} || viewItem =~ /^todo\\./`;
const filled = contextKey('todo.hasItems');

/** The commands of the view "Todos". */
export const todoCommandTable = {
  'todo.add': { title: 'Add Todo…', icon: 'add', menus: [title('navigation@1')] },
  'todo.undo': {
    title: 'Undo Todo Change',
    icon: 'discard',
    // No enablement: a key without effect here would reach the text editor and undo what was typed there.
    keys: [{ key: 'ctrl+z', mac: 'cmd+z', when: focused }],
    menus: [title('navigation@2', contextKey('todo.canUndo'))],
  },
  'todo.redo': {
    title: 'Redo Todo Change',
    icon: 'redo',
    keys: [{ key: 'ctrl+shift+z', mac: 'cmd+shift+z', when: focused }],
    menus: [title('1_edit@1', contextKey('todo.canRedo'))],
  },
  'todo.clearCompleted': {
    title: 'Clear Completed Todos',
    icon: 'clear-all',
    enablement: contextKey('todo.hasCompleted'),
    menus: [title('1_edit@2')],
  },
  'todo.export': { title: 'Export Todos to Markdown', enablement: filled, menus: [title('2_show@1')] },
  'todo.history': { title: 'Show Todo History', menus: [title('2_show@2')] },
  'todo.edit': {
    title: 'Edit Todo…',
    icon: 'edit',
    enablement: selected,
    keys: [
      { key: 'f2', when: focused, onRow: true },
      { key: 'enter', when: focused, onRow: true },
    ],
    menus: [row(todo, 'inline@1')],
  },
  'todo.delete': {
    title: 'Delete Todos',
    icon: 'trash',
    enablement: selected,
    keys: [{ key: 'delete', mac: 'cmd+backspace', when: focused, onRow: true }],
    menus: [row(todo, 'inline@2')],
  },
  'todo.toggle': {
    title: 'Toggle Completion of Todos',
    enablement: selected,
    keys: [{ key: 'space', when: focused, onRow: true }],
    menus: [row(todo, '1_state@1')],
  },
  'todo.start': {
    title: 'Mark Todo as in Progress',
    enablement: selected,
    menus: [row(/^todo\.(pending|completed)/, '1_state@2')],
  },
  'todo.setPriority': { title: 'Set Priority of Todo…', enablement: selected, menus: [row(todo, '1_state@3')] },
  'todo.moveUp': {
    title: 'Move Todo Up',
    enablement: selected,
    keys: [{ key: 'alt+up', when: focused, onRow: true }],
    menus: [row(todo, '2_move@1')],
  },
  'todo.moveDown': {
    title: 'Move Todo Down',
    enablement: selected,
    keys: [{ key: 'alt+down', when: focused, onRow: true }],
    menus: [row(todo, '2_move@2')],
  },
} as const satisfies CommandTable;
