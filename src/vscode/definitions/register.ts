import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { commandId } from '../manifest/commands/commandId';
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

/** Registers what the palette offers for definitions. */
export function registerDefinitionCommands(context: DefinitionCommandContext): Disposable {
  const store = new DisposableStore();
  for (const id of ids)
    store.add(
      vscode.commands.registerCommand(commandId(id), async () => {
        const { definitionCommands } = await import('./definitionCommands');
        return definitionCommands[id](context);
      }),
    );
  return store;
}
