import { contextKey } from './contextKey';
import { viewIds } from './viewIds';
import { type CommandTable, menusOf } from './commandSpec';

const { title, row, focused } = menusOf(viewIds.capabilities);
const capabilityRow = /^capability\./;

/** The commands of the Capabilities view, of profiles and of running tools. */
export const capabilityCommandTable = {
  switchProfile: { title: 'Switch Profile…', icon: 'arrow-swap', menus: [title('navigation@1')] },
  showRuntimeAgent: { title: 'Show Runtime Agent', icon: 'preview', menus: [title('navigation@2')] },
  filterCapabilities: {
    title: 'Filter Capabilities…',
    icon: 'filter',
    keys: [{ key: 'ctrl+f', mac: 'cmd+f', when: focused }],
    menus: [title('navigation@3', `!${contextKey('filtered')}`), row('filter', 'inline@1')],
  },
  clearFilter: {
    title: 'Clear Filter',
    icon: 'clear-all',
    enablement: contextKey('filtered'),
    keys: [{ key: 'escape', when: `${focused} && ${contextKey('filtered')}` }],
    menus: [title('navigation@3', contextKey('filtered')), row('filter', 'inline@2')],
  },
  groupBy: { title: 'Group Capabilities By…', icon: 'list-tree', menus: [title('1_view@1')] },
  undo: {
    title: 'Undo Last Change',
    icon: 'discard',
    // No enablement: a key without effect here would reach the text editor and undo what was typed there.
    keys: [{ key: 'ctrl+z', mac: 'cmd+z', when: focused }],
    menus: [title('1_view@2')],
  },
  setMode: { title: 'Set Mode…', menus: [title('2_profile@1')] },
  newProfile: { title: 'New Profile…', menus: [title('2_profile@2')] },
  editProfile: { title: 'Edit Profile…', icon: 'edit', menus: [title('2_profile@2')] },
  renameProfile: { title: 'Rename Profile…', keys: [{ key: 'f2', when: focused }], menus: [title('2_profile@3')] },
  duplicateProfile: { title: 'Duplicate Profile…', menus: [title('2_profile@4')] },
  deleteProfile: { title: 'Delete Profile…', menus: [title('2_profile@5')] },
  resetProfile: { title: 'Reset Profile to Default', menus: [title('2_profile@6')] },
  importProfile: { title: 'Import Profile…', menus: [title('3_share@1')] },
  exportProfile: { title: 'Export Profile…', menus: [title('3_share@2')] },
  acceptWidening: {
    title: 'Review What the Workspace Allows…',
    icon: 'open-preview',
    enablement: contextKey('wideningPending'),
    menus: [row(/^problem\.(widening|active_profile)_pending/, 'inline@1')],
  },
  manageTrust: {
    title: 'Manage Workspace Trust',
    icon: 'workspace-trusted',
    enablement: '!isWorkspaceTrusted',
    menus: [row('problem.workspace_restricted', 'inline@1')],
  },
  reviewPrompt: { title: 'Review the Prompt File…', enablement: contextKey('promptPending') },
  openChatWithProfile: { title: 'Open Chat with Profile', menus: [title('4_chat@1')] },
  useAgentForNewChats: { title: 'Use Profile for New Chats', menus: [title('4_chat@2')] },
  comparePlainAgent: { title: 'Compare with Plain Agent', menus: [title('4_chat@3')] },
  enableCapability: { title: 'Enable Capability…', icon: 'check', menus: [row(/^capability\.off/, '1_state@1')] },
  disableCapability: {
    title: 'Disable Capability…',
    icon: 'circle-slash',
    menus: [row(/^capability\.on/, '1_state@1')],
  },
  toggleTool: { title: 'Toggle Tool…', menus: [row(/^tool\./, '1_state@1')] },
  chooseTools: {
    title: 'Choose Tools…',
    icon: 'checklist',
    menus: [
      // The way out while there are too many tools for a request.
      title('navigation@0', contextKey('nearLimit')),
      title('1_view@3'),
    ],
  },
  toggleSelected: {
    title: 'Toggle Selected Capabilities and Tools',
    enablement: contextKey('hasSelection'),
    keys: [{ key: 'space', when: focused, onRow: true }],
  },
  moveUp: {
    title: 'Move Capability Up',
    icon: 'arrow-up',
    keys: [{ key: 'alt+up', when: focused, onRow: true }],
    menus: [row(capabilityRow, 'inline@1'), row(capabilityRow, '3_move@1')],
  },
  moveDown: {
    title: 'Move Capability Down',
    icon: 'arrow-down',
    keys: [{ key: 'alt+down', when: focused, onRow: true }],
    menus: [row(capabilityRow, 'inline@2'), row(capabilityRow, '3_move@2')],
  },
  openDetails: {
    title: 'Show Details',
    // The menu of a row is about that row, which need not be the selected one.
    enablement: `${contextKey('hasSelection')} || viewItem =~ /^(capability|tool)\\./`,
    keys: [{ key: 'enter', when: focused, onRow: true }],
    menus: [row(/^(capability|tool)\./, '2_show@1')],
  },
  runTool: { title: 'Run Tool…', icon: 'play', menus: [row(/^tool\.on/, 'inline@1'), row(/^tool\.on/, '2_show@0')] },
  listCapabilities: { title: 'List Capabilities' },
  showAuditLog: { title: 'Show Audit Log', icon: 'output', menus: [title('5_log@1')] },
} as const satisfies CommandTable;
