import type { JsonObject } from '../../src/core/base/json';
import { defaultLimits } from '../../src/core/policy/limits/limitSettings';
import { described, type Described } from './described';

const seconds: JsonObject = { type: 'number', minimum: 0 };
const count: JsonObject = { type: 'integer', minimum: 0 };

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

const oneRate = (text: string): Described => [rate, text, 'markdownDescription'];
const rates = (text: string): Described => [
  { type: 'object', additionalProperties: rate },
  text,
  'markdownDescription',
];
const object = ({ properties }: ReturnType<typeof described>): JsonObject => ({ type: 'object', properties });

const budget = described('limits.budget', {
  calls: [count, 'Calls.'],
  seconds: [seconds, 'Seconds that tools run.'],
  megabytes: [seconds, 'Megabytes of results.'],
});
const concurrency = described('limits.concurrency', {
  perTool: [count, 'Of one tool.'],
  all: [count, 'Of all tools together.'],
});
const { failures, cooldownSeconds } = defaultLimits.circuit;
const circuit = described('limits.circuit', {
  failures: [{ ...count, default: failures }, 'It rests after this many failures in a row. 0 never rests.'],
  cooldownSeconds: [{ ...seconds, default: cooldownSeconds }, 'How long it rests, in seconds.'],
});
const limits = described('limits', {
  perTool: oneRate('Calls of every tool by itself: `{ "requests": 100, "window": "1h" }` or `"100 per 1h"`.'),
  perCapability: oneRate('Calls of every capability by itself.'),
  perSource: oneRate('Calls of every source by itself: the built-in tools, each MCP server, each extension.'),
  all: oneRate('All calls together.'),
  tools: rates('Calls of single tools, by id or name.'),
  capabilities: rates('Calls of single capabilities, by id.'),
  sources: rates('Calls of single sources: `builtin`, `mcp:files`, `ext:publisher.name`.'),
  budget: [object(budget), 'What one session may use up.'],
  concurrency: [object(concurrency), 'Calls that run at the same time.'],
  repetition: [
    { ...count, default: defaultLimits.repetition },
    'After this many equal calls in a row with equal results, the next one asks. 0 never asks.',
  ],
  circuit: [object(circuit), 'A tool that fails again and again rests for a while.'],
});

/**
 * What the setting `limits` may hold. It is written in camelCase; what seeds write in other ways is read too, and not
 * marked as wrong.
 */
export const limitsSchema: JsonObject = object(limits);

export const limitTexts: Readonly<Record<string, string>> = {
  ...limits.texts,
  ...budget.texts,
  ...concurrency.texts,
  ...circuit.texts,
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
      'Closes files that hold secrets, changes to files that decide what runs, private addresses, code from the network and what is typed into an open shell. Asks for every host once per session, for changes to what a build runs, for command lines whose effect cannot be told, for deletes of folders, past the trash or from a database, for calls that reach others after a session read something private, and for tools of high risk; tools of critical risk need the admin token.',
    balanced:
      'Closes files that hold secrets, private addresses, code from the network and what is typed into an open shell. Asks for changes to files that decide what runs, for command lines whose effect cannot be told, for deletes of folders, past the trash or from a database, for calls that send data out after a session read something private and what a stranger wrote, and for tools of critical risk.',
    open: 'Closes private addresses and what is typed into an open shell. Asks for files that hold secrets, for changes to files that decide what runs, for code from the network and for tools of critical risk. Only warns where a call sends data out after a session read something private and what a stranger wrote. Otherwise each tool asks as it says of itself.',
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
    shape:
      "Names, types and lengths of arguments, no values; of a failure its code, and our own sentence or the length of the tool's words.",
    redacted:
      "Values too, and a tool's words of a failure, with secrets hidden; of calls on files neither contents nor such words.",
  },
};

export const choiceKey = (setting: string, choice: string): string => `setting.${setting}.${choice}`;
