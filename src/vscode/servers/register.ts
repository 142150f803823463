import type { Disposable } from '../../core/base/lifecycle';
import { lazily } from '../commands/lazily';
import type { CommandRuns } from '../commands/commandRuns';
import { addWithParts } from '../commands/addWithParts';
import type { serverCommandTable } from '../manifest/commands/serverCommandTable';
import type { ServerCommand, ServerCommandContext } from './serverCommand';

const handlers: Readonly<Record<keyof typeof serverCommandTable, ServerCommand<keyof ServerCommandContext>>> = {
  addMcpServer: lazily(async () => (await import('./addServer')).addMcpServer),
  copyApiAccess: lazily(async () => (await import('./clientCommands')).copyApiAccess),
  copyClientConfiguration: lazily(async () => (await import('./clientCommands')).copyClientConfiguration),
  editMcpServer: lazily(async () => (await import('./oneServer')).editMcpServer),
  judgeTool: lazily(async () => (await import('./judgeTool')).judgeTool),
  removeMcpServer: lazily(async () => (await import('./oneServer')).removeMcpServer),
  restartMcpServer: lazily(async () => (await import('./oneServer')).restartMcpServer),
  reviewMcpServer: lazily(async () => (await import('./oneServer')).reviewMcpServer),
  showMcpServerLog: lazily(async () => (await import('./oneServer')).showMcpServerLog),
  signOutMcpServer: lazily(async () => (await import('./oneServer')).signOutMcpServer),
  startMcpServer: lazily(async () => (await import('./oneServer')).startMcpServer),
  stopMcpServer: lazily(async () => (await import('./oneServer')).stopMcpServer),
};

/**
 * Adds the commands about MCP servers and about the clients of our own; what they do is loaded with the first of
 * them.
 */
export function addServerCommands(commands: CommandRuns, context: ServerCommandContext): Disposable {
  return addWithParts(commands, handlers, context);
}
