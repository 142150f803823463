import type { Disposable } from '../../core/base/lifecycle';
import { type CommandRuns, addWithParts, loadedFrom } from '../commands/commandRuns';
import type { definitionCommandTable } from '../manifest/commands/definitionCommandTable';
import type { DefinitionCommandContext } from './definitionCommands';

type DefinitionCommand = (context: DefinitionCommandContext, ...args: readonly unknown[]) => Promise<unknown>;

const handlers: Readonly<Record<keyof typeof definitionCommandTable, DefinitionCommand>> = {
  ...loadedFrom(() => import('./addChannel'), 'addChannel'),
  ...loadedFrom(
    () => import('./definitionCommands'),
    'approveDefinitions',
    'explainDefinition',
    'newDefinition',
    'reloadChannels',
    'tryDefinition',
    'validateDefinitions',
  ),
  ...loadedFrom(() => import('../commands/setSecret'), 'setSecret'),
};

/** Adds what the palette offers for definitions. */
export function addDefinitionCommands(commands: CommandRuns, context: DefinitionCommandContext): Disposable {
  return addWithParts(commands, handlers, context);
}
