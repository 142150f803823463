import type { JsonObject } from '../../src/core/base/json';

const commands = ['plan', 'freeze', 'run', 'profile', 'tools', 'why', 'tour'] as const;

/** Our own server for the tools that exist at run time only. */
export const mcpProviders: readonly JsonObject[] = [{ id: 'agentCapabilities.tools', label: '%mcp.provider%' }];

/** The participant `@capabilities` and its commands. */
export const chatParticipants: readonly JsonObject[] = [
  {
    id: 'agentCapabilities.participant',
    name: 'capabilities',
    fullName: '%container%',
    description: '%participant.description%',
    isSticky: true,
    commands: commands.map((name) => ({ name, description: `%participant.${name}%` })),
  },
];

export const chatTexts: Readonly<Record<string, string>> = {
  'mcp.provider': 'Agent Capabilities',
  'participant.description': 'Work with the active profile, within its bounds',
  'participant.plan': 'Read only, and end with a plan that can be frozen',
  'participant.freeze': 'Freeze the plan of the last answer',
  'participant.run': 'Carry out the frozen plan and nothing else',
  'participant.profile': 'Show the profiles, or switch to one',
  'participant.tools': 'List the tools that the model is offered',
  'participant.tour': 'Play the tour: a script in the place of the model, everything else real',
  'participant.why': 'Explain what a call of a tool would meet',
};
