import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { agentOf } from '../../../src/core/protection/agents';
import { entryFile } from '../../../src/core/protection/entries';
import { editorPrivateFolder } from '../../../src/node/hooks/privateFolder';
import { writeHookLauncher } from '../../../src/node/protection/hookNotes';

/** Puts our hook before the tools of this window's agent mode, as *Protect This Agent…* does. Answers what removes it. */
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
  writeFileSync(entry, entryFile(agent, program));
  return () => rmSync(entry, { force: true });
}
