import type { JsonObject } from '../../src/core/base/json';
import { commandId } from '../../src/vscode/manifest/commands/commandId';
import { contextKey } from '../../src/vscode/manifest/commands/contextKey';

interface Step {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** What the picture shows, for those who do not see it. */
  readonly alt: string;
  readonly done: readonly string[];
}

const steps: readonly Step[] = [
  {
    id: 'tour',
    title: 'Play the tour',
    text: `See in two minutes what it does, without a language model or a sign-in. A script plays the agent; the gate, the files, the question and the record are real, in a folder of their own.\n[Play the Tour](command:${commandId('playTour')})\n[What Works Without a Model](command:${commandId('withoutModel')})`,
    alt: 'The page of the tour: reading .env is denied, with the reason, and the script reads what is allowed instead',
    done: [`onCommand:${commandId('playTour')}`],
  },
  {
    id: 'profile',
    title: 'Choose a profile',
    text: `A profile says what an agent gets: which capabilities, in which order and in which mode. **Default** works with files, the web, todos, time and math; **Read only** changes nothing.\n[Switch Profile](command:${commandId('switchProfile')})`,
    alt: 'A list of profiles; each says which tools a switch would add and take away',
    done: [`onCommand:${commandId('switchProfile')}`],
  },
  {
    id: 'agent',
    title: 'See what the agent gets',
    text: `The Capabilities view shows every tool with its risk and whether it asks. Check, uncheck and drag: the next request uses it. The runtime agent is what the model really receives.\n[Show Runtime Agent](command:${commandId('showRuntimeAgent')})`,
    alt: 'The Capabilities view with checked capabilities, and the runtime agent beside it',
    done: [`onCommand:${commandId('showRuntimeAgent')}`],
  },
  {
    id: 'chat',
    title: 'Choose the agent that follows the profile',
    text: `In the chat, choose the agent **Agent Capabilities** and ask for something that needs a file or a page. Plain **Agent** also has the editor's own tools for files and the terminal, which the profile does not control. A hook in your own files makes plain Agent ask the same rules before it uses one of those tools. You see the change first, and the same command removes it.\n[Open Chat with Profile](command:${commandId('openChatWithProfile')})\n[Use It for New Chats](command:${commandId('useAgentForNewChats')})\n[Compare with Plain Agent](command:${commandId('comparePlainAgent')})\n[Protect This Agent…](command:${commandId('protectAgent')}?%5B%22vscode%22%5D)`,
    alt: 'The chat in agent mode, in which a tool has read a file',
    done: [`onCommand:${commandId('openChatWithProfile')}`, `onContext:${contextKey('toolCalled')}`],
  },
  {
    id: 'no',
    title: 'Say no once',
    text: 'Ask the agent to write a file, and answer the question with Cancel. Nothing is written, and the agent is told to ask you what to do instead. No setting of the editor skips this question.',
    alt: 'A question over the chat: allow write_file to change a file, with the change below',
    done: [`onContext:${contextKey('declined')}`],
  },
  {
    id: 'log',
    title: 'Read the log',
    text: `Every call is recorded: who made it, what it touched, why it was allowed or denied, and how long it took. The view has everything that is kept; the log shows what happens in this window.\n[Open Audit View](command:${commandId('openAuditView')})\n[Show Audit Log](command:${commandId('showAuditLog')})`,
    alt: 'The output channel with one line for each call',
    done: [`onCommand:${commandId('openAuditView')}`, `onCommand:${commandId('showAuditLog')}`],
  },
  {
    id: 'own',
    title: 'Make your own capability',
    text: `A JSON file in \`\`.vscode/capabilities\`\` gives agents a tool of your own: a request, a query, a few steps. You approve it once.\n[New Capability Definition…](command:${commandId('newDefinition')})`,
    alt: 'A capability definition in the editor, with its tool in the tree',
    done: [`onCommand:${commandId('newDefinition')}`],
  },
];

/** The walkthrough; each step completes by itself once its thing was done. */
export const walkthroughs: readonly JsonObject[] = [
  {
    id: 'start',
    title: '%walkthrough.title%',
    description: '%walkthrough.description%',
    steps: steps.map(({ id, done }) => ({
      id,
      title: `%walkthrough.${id}.title%`,
      description: `%walkthrough.${id}.text%`,
      media: { image: `media/walkthrough/${id}.png`, altText: `%walkthrough.${id}.alt%` },
      completionEvents: [...done],
    })),
  },
];

export const walkthroughTexts: Readonly<Record<string, string>> = {
  'walkthrough.title': 'Agent Capabilities: let agents work, within bounds',
  'walkthrough.description': 'Choose what agents may do, see it, and say no',
  ...Object.fromEntries(
    steps.flatMap(({ id, title, text, alt }) => [
      [`walkthrough.${id}.title`, title],
      [`walkthrough.${id}.text`, text],
      [`walkthrough.${id}.alt`, alt],
    ]),
  ),
};
