import type { CommandSpec } from './commands';

/** The commands of capabilities of one's own. */
export const definitionCommandSpecs: readonly CommandSpec[] = [
  {
    id: 'newDefinition',
    title: 'New Capability Definition…',
    icon: 'new-file',
    enablement: 'workspaceFolderCount > 0 && isWorkspaceTrusted',
  },
  {
    id: 'tryDefinition',
    title: 'Try Capability Definition…',
    icon: 'play',
    enablement: 'workspaceFolderCount > 0 && isWorkspaceTrusted',
  },
  {
    id: 'validateDefinitions',
    title: 'Validate Capability Definitions',
    icon: 'checklist',
    enablement: 'workspaceFolderCount > 0',
  },
  {
    id: 'explainDefinition',
    title: 'Explain Capability Definition',
    icon: 'question',
    enablement: 'workspaceFolderCount > 0',
  },
  {
    id: 'approveDefinitions',
    title: 'Approve Capability Definitions…',
    icon: 'verified',
    enablement: 'workspaceFolderCount > 0 && isWorkspaceTrusted',
  },
  { id: 'reloadChannels', title: 'Reload Channels', icon: 'refresh', enablement: 'isWorkspaceTrusted' },
  { id: 'setSecret', title: 'Set Secret…', icon: 'key' },
];
