import type { Disposable } from '../../core/base/lifecycle';
import type { CommandRuns } from '../commands/commandRuns';
import { lazily } from '../commands/lazily';
import { addWithParts } from '../commands/addWithParts';
import type { definitionCommandTable } from '../manifest/commands/definitionCommandTable';
import type { DefinitionCommandContext } from './definitionCommands';

type DefinitionCommand = (context: DefinitionCommandContext, ...args: readonly unknown[]) => Promise<unknown>;

const handlers: Readonly<Record<keyof typeof definitionCommandTable, DefinitionCommand>> = {
  addChannel: lazily(async () => (await import('./addChannel')).addChannel),
  approveDefinitions: lazily(async () => (await import('./definitionCommands')).approveDefinitions),
  explainDefinition: lazily(async () => (await import('./definitionCommands')).explainActive),
  newDefinition: lazily(async () => (await import('./definitionCommands')).newDefinition),
  reloadChannels: lazily(async () => (await import('./definitionCommands')).reloadChannels),
  setSecret: lazily(async () => (await import('../commands/setSecret')).setSecret),
  tryDefinition: lazily(async () => (await import('./definitionCommands')).tryDefinition),
  validateDefinitions: lazily(async () => (await import('./definitionCommands')).validateDefinitions),
};

/** Adds what the palette offers for definitions. */
export function addDefinitionCommands(commands: CommandRuns, context: DefinitionCommandContext): Disposable {
  return addWithParts(commands, handlers, context);
}
