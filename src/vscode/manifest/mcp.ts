import type { JsonObject } from '../../core/base/json';
import type { CommandSpec } from './commands';

export const mcpProviderId = 'agentCapabilities.tools';

export const mcpProviders: readonly JsonObject[] = [{ id: mcpProviderId, label: '%mcp.provider%' }];

export const mcpCommandSpecs: readonly CommandSpec[] = [
  { id: 'addMcpServer', title: 'Add MCP Server…', icon: 'server' },
  { id: 'restartMcpServer', title: 'Restart MCP Server…', icon: 'debug-restart' },
  { id: 'showMcpServerLog', title: 'Show MCP Server Log…', icon: 'output' },
  { id: 'copyClientConfiguration', title: 'Copy Client Configuration…', icon: 'copy' },
];

export const mcpTexts: Readonly<Record<string, string>> = { 'mcp.provider': 'Agent Capabilities' };
