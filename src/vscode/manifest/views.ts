import type { JsonObject } from '../../core/base/json';
import { commandId } from './commands/commandId';
import { contextKey } from './commands/contextKey';
import { viewIds } from './commands/viewIds';
import { changesTexts, changesView, changesWelcome } from './changes';
import { todoTexts, todoView, todoWelcome } from './todos';

/** The activity-bar container and its views. */
export const viewContainers: JsonObject = {
  activitybar: [{ id: 'agentCapabilities', title: '%container%', icon: 'media/container.svg' }],
};

export const views: JsonObject = {
  agentCapabilities: [
    {
      id: viewIds.capabilities,
      name: '%view.capabilities%',
      icon: 'media/container.svg',
      contextualTitle: '%container%',
    },
    todoView,
    changesView,
  ],
};

const ready = contextKey('ready');
const filtered = contextKey('filtered');

/** What an empty or broken view says, with a way on. */
export const viewsWelcome: readonly JsonObject[] = [
  { view: viewIds.capabilities, when: `!${ready}`, contents: '%welcome.starting%' },
  {
    view: viewIds.capabilities,
    when: `${ready} && ${filtered}`,
    contents: '%welcome.filtered%',
  },
  {
    view: viewIds.capabilities,
    when: `${ready} && !${filtered}`,
    contents: '%welcome.empty%',
  },
  ...todoWelcome,
  ...changesWelcome,
];

export const viewTexts: Readonly<Record<string, string>> = {
  ...todoTexts,
  ...changesTexts,
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
