import type { Disposable } from '../../core/base/lifecycle';
import { lazily } from '../commands/lazily';
import type { CommandRuns } from '../commands/commandRuns';
import { withParts } from '../commands/withParts';
import type { serverCommandTable } from '../manifest/commands/serverCommandTable';
import type { ServerCommand, ServerCommandContext } from './serverCommand';

const handlers: Readonly<Record<keyof typeof serverCommandTable, ServerCommand<keyof ServerCommandContext>>> = {
  addMcpServer: lazily(async () => (await import('./addServer')).addMcpServer),
  copyApiAccess: lazily(async () => (await import('./clientCommands')).copyApiAccess),
  copyClientConfiguration: lazily(async () => (await import('./clientCommands')).copyClientConfiguration),
  editMcpServer: lazily(async () => (await import('./editServers')).editMcpServer),
  judgeTool: lazily(async () => (await import('./judgeTool')).judgeTool),
  removeMcpServer: lazily(async () => (await import('./editServers')).removeMcpServer),
  restartMcpServer: lazily(async () => (await import('./runServers')).restartMcpServer),
  reviewMcpServer: lazily(async () => (await import('./runServers')).reviewMcpServer),
  showMcpServerLog: lazily(async () => (await import('./runServers')).showMcpServerLog),
  signOutMcpServer: lazily(async () => (await import('./runServers')).signOutMcpServer),
  startMcpServer: lazily(async () => (await import('./runServers')).startMcpServer),
  stopMcpServer: lazily(async () => (await import('./runServers')).stopMcpServer),
};

/**
 * Adds the commands about MCP servers and about the clients of our own; what they do is loaded with the first of
 * them.
 */
export function addServerCommands(commands: CommandRuns, context: ServerCommandContext): Disposable {
  return commands.add(context.outside.guard(withParts(handlers, context)));
}
