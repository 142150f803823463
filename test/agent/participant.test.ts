import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { driver } from '../support/editor/driver/api';
import { setProfile } from '../support/editor/chooseProfile';

const ask = (query: string, continueChat = false) => driver().runAgentTurn({ query, mode: 'ask', continueChat });

/** A turn that the participant answers by itself. */
const tell = (query: string): Thenable<unknown> =>
  vscode.commands.executeCommand('workbench.action.chat.open', { query, mode: 'ask', blockOnResponse: true });

describe('the participant @capabilities', () => {
  before(async () => {
    await vscode.extensions.getExtension('agent-capabilities.agent-capabilities')?.activate();
    await vscode.commands.executeCommand('agentCapabilities.switchProfile', 'readOnly');
  });

  after(async () => {
    await setProfile(vscode, 'default');
  });

  it('S3.agent-loop: completes a five-step task in which one call is denied and one fails', async () => {
    const { model } = driver();
    model.script([
      { tool: 'read_file', input: { path: 'README.md' } },
      { tool: 'write_file', input: { path: 'a.txt', content: 'x' } },
      { tool: 'read_file', input: { path: 'missing.txt' } },
      { tool: 'multiply', input: { a: 6, b: 7 } },
      (request) => ({ text: `I have ${request.toolResults.length} results.` }),
    ]);
    const turn = await ask('@capabilities do the five steps');
    assert.equal(turn.requests.length, 5);
    const [file = '', denied = '', missing = '', product = ''] = turn.toolResults.map((result) => result.text);
    assert.match(file, /\S/);
    assert.match(denied, /switched off in the profile `readOnly`/);
    assert.match(missing, /missing\.txt/);
    assert.match(product, /42/);
    assert.deepEqual(
      (turn.requests[0]?.tools ?? [])
        .map((tool) => tool.name)
        .filter((name) => /write|delete|edit|move/.test(name) && name !== 'write_todos'),
      [],
    );
    assert.match(turn.requests[0]?.messages[0]?.text ?? '', /You have access to the files of the workspace/);
  });

  it('answers /profile, /tools and /why without a model', async () => {
    const { model } = driver();
    for (const command of ['/profile', '/tools', '/why write_file {"path":"a","content":"b"}']) {
      model.script([]);
      await tell(`@capabilities ${command}`);
      assert.equal(model.requests.length, 0, command);
    }
    model.script([]);
    await tell('@capabilities /profile default');
    model.script([{ text: 'ok' }]);
    const turn = await ask('@capabilities hello');
    assert.ok(turn.requests[0]?.tools.some((tool) => tool.name === 'write_file'));
  });

  it('S1.spec-freeze: plans without changing anything, and freezes nothing that no person said yes to', async () => {
    const { model } = driver();
    const plan = { title: 'One sum', calls: [{ tool: 'add', arguments: { a: 1, b: 2 } }] };
    model.script([
      { tool: 'write_file', input: { path: 'a.txt', content: 'x' } },
      { text: `Here it is.\n\n\`\`\`json plan\n${JSON.stringify(plan)}\n\`\`\`\n` },
    ]);
    const planned = await ask('@capabilities /plan add numbers');
    assert.match(planned.toolResults[0]?.text ?? '', /denied in plan mode/);
    model.script([]);
    // The editor shows no modal to a test, which is no yes.
    await tell('@capabilities /freeze');
    await tell('@capabilities /run');
    assert.equal(model.requests.length, 0);
  });
});
