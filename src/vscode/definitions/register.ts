import type { Disposable } from '../../core/base/lifecycle';
import type { CommandRuns } from '../commands/commandRuns';
import type { CommandRun } from '../manifest/commands/commandRun';
import type { definitionCommands as DefinitionCommands, DefinitionCommandContext } from './definitionCommands';

const ids = [
  'newDefinition',
  'tryDefinition',
  'validateDefinitions',
  'explainDefinition',
  'approveDefinitions',
  'addChannel',
  'reloadChannels',
] as const satisfies readonly (keyof typeof DefinitionCommands)[];

/** Adds what the palette offers for definitions. */
export function addDefinitionCommands(commands: CommandRuns, context: DefinitionCommandContext): Disposable {
  const run =
    (id: (typeof ids)[number]): CommandRun =>
    async () =>
      (await import('./definitionCommands')).definitionCommands[id](context);
  return commands.add(Object.fromEntries(ids.map((id) => [id, run(id)])));
}
