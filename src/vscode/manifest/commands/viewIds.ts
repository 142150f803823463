/** The ids of our views. */
export const viewIds = {
  capabilities: 'agentCapabilities.capabilities',
  todos: 'agentCapabilities.todos',
  changes: 'agentCapabilities.changes',
} as const;
