import type { JsonObject } from '../../core/base/json';
import { defaultLimits } from '../../core/policy/limits/limitSettings';

const seconds = (description: string): JsonObject => ({ type: 'number', minimum: 0, description });
const count = (description: string): JsonObject => ({ type: 'integer', minimum: 0, description });

/** A number of calls in a length of time, in either of the forms that the setting takes. */
const rate: JsonObject = {
  anyOf: [
    {
      type: 'object',
      required: ['requests', 'window'],
      properties: {
        requests: { type: 'integer', minimum: 0 },
        window: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      },
    },
    // As action files write a rate.
    {
      type: 'object',
      required: ['requests', 'windowMs'],
      properties: { requests: { type: 'integer', minimum: 0 }, windowMs: { type: 'number' } },
    },
    { type: 'string', pattern: '^\\s*\\d+\\s*([pP][eE][rR]|/)\\s*.+$' },
  ],
  defaultSnippets: [{ label: '{ requests, window }', body: { requests: '^${1:100}', window: '${2:1h}' } }],
};

const oneRate = (description: string): JsonObject => ({ ...rate, markdownDescription: description });
const rates = (description: string): JsonObject => ({
  type: 'object',
  additionalProperties: rate,
  markdownDescription: description,
});

/**
 * What the setting `limits` may hold. It is written in camelCase; what seeds write in other ways is read too, and not
 * marked as wrong.
 */
export const limitsSchema: JsonObject = {
  type: 'object',
  properties: {
    perTool: oneRate('%limits.perTool%'),
    perCapability: oneRate('%limits.perCapability%'),
    perSource: oneRate('%limits.perSource%'),
    all: oneRate('%limits.all%'),
    tools: rates('%limits.tools%'),
    capabilities: rates('%limits.capabilities%'),
    sources: rates('%limits.sources%'),
    budget: {
      type: 'object',
      description: '%limits.budget%',
      properties: {
        calls: count('%limits.budget.calls%'),
        seconds: seconds('%limits.budget.seconds%'),
        megabytes: seconds('%limits.budget.megabytes%'),
      },
    },
    concurrency: {
      type: 'object',
      description: '%limits.concurrency%',
      properties: { perTool: count('%limits.concurrency.perTool%'), all: count('%limits.concurrency.all%') },
    },
    repetition: { ...count('%limits.repetition%'), default: defaultLimits.repetition },
    circuit: {
      type: 'object',
      description: '%limits.circuit%',
      properties: {
        failures: { ...count('%limits.circuit.failures%'), default: defaultLimits.circuit.failures },
        cooldownSeconds: {
          ...seconds('%limits.circuit.cooldownSeconds%'),
          default: defaultLimits.circuit.cooldownSeconds,
        },
      },
    },
  },
};

export const limitTexts: Readonly<Record<string, string>> = {
  'limits.perTool': 'Calls of every tool by itself: `{ "requests": 100, "window": "1h" }` or `"100 per 1h"`.',
  'limits.perCapability': 'Calls of every capability by itself.',
  'limits.perSource': 'Calls of every source by itself: the built-in tools, each MCP server, each extension.',
  'limits.all': 'All calls together.',
  'limits.tools': 'Calls of single tools, by id or name.',
  'limits.capabilities': 'Calls of single capabilities, by id.',
  'limits.sources': 'Calls of single sources: `builtin`, `mcp:files`, `ext:publisher.name`.',
  'limits.budget': 'What one session may use up.',
  'limits.budget.calls': 'Calls.',
  'limits.budget.seconds': 'Seconds that tools run.',
  'limits.budget.megabytes': 'Megabytes of results.',
  'limits.concurrency': 'Calls that run at the same time.',
  'limits.concurrency.perTool': 'Of one tool.',
  'limits.concurrency.all': 'Of all tools together.',
  'limits.repetition': 'After so many equal calls with equal results in a row the next one asks. 0 never asks.',
  'limits.circuit': 'A tool that fails again and again rests for a while.',
  'limits.circuit.failures': 'After so many failures in a row. 0 never rests.',
  'limits.circuit.cooldownSeconds': 'How long it rests, in seconds.',
};

/** What each choice of a setting means, as the settings editor and the completion in settings.json show it. */
export const choiceTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  saveTo: { workspace: 'The settings of this workspace.', user: 'Your own settings, for every workspace.' },
  'customAgent.location': {
    user: 'In your own agents: ~/.copilot/agents.',
    workspace: 'In the workspace: .github/agents.',
    off: 'No custom agent is written; @capabilities uses the profile.',
  },
  'policy.preset': {
    strict:
      'Closes files that hold secrets and files that decide what runs. Asks for every host once per session, for changes to what a build runs, for tools of high risk and for deletes of folders or past the trash; tools of critical risk need the admin token.',
    balanced:
      'Closes files that hold secrets. Asks for changes to files that decide what runs, for deletes of folders or past the trash, and for tools of critical risk.',
    open: 'Asks for files that hold secrets and for changes to files that decide what runs. Otherwise each tool asks as it says of itself.',
  },
  'policy.adminApproval': {
    never: 'No approval needs it, but for what the preset says.',
    critical: 'Tools of critical risk need it.',
    high: 'Tools of high and critical risk need it.',
  },
  'policy.requireFrozenSpec': {
    never: 'No call has to be listed.',
    critical: 'Calls of tools of critical risk have to be listed.',
    high: 'Calls of tools of high and critical risk have to be listed.',
  },
  'confirmation.surface': {
    modal: 'In a modal, which no setting of the editor skips.',
    chat: "In the chat, by the editor's own confirmation, which the editor can be told to skip. Its button Allow in this Session lets every further call of the tool through, whatever its arguments, until the chat session ends.",
    both: 'In the chat first, then in a modal.',
  },
  'fileSystem.root': {
    workspace: 'In the folders of the workspace.',
    session: 'In an isolated file system of the profile; the workspace is not touched.',
  },
  'changes.whenNotKept': {
    ask: 'You are asked, and told why it could not be taken back.',
    allow: 'It is made; its result says that it cannot be taken back.',
    deny: 'It is not made.',
  },
  'audit.content': {
    shape: 'Names, types and lengths of arguments, no values.',
    redacted: 'Values too, with secrets hidden.',
  },
};

export const choiceKey = (setting: string, choice: string): string => `setting.${setting}.${choice}`;
