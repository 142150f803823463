import type { Disposable } from '../../core/base/lifecycle';
import { loadedFrom, type CommandRuns, addWithParts } from '../commands/commandRuns';
import type { serverCommandTable } from '../manifest/commands/serverCommandTable';
import type { ServerCommand, ServerCommandContext } from './serverCommand';

const handlers: Readonly<Record<keyof typeof serverCommandTable, ServerCommand<keyof ServerCommandContext>>> = {
  ...loadedFrom(() => import('./addServer'), 'addMcpServer'),
  ...loadedFrom(() => import('./clientCommands'), 'copyApiAccess', 'copyClientConfiguration'),
  ...loadedFrom(
    () => import('./oneServer'),
    'editMcpServer',
    'removeMcpServer',
    'restartMcpServer',
    'reviewMcpServer',
    'showMcpServerLog',
    'signOutMcpServer',
    'startMcpServer',
    'stopMcpServer',
  ),
  ...loadedFrom(() => import('./judgeTool'), 'judgeTool'),
};

/**
 * Adds the commands about MCP servers and about the clients of our own; what they do is loaded with the first of
 * them.
 */
export function addServerCommands(commands: CommandRuns, context: ServerCommandContext): Disposable {
  return addWithParts(commands, handlers, context);
}
