import { addMcpServer } from './addServer';
import { copyApiAccess, copyClientConfiguration } from './clientCommands';
import { editMcpServer, removeMcpServer } from './editServers';
import { judgeTool } from './judgeTool';
import type { ServerCommand } from './parts';
import type { ServerCommandId } from './register';
import { restartMcpServer, reviewMcpServer, showMcpServerLog, startMcpServer, stopMcpServer } from './runServers';

/** What the commands about MCP servers do. */
export const serverCommands: Readonly<Record<ServerCommandId, ServerCommand>> = {
  addMcpServer,
  copyApiAccess,
  copyClientConfiguration,
  editMcpServer,
  judgeTool,
  removeMcpServer,
  restartMcpServer,
  reviewMcpServer,
  showMcpServerLog,
  startMcpServer,
  stopMcpServer,
};
