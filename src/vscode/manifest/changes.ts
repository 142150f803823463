import type { JsonObject } from '../../core/base/json';
import { viewIds } from './commands/viewIds';

/** The view's entry in the container `agentCapabilities`. */
export const changesView: JsonObject = {
  visibility: 'collapsed',
  id: viewIds.changes,
  name: '%view.changes%',
  icon: 'media/container.svg',
  contextualTitle: '%container%',
};

export const changesWelcome: readonly JsonObject[] = [{ view: viewIds.changes, contents: '%welcome.changes%' }];

export const changesTexts: Readonly<Record<string, string>> = {
  'view.changes': 'Changes by Agents',
  'welcome.changes': 'No agent has changed a file here. What one changes is listed, and can be taken back.',
};
