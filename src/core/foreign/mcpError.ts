import { toolError, type ToolError } from '../vocabulary/errors';

/** What went wrong at an MCP server, or on the way to it. */
export const mcpError = (message: string, details?: Readonly<Record<string, unknown>>, retryable = false): ToolError =>
  toolError('mcp_error', message, { retryable, ...(details ? { details } : {}) });
