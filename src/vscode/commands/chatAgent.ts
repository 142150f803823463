import * as vscode from 'vscode';
import { twinsOf } from '../../core/agent/twinTools';
import { settingId } from '../../core/settings/settingTable';
import { codeCell, plainMarkdown, proseMarkdown, tableMarkdown } from '../../core/present/words';
import type { ListedAgent } from '../agent/agentFileKeeper';
import { openChatCommand } from '../agent/agentChooser';
import { newChatsBeginWith, newChatsSetting } from '../agent/newChats';
import type { AgentFileWriter } from '../agent/agentFileWriter';
import { preview } from '../files/readOnlyText';
import type { CommandHandler } from './context';
import { showInformation, showWarning } from '../notices';
import { profileWords } from '../../core/profiles/shippedProfiles';

/** Opens the chat with the active profile as its custom agent; where none is written, with the participant. */
export const openChatWithProfile: CommandHandler<'agentFile'> = async (context) => {
  const agent = await context.agentFile.current();
  if (agent && !mayBeChosen(agent)) return;
  if (agent) await context.agentFile.openChat(agent);
  else await vscode.commands.executeCommand(openChatCommand, { query: '@capabilities ', isPartialQuery: true });
};

/** Has the editor begin every new chat with our agent; a person can take that back at once. */
export const useAgentForNewChats: CommandHandler<'agentFile'> = async (context) => {
  const agent = await context.agentFile.current();
  if (!agent) return tellThatThereIsNone(context.agentFile.location);
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
    return context.agentFile.openChat(agent);
  }
  const opening = context.agentFile.openChat(agent);
  const undo = vscode.l10n.t('Undo');
  const answer = await showInformation(vscode.l10n.t('New chats begin with the agent "{0}".', agent.name), undo);
  if (answer === undo) await settings.update(newChatsSetting, before, target);
  await opening;
};

/** Tells why there is no agent: where the settings have it so, it is a state and no failure. */
async function tellThatThereIsNone(location: AgentFileWriter['location']): Promise<void> {
  const { t } = vscode.l10n;
  const setting = settingId('customAgent.location');
  const { isTrusted, workspaceFolders } = vscode.workspace;
  const chosen =
    location === 'off'
      ? t('There is no custom agent: the setting {0} is `off`.', setting)
      : location === 'workspace' && (!isTrusted || !workspaceFolders?.length)
        ? t(
            'There is no custom agent: by the setting {0} it belongs into the workspace, which needs a folder that is trusted.',
            setting,
          )
        : undefined;
  if (chosen === undefined) {
    void showWarning(
      t('There is no custom agent: it could not be written. The problems in the Capabilities view say why.'),
    );
    return;
  }
  const open = t('Open Settings');
  if ((await showInformation(chosen, open)) === open)
    await vscode.commands.executeCommand('workbench.action.openSettings', setting);
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
      plainMarkdown(profileWords(active.profile, vscode.l10n.t).name),
    ),
    '',
    vscode.l10n.t(
      '**Plain Agent**, and every other agent of the chat, may use the tools below as well. They belong to the editor or to other extensions: no profile and no rule of Agent Capabilities is asked, and no record is kept of them.',
    ),
    '',
    ...tableMarkdown(
      [vscode.l10n.t('Tool'), vscode.l10n.t('Twin here'), vscode.l10n.t('What it says of itself')],
      others
        .map(({ name, description }) => ({ name, twin: twins.get(name), about: description.split('\n', 1)[0] ?? '' }))
        .sort((one, two) => Number(!one.twin) - Number(!two.twin) || one.name.localeCompare(two.name))
        .map(({ name, twin, about }) => [
          codeCell(name),
          twin === undefined ? '' : codeCell(twin),
          proseMarkdown(about.slice(0, 160), codeCell),
        ]),
    ),
  ];
  await preview(texts, `${vscode.l10n.t('Plain Agent')}.md`, lines.join('\n'));
};
