/**
 * Marks the tools that we make of what a server offers beside tools. No foreign tool has it: their tags are words of
 * their names.
 */
export const contentTag = 'mcp-contents';
