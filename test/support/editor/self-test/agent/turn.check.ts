import assert from 'node:assert/strict';
import { driver } from '../../driver/api';

describe('agent mode', () => {
  it('runs a tool the model asks for and returns its result', async () => {
    const { model, runAgentTurn } = driver();
    model.script([{ tool: 'fixture_add', input: { a: 20, b: 22 } }, (request) => ({ text: `seen: ${request.toolResults.at(-1)?.text}` })]);
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
    console.log('side requests', JSON.stringify(model.sideRequests.map((request) => request.systemText.slice(0, 200))));
  });

  it('tells the model when a tool is given invalid input', async () => {
    const { model, runAgentTurn } = driver();
    model.script([{ tool: 'fixture_add', input: { a: 1 } }]);
    const turn = await runAgentTurn({ query: 'add' });
    assert.match(turn.toolResults.at(-1)?.text ?? '', /required property 'b'/);
  });
});
