import * as vscode from 'vscode';
import { twinsOf } from '../../core/agent/twinTools';
import { visible } from '../visible';
import { codeCell, plainMarkdown, proseMarkdown } from '../../core/present/words';
import type { ListedAgent } from '../agent/agentFileKeeper';
import { newChatsBeginWith, newChatsSetting } from '../agent/newChats';
import type { AgentFileWriter } from '../agent/agentFileWriter';
import { preview } from '../files/readOnlyText';
import type { CommandHandler } from './context';
import { showInformation, showWarning } from '../notices';

const openChat = 'workbench.action.chat.open';
/** How long an agent may be unknown to an editor that has commands of agents, and to one that may have none, in ms. */
const [knownWithinMs, mayBeKnownWithinMs] = [20_000, 8000];
/** So long the editor has to read its folders by itself, in ms. */
const renewAfterMs = 2500;
const lookAgainAfterMs = 250;
/** How long an agent that was put into the editor's list may be missing in an open chat's, in ms. */
const freshForMs = 15_000;
/** The waits between choosing and choosing anew, in ms. */
const chosenAgainAfterMs = [0, 700, 2500];
/** So long after the first time an agent is chosen anew of which the editor has no command, in ms. */
const chosenBlindlyAfterMs = [700, 2500, 5000];

/** Opens the chat with the active profile as its custom agent; where none is written, with the participant. */
export const openChatWithProfile: CommandHandler<'agentFile'> = async (context) => {
  const agent = await context.agentFile.current();
  if (agent && !mayBeChosen(agent)) return;
  if (agent) await openChatWith(agent, context.agentFile);
  else await vscode.commands.executeCommand(openChat, { query: '@capabilities ', isPartialQuery: true });
};

/**
 * Opens the chat with an agent. The editor reads its folders of agents a while after they change, loses them now and
 * then while it starts, and choosing one that it does not know does nothing: such a one is chosen once more as soon as
 * the editor has its command of that agent. An open chat has a list of its own, which it reads later than that: in it
 * an agent that has just come is chosen until it is there. What the person chooses after that stays.
 *
 * A window whose chat was closed when it opened has no command of any agent of a file, as long as it stands: there it
 * is chosen a few times without knowing, the first time in the window, and nothing is said of an editor that does not
 * list it. To have the editor read its agents anew takes the chosen one from a chat now and then, so that is done once.
 */
async function openChatWith(agent: ListedAgent, agentFile: Pick<AgentFileWriter, 'write' | 'chat'>): Promise<void> {
  const { name, listedAt } = agent;
  const { chat } = agentFile;
  const choose = async (): Promise<void> => vscode.commands.executeCommand(openChat, { mode: name });
  const isKnown = async (): Promise<boolean> => {
    const isThere = (await vscode.commands.getCommands(false)).includes(openChat + name);
    if (isThere) chat.hasCommands = true;
    return isThere;
  };
  const wasKnown = await isKnown();
  await choose();
  if ((wasKnown || chat.wasChosen) && Date.now() > listedAt + freshForMs) return;
  const began = Date.now();
  const blindly = [...chosenBlindlyAfterMs];
  const endsAt = (): number => began + (chat.hasCommands ? knownWithinMs : mayBeKnownWithinMs);
  for (let renewed = 0; Date.now() < endsAt();) {
    if (await isKnown()) {
      for (const waitMs of chosenAgainAfterMs) {
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        await choose();
      }
      return;
    }
    if (!chat.hasCommands && Date.now() > began + (blindly[0] ?? Infinity)) {
      blindly.shift();
      await choose();
    }
    if (Date.now() > began + (renewed + 1) * renewAfterMs && (chat.hasCommands || renewed === 0)) {
      renewed++;
      await agentFile.write(true);
    }
    await new Promise((resolve) => setTimeout(resolve, lookAgainAfterMs));
  }
  if (!chat.hasCommands) {
    chat.wasChosen = true;
    return;
  }
  void showWarning(
    vscode.l10n.t(
      'The editor does not list the agent "{0}" yet, so the chat may go on with another. Choose it in the chat once it is there.',
      name,
    ),
  );
}

