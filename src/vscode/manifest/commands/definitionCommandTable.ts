import { contextKey } from './contextKey';
import { viewIds } from './viewIds';
import { type CommandTable, menusOf } from './commandSpec';

const { title, row } = menusOf(viewIds.capabilities);

/** The commands about capabilities of one's own. */
export const definitionCommandTable = {
  newDefinition: {
    title: 'New Capability Definition…',
    icon: 'new-file',
    enablement: 'workspaceFolderCount > 0 && isWorkspaceTrusted',
  },
  tryDefinition: {
    title: 'Try Capability Definition…',
    icon: 'play',
    enablement: 'workspaceFolderCount > 0 && isWorkspaceTrusted',
  },
  validateDefinitions: {
    title: 'Validate Capability Definitions',
    icon: 'checklist',
    enablement: 'workspaceFolderCount > 0',
  },
  explainDefinition: {
    title: 'Explain Capability Definition…',
    icon: 'question',
    enablement: 'workspaceFolderCount > 0',
  },
  approveDefinitions: {
    title: 'Approve Capability Definitions…',
    icon: 'verified',
    enablement: 'workspaceFolderCount > 0 && isWorkspaceTrusted',
    menus: [row('composed.waiting', 'inline@1')],
  },
  addChannel: {
    title: 'Add Channel…',
    icon: 'broadcast',
    enablement: contextKey('ready'),
    menus: [title('5_add@2'), row('group.channels', 'inline@1')],
  },
  reloadChannels: { title: 'Reload Channels', icon: 'refresh', enablement: 'isWorkspaceTrusted' },
  setSecret: { title: 'Set Secret…', icon: 'key' },
} as const satisfies CommandTable;
