/** One command of the extension; the manifest, the palette's `enablement`, menus and keys are made from this table. */
export interface CommandSpec {
  /** Without the prefix `agentCapabilities.`. */
  readonly id: string;
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
  readonly menus?: readonly { readonly menu: string; readonly when?: string; readonly group: string }[];
  /** False for commands that only make sense on a tree row. */
  readonly palette?: boolean;
}

const view = 'view == agentCapabilities.capabilities';
const focused = 'focusedView == agentCapabilities.capabilities';
const capabilityRow = `${view} && viewItem =~ /^capability\\./`;

/**
 * Every command of the Capabilities view, profiles and running tools. Titles are in title case; an ellipsis says that a
 * question follows.
 */
export const commandSpecs: readonly CommandSpec[] = [
  {
    id: 'switchProfile',
    title: 'Switch Profile…',
    icon: 'arrow-swap',
    menus: [{ menu: 'view/title', when: view, group: 'navigation@1' }],
  },
  {
    id: 'showRuntimeAgent',
    title: 'Show Runtime Agent',
    icon: 'preview',
    menus: [{ menu: 'view/title', when: view, group: 'navigation@2' }],
  },
  {
    id: 'filterCapabilities',
    title: 'Filter Capabilities…',
    icon: 'filter',
    keys: [{ key: 'ctrl+f', mac: 'cmd+f', when: focused }],
    menus: [{ menu: 'view/title', when: `${view} && !agentCapabilities.filtered`, group: 'navigation@3' }],
  },
  {
    id: 'clearFilter',
    title: 'Clear Filter',
    icon: 'filter-filled',
    enablement: 'agentCapabilities.filtered',
    menus: [{ menu: 'view/title', when: `${view} && agentCapabilities.filtered`, group: 'navigation@3' }],
  },
  {
    id: 'groupBy',
    title: 'Group Capabilities By…',
    icon: 'list-tree',
    menus: [{ menu: 'view/title', when: view, group: '1_view@1' }],
  },
  {
    id: 'undo',
    title: 'Undo Last Change',
    icon: 'discard',
    enablement: 'agentCapabilities.canUndo',
    keys: [{ key: 'ctrl+z', mac: 'cmd+z', when: focused }],
    menus: [{ menu: 'view/title', when: view, group: '1_view@2' }],
  },
  { id: 'setMode', title: 'Set Mode…', menus: [{ menu: 'view/title', when: view, group: '2_profile@1' }] },
  { id: 'newProfile', title: 'New Profile…', menus: [{ menu: 'view/title', when: view, group: '2_profile@2' }] },
  {
    id: 'renameProfile',
    title: 'Rename Profile…',
    keys: [{ key: 'f2', when: focused }],
    menus: [{ menu: 'view/title', when: view, group: '2_profile@3' }],
  },
  {
    id: 'duplicateProfile',
    title: 'Duplicate Profile…',
    menus: [{ menu: 'view/title', when: view, group: '2_profile@4' }],
  },
  { id: 'deleteProfile', title: 'Delete Profile…', menus: [{ menu: 'view/title', when: view, group: '2_profile@5' }] },
  {
    id: 'resetProfile',
    title: 'Reset Profile to Default',
    menus: [{ menu: 'view/title', when: view, group: '2_profile@6' }],
  },
  { id: 'importProfile', title: 'Import Profile…', menus: [{ menu: 'view/title', when: view, group: '3_share@1' }] },
  { id: 'exportProfile', title: 'Export Profile…', menus: [{ menu: 'view/title', when: view, group: '3_share@2' }] },
  { id: 'acceptWidening', title: 'Review What the Workspace Allows…', enablement: 'agentCapabilities.wideningPending' },
  { id: 'reviewPrompt', title: 'Review the Prompt File…', enablement: 'agentCapabilities.promptPending' },
  {
    id: 'openChatWithProfile',
    title: 'Open Chat with Profile',
    menus: [{ menu: 'view/title', when: view, group: '4_chat@1' }],
  },
  {
    id: 'enableCapability',
    title: 'Enable Capability…',
    icon: 'check',
    menus: [{ menu: 'view/item/context', when: `${view} && viewItem =~ /^capability\\.off/`, group: '1_state@1' }],
  },
  {
    id: 'disableCapability',
    title: 'Disable Capability…',
    icon: 'circle-slash',
    menus: [{ menu: 'view/item/context', when: `${view} && viewItem =~ /^capability\\.on/`, group: '1_state@1' }],
  },
  {
    id: 'toggleTool',
    title: 'Toggle Tool…',
    menus: [{ menu: 'view/item/context', when: `${view} && viewItem =~ /^tool\\./`, group: '1_state@1' }],
  },
  {
    id: 'chooseTools',
    title: 'Choose Tools…',
    icon: 'checklist',
    menus: [
      // The way out while there are too many tools for a request.
      { menu: 'view/title', when: `${view} && agentCapabilities.nearLimit`, group: 'navigation@0' },
      { menu: 'view/title', when: view, group: '1_view@3' },
    ],
  },
  {
    id: 'toggleSelected',
    title: 'Toggle Selected Capabilities and Tools',
    enablement: 'agentCapabilities.hasSelection',
    keys: [{ key: 'space', when: focused, onRow: true }],
  },
  {
    id: 'moveUp',
    title: 'Move Capability Up',
    icon: 'arrow-up',
    keys: [{ key: 'alt+up', when: focused, onRow: true }],
    menus: [
      { menu: 'view/item/context', when: capabilityRow, group: 'inline@1' },
      { menu: 'view/item/context', when: capabilityRow, group: '3_move@1' },
    ],
  },
  {
    id: 'moveDown',
    title: 'Move Capability Down',
    icon: 'arrow-down',
    keys: [{ key: 'alt+down', when: focused, onRow: true }],
    menus: [
      { menu: 'view/item/context', when: capabilityRow, group: 'inline@2' },
      { menu: 'view/item/context', when: capabilityRow, group: '3_move@2' },
    ],
  },
  {
    id: 'openDetails',
    title: 'Show Details',
    // The menu of a row is about that row, which need not be the selected one.
    enablement: 'agentCapabilities.hasSelection || viewItem =~ /^(capability|tool)\\./',
    keys: [{ key: 'enter', when: focused, onRow: true }],
    menus: [{ menu: 'view/item/context', when: `${view} && viewItem =~ /^(capability|tool)\\./`, group: '2_show@1' }],
  },
  {
    id: 'runTool',
    title: 'Run Tool…',
    icon: 'play',
    menus: [
      { menu: 'view/item/context', when: `${view} && viewItem =~ /^tool\\.on/`, group: 'inline@1' },
      { menu: 'view/item/context', when: `${view} && viewItem =~ /^tool\\.on/`, group: '2_show@0' },
    ],
  },
  { id: 'listCapabilities', title: 'List Capabilities' },
  {
    id: 'showAuditLog',
    title: 'Show Audit Log',
    icon: 'output',
    menus: [{ menu: 'view/title', when: view, group: '5_log@1' }],
  },
  {
    id: 'openAuditView',
    title: 'Open Audit View',
    icon: 'graph',
    menus: [{ menu: 'view/title', when: view, group: '5_log@2' }],
  },
  { id: 'sessionSummary', title: 'Session Summary', menus: [{ menu: 'view/title', when: view, group: '5_log@3' }] },
  { id: 'verifyAudit', title: 'Verify Audit' },
  { id: 'exportAudit', title: 'Export Audit…' },
  { id: 'clearAudit', title: 'Clear Audit…' },
];

/** The full id by which the editor knows a command. */
export function commandId(id: string): string {
  return `agentCapabilities.${id}`;
}