/** Has the editor begin every new chat with our agent; a person can take that back at once. */
export const useAgentForNewChats: CommandHandler<'agentFile'> = async (context) => {
  const agent = await context.agentFile.current();
  if (!agent) throw new Error(`there is no custom agent: ${whyNone(context.agentFile.location)}`);
  if (!mayBeChosen(agent)) return;
  if (agent.isOfWorkspace && !(await mayGoIntoWorkspace(agent))) return;
  const settings = vscode.workspace.getConfiguration();
  const target = agent.isOfWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  const found = settings.inspect<string>(newChatsSetting);
  const before = agent.isOfWorkspace ? found?.workspaceValue : found?.globalValue;
  await settings.update(newChatsSetting, agent.name, target);
  if (!newChatsBeginWith(agent)) {
    void showWarning(
      vscode.l10n.t('It was written, but the settings of this workspace name another agent for new chats.'),
    );
    return openChatWith(agent, context.agentFile);
  }
  const opening = openChatWith(agent, context.agentFile);
  const undo = vscode.l10n.t('Undo');
  const answer = await showInformation(vscode.l10n.t('New chats begin with the agent "{0}".', agent.name), undo);
  if (answer === undo) await settings.update(newChatsSetting, before, target);
  await opening;
};

function whyNone(location: AgentFileWriter['location']): string {
  const { isTrusted, workspaceFolders } = vscode.workspace;
  if (location === 'off') return 'the setting `agentCapabilities.customAgent.location` is `off`';
  if (location === 'workspace' && (!isTrusted || !workspaceFolders?.length))
    return 'it belongs into the workspace, which needs a folder that is trusted';
  return 'it could not be written; the problems in the Capabilities view say why';
}

/**
 * Whether the settings that others share with the repository may name an agent that only this window's workspace has.
 */
async function mayGoIntoWorkspace({ name }: ListedAgent): Promise<boolean> {
  const write = vscode.l10n.t('Write It There');
  const told = vscode.l10n.t(
    'The agent "{0}" stands in this workspace alone, so the choice goes into the settings of the workspace, which others who share it have too. Where the agent is missing, their chats begin with plain Agent.',
    name,
  );
  return (await showWarning(told, write)) === write;
}

function mayBeChosen(agent: ListedAgent): boolean {
  if (!agent.isDisputed) return true;
  void showWarning(
    vscode.l10n.t(
      'This workspace has an agent of its own under the name "{0}". Choosing by name could choose that one: see the problems in the Capabilities view.',
      agent.name,
    ),
  );
  return false;
}

/** What plain Agent may do past the profile, as a document: which tools pass it by, and which are twins of ours. */
export const comparePlainAgent: CommandHandler<'agentFile' | 'profiles' | 'registry' | 'texts'> = async (context) => {
  const { profiles, registry, texts } = context;
  const active = profiles.active();
  const agent = await context.agentFile.current();
  const own = new Set(registry.tools().map((tool) => tool.modelName));
  const others = vscode.lm.tools.filter(({ name, tags }) => !tags.includes('agent-capabilities') && !own.has(name));
  const twins = twinsOf(
    others.map(({ name }) => name),
    registry.tools().map((tool) => tool.definition.name),
  );
  const called = plainMarkdown(agent?.name ?? '@capabilities');
  const lines = [
    `# ${vscode.l10n.t('Plain Agent and {0}', called)}`,
    '',
    vscode.l10n.t(
      '**{0}** follows the profile {1}: its tools, its mode, your rules, your questions, the record.',
      called,
      plainMarkdown(active.profile.name),
    ),
    '',
    vscode.l10n.t(
      '**Plain Agent**, and every other agent of the chat, may use the tools below as well. They belong to the editor or to other extensions: no profile and no rule of Agent Capabilities is asked, and no record is kept of them.',
    ),
    '',
    `| ${vscode.l10n.t('Tool')} | ${vscode.l10n.t('Twin here')} | ${vscode.l10n.t('What it says of itself')} |`,
    '|---|---|---|',
    ...others
      .map(({ name, description }) => ({ name, twin: twins.get(name), about: description.split('\n', 1)[0] ?? '' }))
      .sort((one, two) => Number(!one.twin) - Number(!two.twin) || one.name.localeCompare(two.name))
      .map(
        ({ name, twin, about }) =>
          `| ${codeCell(name)} | ${twin === undefined ? '' : codeCell(twin)} | ${proseMarkdown(visible(about.slice(0, 160)), codeCell)} |`,
      ),
    '',
  ];
  await preview(texts, `${vscode.l10n.t('Plain Agent')}.md`, lines.join('\n'));
};
