import assert from 'node:assert/strict';
import { driver } from '../../driver/api';

describe('agent mode', () => {
  it('runs a tool the model asks for and returns its result', async () => {
    const { model, runAgentTurn } = driver();
    model.script([
      { tool: 'fixture_add', input: { a: 20, b: 22 } },
      (request) => ({ text: `seen: ${request.toolResults.at(-1)?.text}` }),
    ]);
    const turn = await runAgentTurn({ query: 'add 20 and 22' });
    assert.equal(turn.requests.length, 2);
    assert.ok(turn.requests[0]?.tools.some((tool) => tool.name === 'fixture_add'));
    assert.match(turn.requests[0]?.systemText ?? '', /\S/);
    assert.equal(turn.toolResults.at(-1)?.text, 'the sum is 42');
    assert.equal(model.pending.length, 0);
  });

  it('keeps side requests out of the script', async () => {
    const { model, runAgentTurn } = driver();
    model.script([{ text: 'one' }]);
    const turn = await runAgentTurn({ query: 'say one' });
    assert.equal(turn.requests.length, 1);
  });

  it('tells the model when a tool is given invalid input', async () => {
    const { model, runAgentTurn } = driver();
    model.script([{ tool: 'fixture_add', input: { a: 1 } }]);
    const turn = await runAgentTurn({ query: 'add' });
    assert.match(turn.toolResults.at(-1)?.text ?? '', /required property 'b'/);
  });

  it('skips and accepts confirmations in the chat', async () => {
    const { model, runAgentTurn } = driver();
    model.script([{ tool: 'fixture_confirm', input: {} }]);
    const skipped = await runAgentTurn({ query: 'confirm', confirm: 'skip' });
    assert.match(skipped.toolResults.at(-1)?.text ?? '', /skip/i);
    model.script([{ tool: 'fixture_confirm', input: {} }]);
    const accepted = await runAgentTurn({ query: 'confirm', confirm: 'accept' });
    assert.equal(accepted.toolResults.at(-1)?.text, 'confirmed');
  });
});
