import type { JsonObject } from '../../core/base/json';

const mcpProviderId = 'agentCapabilities.tools';

export const mcpProviders: readonly JsonObject[] = [{ id: mcpProviderId, label: '%mcp.provider%' }];

export const mcpTexts: Readonly<Record<string, string>> = { 'mcp.provider': 'Agent Capabilities' };
