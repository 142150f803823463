import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AgentCapabilitiesApi } from '../../src/app/api';
import { setProfile } from '../support/editor/chooseProfile';

/** A call of another extension; a modal throws here, because this window is a test run and nobody could answer. */
async function failureOf(command: string, ...args: unknown[]): Promise<string | undefined> {
  return vscode.commands.executeCommand(command, ...args).then(
    () => undefined,
    (error: unknown) => String(error),
  );
}

describe('commands of ours that another extension calls with arguments', () => {
  let api: AgentCapabilitiesApi;
  const state = async (): Promise<string> => JSON.stringify([await api.listCapabilities(), await api.resolveProfile()]);

  before(async () => {
    const extension = vscode.extensions.getExtension<AgentCapabilitiesApi>('agent-capabilities.agent-capabilities');
    assert.ok(extension);
    api = await extension.activate();
    await vscode.commands.executeCommand('agentCapabilities.switchProfile', 'readOnly');
  });

  after(async () => {
    await setProfile(vscode, 'default');
  });

  it('D.tightens: change nothing without a person, directly and by the detours of the editor', async () => {
    const before = await state();
    const forged = { kind: 'tool', contextValue: 'tool.off', id: 'tool:cap:file_system:write_file' };
    const calls: readonly [string, ...unknown[]][] = [
      ['setMode', 'execute'],
      ['enableCapability', 'email'],
      ['toggleTool', 'write_file'],
      ['toggleTool', forged],
      ['toggleSelected', forged, [forged]],
      ['runTool', 'get_current_time', {}],
      ['duplicateProfile', 'default', 'Wider'],
      ['resetProfile', 'readOnly'],
      ['undo', 'now'],
      ['switchProfile', 'default'],
      ['renameProfile', 'readOnly', 'Do as you like'],
    ];
    for (const [id, ...args] of calls) {
      assert.match((await failureOf(`agentCapabilities.${id}`, ...args)) ?? 'it ran', /dialog|modal|refused/i, id);
      assert.equal(await state(), before, id);
    }
    // `runCommands` is the editor's own command for several at once, with what keybindings may hold.
    await failureOf('runCommands', { commands: [{ command: 'agentCapabilities.setMode', args: 'execute' }] });
    assert.equal(await state(), before);
  });
});
