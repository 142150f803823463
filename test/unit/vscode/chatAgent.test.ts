import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { AgentChooser } from '../../../src/vscode/agent/agentChooser';
import type { ListedAgent } from '../../../src/vscode/agent/agentFileKeeper';
import { openChatWithProfile, useAgentForNewChats } from '../../../src/vscode/commands/chatAgent';
import { shownWindow, Uri, workspace } from '../../support/fakeVscode';

type Context = Parameters<typeof openChatWithProfile>[0];

describe('Open Chat with Profile', () => {
  const name = 'Agent Capabilities';
  const command = `workbench.action.chat.open${name}`;
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }));
  afterEach(() => {
    mock.timers.reset();
    shownWindow.chatAgents = [];
  });

  /**
   * A window in which the command is run; the answer is how often the agent was chosen and its file written again until
   * it ended. @param hasCommands whether the editor has had its command of our agent there.
   */
  const aWindow = async ({ hasCommands = true } = {}) => {
    let renewed = 0;
    const chooser = new AgentChooser(async () => void renewed++);
    if (hasCommands) {
      shownWindow.chatAgents = [command];
      await chooser.open({ name, listedAt: -Infinity } as ListedAgent);
    }
    return async (known: (seconds: number, renewed: number) => boolean, listedSecondsAgo = 60) => {
      shownWindow.called = [];
      renewed = 0;
      const listedAt = Date.now() - 1000 * listedSecondsAgo;
      const agentFile = {
        current: async () => ({ name, isDisputed: false, listedAt }) as ListedAgent,
        openChat: (agent: ListedAgent) => chooser.open(agent),
      };
      const run = { isDone: false };
      shownWindow.chatAgents = known(0, 0) ? [command] : [];
      const done = Promise.resolve(openChatWithProfile({ agentFile } as unknown as Context)).then(
        () => (run.isDone = true),
      );
      let seconds = 0;
      for (; !run.isDone && seconds < 60; seconds += 0.25) {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        shownWindow.chatAgents = known(seconds, renewed) ? [command] : [];
        mock.timers.tick(250);
      }
      await done;
      const chosen = shownWindow.called.filter(({ args }) => JSON.stringify(args) === JSON.stringify([{ mode: name }]));
      return { chosen: chosen.length, renewed, seconds };
    };
  };

  it('D.follow: chooses an agent once that the editor knows, and once more one that it comes to know', async () => {
    const opened = await aWindow();
    const known = await opened(() => true);
    assert.deepEqual([known.chosen, known.renewed], [1, 0]);
    const later = await opened((seconds) => seconds > 1);
    assert.deepEqual([later.chosen, later.renewed], [4, 0]);
  });

  it('D.follow: chooses an agent that has just come until an open chat, which reads its list later, has it too', async () => {
    const fresh = await (await aWindow())(() => true, 1);
    assert.deepEqual([fresh.chosen, fresh.renewed], [4, 0]);
    assert.ok(fresh.seconds < 5, `${fresh.seconds} s`);
  });

  it('D.follow: has the editor read an agent anew that it lost, and says so where that is in vain', async () => {
    const opened = await aWindow();
    shownWindow.told = [];
    const lost = await opened((_seconds, renewed) => renewed > 0);
    assert.deepEqual([lost.chosen, lost.renewed], [4, 1]);
    assert.deepEqual(shownWindow.told, []);
    const never = await opened(() => false);
    assert.equal(never.chosen, 1);
    assert.ok(never.renewed > 1 && never.seconds < 25, JSON.stringify(never));
    assert.match(shownWindow.told.join(), /does not list the agent "Agent Capabilities" yet/);
  });

  it('D.follow: chooses an agent a few times where the editor has no commands of agents, and claims nothing of it', async () => {
    const opened = await aWindow({ hasCommands: false });
    shownWindow.told = [];
    const closed = await opened(() => false);
    assert.deepEqual([closed.chosen, closed.renewed], [4, 1]);
    // The chat is there from then on: once is enough, and takes the focus from nobody later.
    const again = await opened(() => false);
    assert.deepEqual([again.chosen, again.renewed, again.seconds < 1], [1, 0, true]);
    assert.deepEqual(shownWindow.told, []);
    // One that was only late is chosen once it comes.
    const late = await (await aWindow({ hasCommands: false }))((seconds) => seconds > 6);
    assert.deepEqual([late.chosen, late.renewed], [7, 1]);
  });

  it('D.follow: tells why there is no agent that new chats could begin with', async () => {
    const why = async (location: string): Promise<string> => {
      const context = { agentFile: { current: async () => undefined, location } } as unknown as Context;
      const outcome = await Promise.resolve(useAgentForNewChats(context)).catch((error: Error) => error.message);
      return String(outcome).replace('there is no custom agent: ', '');
    };
    const unwritten = 'it could not be written; the problems in the Capabilities view say why';
    const noPlace = 'it belongs into the workspace, which needs a folder that is trusted';
    assert.equal(await why('off'), 'the setting `agentCapabilities.customAgent.location` is `off`');
    assert.equal(await why('user'), unwritten);
    assert.equal(await why('workspace'), noPlace, 'without a folder');
    workspace.workspaceFolders = [{ uri: Uri.file('/app'), name: 'app', index: 0 }];
    try {
      assert.equal(await why('workspace'), unwritten);
      workspace.isTrusted = false;
      assert.equal(await why('workspace'), noPlace, 'not trusted');
    } finally {
      workspace.workspaceFolders = [];
      workspace.isTrusted = true;
    }
  });
});
