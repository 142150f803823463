import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { agentOf } from '../../../src/core/protection/agents';
import { entryFile } from '../../../src/core/protection/entries';
import { editorPrivateFolder } from '../../../src/node/hooks/privateFolder';
import { readLastAnswers } from '../../../src/node/hooks/lastAnswers';
import { writeHookLauncher } from '../../../src/node/protection/hookNotes';
import { driver } from './driver/api';
import { until } from './until';

/**
 * Puts our hook before the tools of this window's agent mode, as *Protect This Agent…* does, and waits until it was
 * asked about a call: the editor reads such a file a moment after it is there. Answers what removes it.
 */
export async function installHook(): Promise<() => void> {
  const extension = vscode.extensions.getExtension('agent-capabilities.agent-capabilities');
  const agent = agentOf('vscode');
  assert.ok(extension && agent);
  await extension.activate();
  const privateFolder = editorPrivateFolder(process.env);
  const hook = writeHookLauncher(privateFolder, path.join(extension.extensionPath, 'dist', 'hook.js'));
  const entry = path.join(homedir(), agent.file);
  mkdirSync(path.dirname(entry), { recursive: true });
  const program = { node: process.execPath, isEditor: false, hook, platform: process.platform, privateFolder };
  const from = Date.now();
  writeFileSync(entry, entryFile(agent, program));
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const { model, runAgentTurn } = driver();
  await until(async () => {
    model.script([{ tool: 'list_dir', input: { path: folder } }, { text: 'seen' }]);
    await runAgentTurn({ query: 'what is here?' });
    assert.ok(readLastAnswers(privateFolder).some(({ at, isCanary }) => at >= from && !isCanary));
  }, 60_000);
  return () => rmSync(entry, { force: true });
}
