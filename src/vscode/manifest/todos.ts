import type { JsonObject } from '../../core/base/json';
import type { CommandSpec } from './commands';

const view = 'view == agentCapabilities.todos';
const focused = 'focusedView == agentCapabilities.todos';
const row = `${view} && viewItem =~ /^todo\\./`;
/** A row's own buttons and menu are about that row, which need not be the selected one. */
const selected = 'agentCapabilities.todo.hasSelection || viewItem =~ /^todo\\./';
const filled = 'agentCapabilities.todo.hasItems';

/** The commands of the view "Todos". */
export const todoCommandSpecs: readonly CommandSpec[] = [
  {
    id: 'todo.add',
    title: 'Add Todo…',
    icon: 'add',
    menus: [{ menu: 'view/title', when: view, group: 'navigation@1' }],
  },
  {
    id: 'todo.undo',
    title: 'Undo Todo Change',
    icon: 'discard',
    enablement: 'agentCapabilities.todo.canUndo',
    keys: [{ key: 'ctrl+z', mac: 'cmd+z', when: focused }],
    menus: [{ menu: 'view/title', when: view, group: 'navigation@2' }],
  },
  {
    id: 'todo.redo',
    title: 'Redo Todo Change',
    icon: 'redo',
    enablement: 'agentCapabilities.todo.canRedo',
    keys: [{ key: 'ctrl+shift+z', mac: 'cmd+shift+z', when: focused }],
    menus: [{ menu: 'view/title', when: view, group: '1_edit@1' }],
  },
  {
    id: 'todo.clearCompleted',
    title: 'Clear Completed Todos',
    icon: 'clear-all',
    enablement: 'agentCapabilities.todo.hasCompleted',
    menus: [{ menu: 'view/title', when: view, group: '1_edit@2' }],
  },
  {
    id: 'todo.export',
    title: 'Export Todos to Markdown',
    enablement: filled,
    menus: [{ menu: 'view/title', when: view, group: '2_show@1' }],
  },
  { id: 'todo.history', title: 'Show Todo History', menus: [{ menu: 'view/title', when: view, group: '2_show@2' }] },
  {
    id: 'todo.edit',
    title: 'Edit Todo…',
    icon: 'edit',
    enablement: selected,
    keys: [
      { key: 'f2', when: focused, onRow: true },
      { key: 'enter', when: focused, onRow: true },
    ],
    menus: [{ menu: 'view/item/context', when: row, group: 'inline@1' }],
  },
  {
    id: 'todo.delete',
    title: 'Delete Todos',
    icon: 'trash',
    enablement: selected,
    keys: [{ key: 'delete', mac: 'cmd+backspace', when: focused, onRow: true }],
    menus: [{ menu: 'view/item/context', when: row, group: 'inline@2' }],
  },
  {
    id: 'todo.toggle',
    title: 'Toggle Completion of Todos',
    enablement: selected,
    keys: [{ key: 'space', when: focused, onRow: true }],
    menus: [{ menu: 'view/item/context', when: row, group: '1_state@1' }],
  },
  {
    id: 'todo.start',
    title: 'Mark Todo as in Progress',
    enablement: selected,
    menus: [
      { menu: 'view/item/context', when: `${view} && viewItem =~ /^todo\\.(pending|completed)/`, group: '1_state@2' },
    ],
  },
  {
    id: 'todo.setPriority',
    title: 'Set Priority of Todo…',
    enablement: selected,
    menus: [{ menu: 'view/item/context', when: row, group: '1_state@3' }],
  },
  {
    id: 'todo.moveUp',
    title: 'Move Todo Up',
    enablement: selected,
    keys: [{ key: 'alt+up', when: focused, onRow: true }],
    menus: [{ menu: 'view/item/context', when: row, group: '2_move@1' }],
  },
  {
    id: 'todo.moveDown',
    title: 'Move Todo Down',
    enablement: selected,
    keys: [{ key: 'alt+down', when: focused, onRow: true }],
    menus: [{ menu: 'view/item/context', when: row, group: '2_move@2' }],
  },
];

/** The view's entry in the container `agentCapabilities`. */
export const todoView: JsonObject = {
  // The capabilities are what most people open the container for.
  visibility: 'collapsed',
  id: 'agentCapabilities.todos',
  name: '%view.todos%',
  icon: 'media/container.svg',
  contextualTitle: '%container%',
};

export const todoWelcome: readonly JsonObject[] = [{ view: 'agentCapabilities.todos', contents: '%welcome.todos%' }];

export const todoTexts: Readonly<Record<string, string>> = {
  'view.todos': 'Todos',
  'welcome.todos':
    'No tasks yet. An agent writes them while it works, or you do.\n[Add Todo](command:agentCapabilities.todo.add)',
};
