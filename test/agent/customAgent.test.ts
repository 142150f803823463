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
  (await readdir(folder).catch(() => [])).filter((name) => name.startsWith('agent-capabilities-'));

describe('the custom agent of the active profile', () => {
  before(async () => {
    await vscode.extensions.getExtension('agent-capabilities.agent-capabilities')?.activate();
    await vscode.commands.executeCommand('agentCapabilities.switchProfile', 'readOnly');
  });
  after(async () => {
    await setProfile(vscode, 'default');
  });

  it('S3.runtime-agent: only the active one exists, and it is replaced when another profile becomes active', async () => {
    await until(async () => assert.deepEqual(await files(), ['agent-capabilities-readOnly.agent.md']));
    await setProfile(vscode, 'default');
    await until(async () => assert.deepEqual(await files(), ['agent-capabilities-default.agent.md']));
    await vscode.commands.executeCommand('agentCapabilities.switchProfile', 'readOnly');
    await until(async () => assert.deepEqual(await files(), ['agent-capabilities-readOnly.agent.md']));
  });

  it("S3.runtime-agent: selected in agent mode, the system message holds the profile's prompt in order and the tools are the profile's", async () => {
    const { model, runAgentTurn } = driver();
    const text = await readFile(path.join(folder, 'agent-capabilities-readOnly.agent.md'), 'utf8');
    const prompt = text.slice(text.indexOf('\n---\n') + 5).trim();
    const wanted = [...new Set([...text.matchAll(/'(cap\w+)'/g)].map((match) => match[1]))].sort();
    await until(async () => {
      model.script([{ text: 'ready' }]);
      const turn = await runAgentTurn({ query: 'hello', mode: 'Read only (Agent Capabilities)' });
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

  it('D.tightens: what the workspace brings goes into the workspace, out of git, and leaves with the profile', async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    const here = path.join(root, '.github', 'agents');
    const settings = vscode.workspace.getConfiguration('agentCapabilities');
    const canary = 'CANARY-of-the-workspace';
    await vscode.commands.executeCommand('agentCapabilities.switchProfile', 'readOnly');
    await until(async () => assert.deepEqual(await files(), ['agent-capabilities-readOnly.agent.md']));
    const profiles = { readOnly: { name: canary, capabilities: ['math'] } };
    await settings.update('profiles', profiles, vscode.ConfigurationTarget.Workspace);
    try {
      await until(async () => {
        assert.deepEqual(await files(), []);
        assert.deepEqual((await readdir(here).catch(() => [])).sort(), [
          '.gitignore',
          'agent-capabilities-readOnly.agent.md',
        ]);
      });
      for (const name of await readdir(folder))
        assert.ok(!(await readFile(path.join(folder, name), 'utf8')).includes(canary));
    } finally {
      await settings.update('profiles', undefined, vscode.ConfigurationTarget.Workspace);
    }
    await until(async () => {
      assert.deepEqual(await files(), ['agent-capabilities-readOnly.agent.md']);
      const left: string[] = await readdir(here).catch(() => []);
      assert.ok(!left.includes('agent-capabilities-readOnly.agent.md'));
    });
  });
});
