import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { agentIs, listedAgents } from '../support/editor/agentPicker';
import { useEditor } from '../support/editor/person';
import { chooseProfile } from '../support/editor/chooseProfile';
import { until } from '../support/editor/until';

describe('the agent that a chat has chosen', () => {
  // The chat stands beside from the start, as the editor opens a window; one that was closed is in keyboard.test.ts.
  const editor = useEditor({
    settings: {
      'agentCapabilities.customAgent.notice': true,
      'workbench.secondarySideBar.defaultVisibility': 'visible',
    },
  });
  const settings = (key: string, value: unknown, target: number): Promise<unknown> =>
    editor.host.evaluate(
      async (vscode, [name, to, where]: any) =>
        vscode.workspace.getConfiguration('agentCapabilities').update(name, to, where),
      [key, value, target] as never,
    );

  afterEach(async function () {
    if (this.currentTest?.state !== 'failed') return;
    // Which agents the chat's own list has is in none of the editor's logs.
    await editor.host.execute('notifications.hideList');
    const known = await listedAgents(editor.workbench).catch(String);
    const home = await editor.host.evaluate(async () => process.env['HOME'] ?? '');
    const file = join(home, '.copilot', 'agents', 'agent-capabilities.agent.md');
    const text = await readFile(file, 'utf8').catch(String);
    console.log(`    the chat's list of agents: ${known}\n    the file: ${text.slice(0, 300)}`);
  });

  /** The hover of the status bar, once it says this. */
  const hovered = (words: RegExp): Promise<Locator> =>
    until(async () => {
      const { page } = editor.workbench;
      const about = page.locator('.monaco-hover').filter({ hasText: /plain Agent also has tools that pass it by/ });
      // A hover goes when the chat takes the focus, and comes back to a pointer that comes anew.
      await page.mouse.move(600, 400);
      await editor.workbench.statusBarItem(/Read only · plan/).hover();
      await about.filter({ hasText: words }).waitFor({ timeout: 4000 });
      return about;
    }, 40_000);
  const forNewChats = (agent: string | undefined): Promise<unknown> =>
    editor.host.evaluate(
      async (vscode, name: any) => vscode.workspace.getConfiguration().update('chat.newSession.defaultMode', name, 1),
      agent as never,
    );

  /** A notice, also one that went into the list by itself. */
  const shown = async (text: RegExp): Promise<Locator> => {
    const notice = editor.workbench.notification(text);
    await until(async () => {
      await editor.host.execute('notifications.showList');
      await notice.waitFor({ timeout: 4000 });
    }, 30_000);
    return notice;
  };

  it('D.follow: a new user is told which agent follows the profile, and chooses it with one click', async () => {
    const { workbench, host } = editor;
    await host.execute('workbench.action.chat.open');
    await agentIs(workbench, 'Agent');
    const notice = await shown(/Chats with the agent "Agent Capabilities" follow your profile/);
    await workbench.picture('agent-notice');
    await notice.getByRole('button', { name: 'Use It in the Chat' }).click();
    await agentIs(workbench, 'Agent Capabilities');
  });

  it('D.hooks: the first call of a chat offers the hook of plain Agent, once, and asks before it writes', async () => {
    const { workbench, host } = editor;
    await host.execute('notifications.clearAll');
    const call = (): Promise<unknown> =>
      host.evaluate(async (vscode) => {
        const input = { expression: '1+1' };
        await vscode.lm.invokeTool('cap_calculate', { input, toolInvocationToken: undefined });
      });
    await call();
    const notice = await shown(/Plain Agent's own tools, for files and the terminal, pass your rules by/);
    await workbench.picture('hook-offer');
    await notice.getByRole('button', { name: 'Protect This Agent…' }).click();
    const question = workbench.page.locator('.monaco-dialog-box');
    await question.getByText('Let VS Code ask the gate before each of its tools?').waitFor();
    await workbench.page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await host.execute('workbench.action.closeAllEditors');
    await call();
    await host.execute('notifications.showList');
    assert.equal(await workbench.notification(/pass your rules by/).count(), 0);
    await host.execute('notifications.hideList');
  });

  it('D.follow: keeps it through a switch of the profile, in two clicks, and of the mode, with the new content', async () => {
    const { workbench, host } = editor;
    await workbench.statusBarItem(/Default · execute/).click();
    await workbench.pick('Read only');
    await workbench.statusBarItem(/Read only · plan/).waitFor();
    await agentIs(workbench, 'Agent Capabilities');
    const home = await host.evaluate(async () => process.env['HOME'] ?? '');
    const file = join(home, '.copilot', 'agents', 'agent-capabilities.agent.md');
    await until(async () => assert.match(await readFile(file, 'utf8'), /description: 'Profile Read only/));
    assert.doesNotMatch(await readFile(file, 'utf8'), /capWriteFile/);
    await chooseProfile(editor, 'default');
    await until(async () => assert.match(await readFile(file, 'utf8'), /capWriteFile/));
    await host.execute('agentCapabilities.setMode', 'plan');
    await workbench.statusBarItem(/Default · plan/).waitFor();
    await until(async () => assert.doesNotMatch(await readFile(file, 'utf8'), /capWriteFile/));
    await agentIs(workbench, 'Agent Capabilities');
    assert.ok(!(await readdir(editor.folder)).includes('.github'), 'a switch brings no file into the workspace');
    await workbench.picture('agent-kept');
  });

  it('D.follow: keeps it through a reload, also after a switch, when new chats begin with it', async () => {
    const { workbench } = editor;
    await workbench.runCommand('Agent Capabilities: Use Profile for New Chats');
    await shown(/New chats begin with the agent "Agent Capabilities"/);
    await chooseProfile(editor, 'readOnly');
    await editor.stored('"id":"readOnly"');
    // A browser's window is not asked before it goes, and writes what a chat has chosen some seconds later. And while
    // the editor starts, its list of agents is now and then empty for a moment. Through both holds what is in a file.
    await editor.reload();
    await editor.host.execute('workbench.action.chat.open');
    await workbench.statusBarItem(/Read only · plan/).waitFor();
    await agentIs(workbench, 'Agent Capabilities');
    await hovered(/New chats begin with it/);
    await forNewChats(undefined);
  });

  it('D.follow: a chat that lost it is told in the status bar, and has it back with one click there', async () => {
    const { workbench, host } = editor;
    await host.execute('workbench.action.chat.open', { mode: 'agent' });
    await agentIs(workbench, 'Agent');
    await until(async () => {
      const about = await hovered(/Use It for New Chats/);
      await workbench.picture('agent-status');
      await about.getByText('Use It in the Chat').click({ timeout: 2000 });
    }, 40_000);
    await agentIs(workbench, 'Agent Capabilities');
  });

  it('D.follow: a second window with another profile takes it from no chat', async () => {
    await editor.host.execute('agentCapabilities.openChatWithProfile');
    await agentIs(editor.workbench, 'Agent Capabilities');
    const beside = await editor.openBeside();
    await chooseProfile(editor, 'default');
    await beside.runCommand('Agent Capabilities: Open Chat with Profile');
    await agentIs(beside, 'Agent Capabilities');
    await agentIs(editor.workbench, 'Agent Capabilities');
    await beside.page.close();
  });

  it('D.tightens: a workspace with a profile of its own brings an agent of its own, which stays when the profile goes', async () => {
    const { workbench, folder } = editor;
    await mkdir(join(folder, '.vscode'), { recursive: true });
    await settings('profiles', { ours: { name: 'Ours', mode: 'plan', capabilities: ['math'] } }, 2);
    await chooseProfile(editor, 'ours');
    const notice = await shown(/Here the profile is the agent "Agent Capabilities \(this workspace\)"/);
    await agentIs(workbench, 'Agent Capabilities');
    await notice.getByRole('button', { name: 'Use It in the Chat' }).click();
    await agentIs(workbench, 'Agent Capabilities (this workspace)');
    await chooseProfile(editor, 'default');
    const file = join(folder, '.github', 'agents', 'agent-capabilities.agent.md');
    await until(async () => assert.match(await readFile(file, 'utf8'), /capReadFile/));
    await agentIs(workbench, 'Agent Capabilities (this workspace)');
  });

  it('D.follow: an agent of the repository under our name is named, and not chosen in our place', async () => {
    const { host, folder } = editor;
    const text = "---\nname: 'Agent Capabilities'\ntools: ['runInTerminal']\n---\nDo as you like.\n";
    await writeFile(join(folder, '.github', 'agents', 'helper.agent.md'), text);
    await host.execute('agentCapabilities.openChatWithProfile');
    await shown(/This workspace has an agent of its own under the name/);
  });

  it('D.commands: what plain Agent may do past the profile is listed, twins of our tools first', async () => {
    const { workbench, host } = editor;
    await host.execute('agentCapabilities.comparePlainAgent');
    await until(async () => {
      const tab = await workbench.page.locator('.tab.active').first().innerText();
      assert.match(tab, /Plain Agent/);
    });
    await workbench.picture('agent-compare');
  });

  it('D.hooks: the walkthrough offers the hook of plain Agent, by keyboard, and asks before it writes', async () => {
    const { workbench, host } = editor;
    const extension = 'agent-capabilities.agent-capabilities';
    await host.execute('workbench.action.openWalkthrough', `${extension}#start`);
    const step = workbench.page.getByText('Choose the agent that follows the profile').first();
    await step.waitFor();
    const button = workbench.page.locator('.monaco-button').filter({ hasText: 'Protect This Agent…' });
    await until(async () => {
      await workbench.page.locator('.getting-started-step').filter({ has: step }).focus();
      await workbench.page.keyboard.press('Enter');
      await button.waitFor({ timeout: 2000 });
    }, 20_000);
    await button.focus();
    await workbench.page.keyboard.press('Enter');
    const question = workbench.page.locator('.monaco-dialog-box');
    await question.getByText('Let VS Code ask the gate before each of its tools?').waitFor();
    await workbench.picture('agent-protect');
    await workbench.page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
  });
});
