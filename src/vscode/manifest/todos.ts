import type { JsonObject } from '../../core/base/json';
import { commandId } from './commands/commandId';
import { viewIds } from './commands/viewIds';

/** The view's entry in the container `agentCapabilities`. */
export const todoView: JsonObject = {
  // The capabilities are what most people open the container for.
  visibility: 'collapsed',
  id: viewIds.todos,
  name: '%view.todos%',
  icon: 'media/container.svg',
  contextualTitle: '%container%',
};

export const todoWelcome: readonly JsonObject[] = [{ view: viewIds.todos, contents: '%welcome.todos%' }];

export const todoTexts: Readonly<Record<string, string>> = {
  'view.todos': 'Todos',
  'welcome.todos': `No tasks yet. An agent writes them while it works, or you do.\n[Add Todo](command:${commandId('todo.add')})`,
};
