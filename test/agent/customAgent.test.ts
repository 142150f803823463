import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { driver } from '../support/editor/driver/api';
import { until } from '../support/editor/until';
import { setProfile } from '../support/editor/chooseProfile';

const folder = path.join(homedir(), '.copilot', 'agents');
const files = async (): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter((name) => name.startsWith('agent-capabilities'));
const name = 'agent-capabilities.agent.md';
const says = async (profile: string): Promise<void> =>
  until(async () => {
    assert.deepEqual(await files(), [name]);
    assert.ok((await readFile(path.join(folder, name), 'utf8')).includes(`description: 'Profile ${profile}`));
  });

describe('the custom agent of the active profile', () => {
  before(async () => {
    await vscode.extensions.getExtension('agent-capabilities.agent-capabilities')?.activate();
    await vscode.commands.executeCommand('agentCapabilities.switchProfile', 'readOnly');
  });
  after(async () => {
    await setProfile(vscode, 'default');
  });

  it('S3.runtime-agent: only the active one exists, in one file whose content follows the profile', async () => {
    await says('Read only');
    await setProfile(vscode, 'default');
    await says('Default');
    await vscode.commands.executeCommand('agentCapabilities.switchProfile', 'readOnly');
    await says('Read only');
  });

  it("S3.runtime-agent: selected in agent mode, the system message holds the profile's prompt in order and the tools are the profile's", async () => {
    const { model, runAgentTurn } = driver();
    const text = await readFile(path.join(folder, name), 'utf8');
    const prompt = text.slice(text.indexOf('\n---\n') + 5).trim();
    const wanted = [...new Set([...text.matchAll(/'(cap\w+)'/g)].map((match) => match[1]))].sort();
    await until(async () => {
      model.script([{ text: 'ready' }]);
      const turn = await runAgentTurn({ query: 'hello', mode: 'Agent Capabilities' });
      const request = turn.requests[0];
      assert.ok(request);
      assert.ok(request.systemText.includes(prompt.slice(0, 200)), 'the system message holds the prompt');
      assert.ok(request.systemText.includes(prompt.slice(-200)));
      const manifest = vscode.extensions.getExtension('agent-capabilities.agent-capabilities')?.packageJSON;
      const references = new Map<string, string>(
        manifest.contributes.languageModelTools.map((tool: any) => [tool.name, tool.toolReferenceName]),
      );
      const ours = request.tools.map((tool) => tool.name).filter((name) => references.has(name));
      assert.deepEqual(ours.map((name) => references.get(name)).sort(), wanted);
      assert.deepEqual(
        request.tools.map((tool) => tool.name).filter((name) => !references.has(name) && name !== 'session_store_sql'),
        [],
      );
    }, 40_000);
  });

  it('D.tightens: what the workspace brings goes into the workspace, out of git; the words leave with the profile', async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const here = path.join(root, '.github', 'agents');
    const settings = vscode.workspace.getConfiguration('agentCapabilities');
    const canary = 'CANARY-of-the-workspace';
    const profiles = { house: { name: canary, mode: 'plan', capabilities: ['math'] } };
    await settings.update('profiles', profiles, vscode.ConfigurationTarget.Workspace);
    const inHere = async (): Promise<string> => readFile(path.join(here, name), 'utf8').catch(() => '');
    try {
      await until(async () => {
        await vscode.commands.executeCommand('agentCapabilities.switchProfile', 'house');
        assert.ok((await inHere()).includes(canary));
        assert.deepEqual((await readdir(here)).sort(), ['.gitignore', name]);
      });
      for (const one of await files()) assert.ok(!(await readFile(path.join(folder, one), 'utf8')).includes(canary));
    } finally {
      await settings.update('profiles', undefined, vscode.ConfigurationTarget.Workspace);
      await setProfile(vscode, 'default');
    }
    await says('Default');
    await until(async () => assert.match(await inHere(), /description: 'Profile Default/));
  });
});
