import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { driver } from '../support/editor/driver/api';
import { installHook } from '../support/editor/installHook';

const secret = 'KEY=do-not-tell';

describe("the editor's own tools under our hook", () => {
  let workspace = '';
  let removeHook = (): void => undefined;

  before(async function () {
    this.timeout(90_000);
    workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
    writeFileSync(path.join(workspace, '.env'), `${secret}\n`);
    writeFileSync(path.join(workspace, 'open.txt'), 'alpha beta\n');
    removeHook = await installHook();
  });

  after(() => removeHook());

  it('D.hooks: `.env` stays closed to what reads files and to the terminal, by one rule', async function () {
    this.timeout(180_000);
    const { model, runAgentTurn } = driver();
    const terminal = (command: string): { tool: string; input: object } => ({
      tool: 'run_in_terminal',
      input: { command, explanation: 'look', goal: 'look', mode: 'sync', isBackground: false, timeout: 10_000 },
    });
    model.script([
      { tool: 'read_file', input: { filePath: path.join(workspace, 'open.txt'), startLine: 1, endLine: 5 } },
      { tool: 'read_file', input: { filePath: path.join(workspace, '.env'), startLine: 1, endLine: 5 } },
      terminal('cat .env'),
      terminal(`python -c "print(open('.env').read())"`),
      terminal('git show HEAD:.env'),
      { text: 'seen' },
    ]);
    const { toolResults } = await runAgentTurn({ query: 'read everything', timeoutMs: 150_000 });
    const [open = '', ...closed] = toolResults.map(({ text }) => text);
    assert.match(open, /alpha beta/);
    assert.equal(closed.length, 4, JSON.stringify(toolResults));
    for (const text of closed) {
      assert.match(text, /preset\.secrets/);
      assert.doesNotMatch(text, /do-not-tell/);
    }
    assert.equal(readFileSync(path.join(workspace, '.env'), 'utf8'), `${secret}\n`);
  });
});
