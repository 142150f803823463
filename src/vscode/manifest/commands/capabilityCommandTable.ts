import { viewIds } from './viewIds';
import type { CommandTable } from './commandSpec';

const view = `view == ${viewIds.capabilities}`;
const focused = `focusedView == ${viewIds.capabilities}`;
const capabilityRow = `${view} && viewItem =~ /^capability\\./`;

/** The commands of the Capabilities view, of profiles and of running tools. */
export const capabilityCommandTable = {
  switchProfile: {
    title: 'Switch Profile…',
    icon: 'arrow-swap',
    menus: [{ menu: 'view/title', when: view, group: 'navigation@1' }],
  },
  showRuntimeAgent: {
    title: 'Show Runtime Agent',
    icon: 'preview',
    menus: [{ menu: 'view/title', when: view, group: 'navigation@2' }],
  },
  filterCapabilities: {
    title: 'Filter Capabilities…',
    icon: 'filter',
    keys: [{ key: 'ctrl+f', mac: 'cmd+f', when: focused }],
    menus: [{ menu: 'view/title', when: `${view} && !agentCapabilities.filtered`, group: 'navigation@3' }],
  },
  clearFilter: {
    title: 'Clear Filter',
    icon: 'filter-filled',
    enablement: 'agentCapabilities.filtered',
    menus: [{ menu: 'view/title', when: `${view} && agentCapabilities.filtered`, group: 'navigation@3' }],
  },
  groupBy: {
    title: 'Group Capabilities By…',
    icon: 'list-tree',
    menus: [{ menu: 'view/title', when: view, group: '1_view@1' }],
  },
  undo: {
    title: 'Undo Last Change',
    icon: 'discard',
    enablement: 'agentCapabilities.canUndo',
    keys: [{ key: 'ctrl+z', mac: 'cmd+z', when: focused }],
    menus: [{ menu: 'view/title', when: view, group: '1_view@2' }],
  },
  setMode: { title: 'Set Mode…', menus: [{ menu: 'view/title', when: view, group: '2_profile@1' }] },
  newProfile: { title: 'New Profile…', menus: [{ menu: 'view/title', when: view, group: '2_profile@2' }] },
  renameProfile: {
    title: 'Rename Profile…',
    keys: [{ key: 'f2', when: focused }],
    menus: [{ menu: 'view/title', when: view, group: '2_profile@3' }],
  },
  duplicateProfile: {
    title: 'Duplicate Profile…',
    menus: [{ menu: 'view/title', when: view, group: '2_profile@4' }],
  },
  deleteProfile: { title: 'Delete Profile…', menus: [{ menu: 'view/title', when: view, group: '2_profile@5' }] },
  resetProfile: {
    title: 'Reset Profile to Default',
    menus: [{ menu: 'view/title', when: view, group: '2_profile@6' }],
  },
  importProfile: { title: 'Import Profile…', menus: [{ menu: 'view/title', when: view, group: '3_share@1' }] },
  exportProfile: { title: 'Export Profile…', menus: [{ menu: 'view/title', when: view, group: '3_share@2' }] },
  acceptWidening: { title: 'Review What the Workspace Allows…', enablement: 'agentCapabilities.wideningPending' },
  reviewPrompt: { title: 'Review the Prompt File…', enablement: 'agentCapabilities.promptPending' },
  openChatWithProfile: {
    title: 'Open Chat with Profile',
    menus: [{ menu: 'view/title', when: view, group: '4_chat@1' }],
  },
  enableCapability: {
    title: 'Enable Capability…',
    icon: 'check',
    menus: [{ menu: 'view/item/context', when: `${view} && viewItem =~ /^capability\\.off/`, group: '1_state@1' }],
  },
  disableCapability: {
    title: 'Disable Capability…',
    icon: 'circle-slash',
    menus: [{ menu: 'view/item/context', when: `${view} && viewItem =~ /^capability\\.on/`, group: '1_state@1' }],
  },
  toggleTool: {
    title: 'Toggle Tool…',
    menus: [{ menu: 'view/item/context', when: `${view} && viewItem =~ /^tool\\./`, group: '1_state@1' }],
  },
  chooseTools: {
    title: 'Choose Tools…',
    icon: 'checklist',
    menus: [
      // The way out while there are too many tools for a request.
      { menu: 'view/title', when: `${view} && agentCapabilities.nearLimit`, group: 'navigation@0' },
      { menu: 'view/title', when: view, group: '1_view@3' },
    ],
  },
  toggleSelected: {
    title: 'Toggle Selected Capabilities and Tools',
    enablement: 'agentCapabilities.hasSelection',
    keys: [{ key: 'space', when: focused, onRow: true }],
  },
  moveUp: {
    title: 'Move Capability Up',
    icon: 'arrow-up',
    keys: [{ key: 'alt+up', when: focused, onRow: true }],
    menus: [
      { menu: 'view/item/context', when: capabilityRow, group: 'inline@1' },
      { menu: 'view/item/context', when: capabilityRow, group: '3_move@1' },
    ],
  },
  moveDown: {
    title: 'Move Capability Down',
    icon: 'arrow-down',
    keys: [{ key: 'alt+down', when: focused, onRow: true }],
    menus: [
      { menu: 'view/item/context', when: capabilityRow, group: 'inline@2' },
      { menu: 'view/item/context', when: capabilityRow, group: '3_move@2' },
    ],
  },
  openDetails: {
    title: 'Show Details',
    // The menu of a row is about that row, which need not be the selected one.
    enablement: 'agentCapabilities.hasSelection || viewItem =~ /^(capability|tool)\\./',
    keys: [{ key: 'enter', when: focused, onRow: true }],
    menus: [{ menu: 'view/item/context', when: `${view} && viewItem =~ /^(capability|tool)\\./`, group: '2_show@1' }],
  },
  runTool: {
    title: 'Run Tool…',
    icon: 'play',
    menus: [
      { menu: 'view/item/context', when: `${view} && viewItem =~ /^tool\\.on/`, group: 'inline@1' },
      { menu: 'view/item/context', when: `${view} && viewItem =~ /^tool\\.on/`, group: '2_show@0' },
    ],
  },
  listCapabilities: { title: 'List Capabilities' },
  showAuditLog: {
    title: 'Show Audit Log',
    icon: 'output',
    menus: [{ menu: 'view/title', when: view, group: '5_log@1' }],
  },
} as const satisfies CommandTable;
