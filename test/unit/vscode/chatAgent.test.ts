import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { AgentChooser } from '../../../src/vscode/agent/agentChooser';
import type { ListedAgent } from '../../../src/vscode/agent/agentFileKeeper';
import { openChatWithProfile, useAgentForNewChats } from '../../../src/vscode/commands/chatAgent';
import { shownWindow, TextEditorSelectionChangeKind, Uri, workspace } from '../../support/fakeVscode';

type Context = Parameters<typeof openChatWithProfile>[0];

describe('Open Chat with Profile', () => {
  const name = 'Agent Capabilities';
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1e12 }));
  afterEach(() => mock.timers.reset());

  /** What a window does, in its order, while so many seconds go by. */
  const aWindow = () => {
    let done: string[] = [];
    const chooser = new AgentChooser(async () => void done.push('renewed'));
    let listedAt = -Infinity;
    const agentFile = {
      current: async () => ({ name, isDisputed: false, listedAt }) as ListedAgent,
      openChat: (agent: ListedAgent) => chooser.open(agent),
    };
    const after = async (seconds: number): Promise<string[]> => {
      for (let passed = 0; passed <= seconds; passed += 0.1) {
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        for (const { args } of shownWindow.called.splice(0)) {
          assert.deepEqual(args, [{ mode: name }]);
          done.push('chosen');
        }
        mock.timers.tick(100);
      }
      return done.splice(0);
    };
    return {
      after,
      press: (seconds: number): Promise<string[]> => {
        shownWindow.called = [];
        done = [];
        void openChatWithProfile({ agentFile } as unknown as Context);
        return after(seconds);
      },
      list: () => void (listedAt = Date.now()),
    };
  };
  const once = ['chosen'];
  const fully = ['chosen', 'chosen', 'renewed', 'chosen', 'chosen'];

  it('D.follow: the first time has the editor read its agents anew, and chooses ours before and after it', async () => {
    const window = aWindow();
    assert.deepEqual(await window.press(60), fully);
    // It is there from then on: once is enough, and takes the focus from nobody later.
    assert.deepEqual(await window.press(60), once);
  });

  it('D.follow: an agent that has just come is chosen until an open chat, which reads its list later, has it', async () => {
    const window = aWindow();
    await window.press(60);
    window.list();
    assert.deepEqual(await window.press(60), fully);
    assert.deepEqual(await window.press(60), once);
  });

  it('D.follow: who asks again at once did not see it come, so all is done anew, and by one of the two alone', async () => {
    const window = aWindow();
    await window.press(60);
    assert.deepEqual(await window.press(3), once);
    assert.deepEqual(await window.press(1), ['chosen', 'chosen']);
    assert.deepEqual(await window.press(60), fully);
  });

  it('D.follow: who went on in a text editor meanwhile is left there, and the next time is as the first', async () => {
    const { Command, Keyboard, Mouse } = TextEditorSelectionChangeKind;
    for (const kind of [Keyboard, Mouse]) {
      const window = aWindow();
      assert.deepEqual(await window.press(1), ['chosen', 'chosen']);
      shownWindow.changedSelection.fire({ kind });
      assert.deepEqual(await window.after(60), []);
      assert.deepEqual(await window.press(1), ['chosen', 'chosen']);
      shownWindow.changedSelection.fire({ kind: Command });
      shownWindow.changedSelection.fire({ kind: undefined });
      assert.deepEqual(await window.after(60), ['renewed', 'chosen', 'chosen']);
      assert.deepEqual(await window.press(60), once);
    }
  });

  it('D.follow: tells why there is no agent that new chats could begin with, and leads to the setting', async () => {
    const why = async (location: string): Promise<string> => {
      const context = { agentFile: { current: async () => undefined, location } } as unknown as Context;
      Object.assign(shownWindow, { told: [], called: [], pressed: 'Open Settings' });
      await useAgentForNewChats(context);
      const opened = shownWindow.called.map(({ command, args }) => ` [${command} ${args.join()}]`);
      return `${shownWindow.told.join()}${opened.join('')}`.replace('There is no custom agent: ', '');
    };
    const unwritten = 'it could not be written. The problems in the Capabilities view say why.';
    const setting = 'agentCapabilities.customAgent.location';
    const opens = ` [workbench.action.openSettings ${setting}]`;
    const noPlace = `by the setting ${setting} it belongs into the workspace, which needs a folder that is trusted.${opens}`;
    assert.equal(await why('off'), `the setting ${setting} is \`off\`.${opens}`);
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
      shownWindow.pressed = undefined;
    }
  });
});
