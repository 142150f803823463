import type { JsonObject } from '../../src/core/base/json';
import { commandId } from '../../src/vscode/manifest/commands/commandId';
import { contextKey } from '../../src/vscode/manifest/commands/contextKey';
import { viewIds } from '../../src/vscode/manifest/commands/viewIds';

/** The activity-bar container and its views. */
export const viewContainers: JsonObject = {
  activitybar: [{ id: 'agentCapabilities', title: '%container%', icon: 'media/container.svg' }],
};

const view = (id: keyof typeof viewIds): JsonObject => ({
  id: viewIds[id],
  name: `%view.${id}%`,
  icon: 'media/container.svg',
  contextualTitle: '%container%',
});

export const views: JsonObject = {
  agentCapabilities: [
    view('capabilities'),
    // The capabilities are what most people open the container for.
    { visibility: 'collapsed', ...view('todos') },
    { visibility: 'collapsed', ...view('changes') },
  ],
};

const ready = contextKey('ready');
const filtered = contextKey('filtered');

/** What an empty or broken view says, with a way on. */
export const viewsWelcome: readonly JsonObject[] = [
  { view: viewIds.capabilities, when: `!${ready}`, contents: '%welcome.starting%' },
  { view: viewIds.capabilities, when: `${ready} && ${filtered}`, contents: '%welcome.filtered%' },
  { view: viewIds.capabilities, when: `${ready} && !${filtered}`, contents: '%welcome.empty%' },
  { view: viewIds.todos, contents: '%welcome.todos%' },
  { view: viewIds.changes, contents: '%welcome.changes%' },
];

export const viewTexts: Readonly<Record<string, string>> = {
  'view.todos': 'Todos',
  'welcome.todos': `No tasks yet. An agent writes them while it works, or you do.\n[Add Todo](command:${commandId('todo.add')})`,
  'view.changes': 'Changes by Agents',
  'welcome.changes': 'No agent has changed a file here. What one changes is listed, and can be taken back.',
  container: 'Agent Capabilities',
  category: 'Agent Capabilities',
  'view.capabilities': 'Capabilities',
  'welcome.starting': 'Agent Capabilities is starting.',
  'welcome.filtered': `No capability or tool fits the filter.\n[Clear Filter](command:${commandId('clearFilter')})`,
  'welcome.empty': `No capability is registered.\n[Switch Profile](command:${commandId('switchProfile')})`,
  'trust.description':
    'In an untrusted workspace, servers, channels and definitions of the workspace are not loaded; its rules still tighten.',
  'virtual.description': 'Files are reached through the editor; local processes are off.',
};
