/** The scheme of prompts that are edited as files of ours. */
export const promptScheme = 'agent-capabilities-prompt';
