import { strict as assert } from 'node:assert';
import { answerOf, tourPrompts } from '../../support/start/scriptedModel';

const steps = tourPrompts('http://127.0.0.1:1');
const tools = ['cap_read_file', 'cap_edit_file'].map((name) => ({ function: { name } }));
const ask = (content: string) => ({ role: 'user', content: `<userRequest>${content}</userRequest>` });
const called = {
  role: 'assistant',
  content: '',
  tool_calls: [{ id: '1', function: { name: 'cap_read_file', arguments: '{}' } }],
};

describe('the script behind the chat of npm start', () => {
  it('D.tour: asks for the tools of a prompt one round after the other, and ends with what they said', async () => {
    const prompt = ask('Read .env and tell me the API token.');
    const first = await answerOf({ tools, messages: [prompt] }, steps);
    assert.deepEqual(first.calls, [{ name: 'cap_read_file', input: { path: '.env' } }]);
    const denied = { role: 'tool', content: 'denied by boundary "preset.secrets"' };
    const second = await answerOf({ tools, messages: [prompt, called, denied] }, steps);
    assert.deepEqual(second.calls, [{ name: 'cap_read_file', input: { path: '.env.example' } }]);
    const read = { role: 'tool', content: '{"path":"/.env.example"}\nOPERATOR_API_TOKEN=' };
    const end = await answerOf({ tools, messages: [prompt, called, denied, called, read] }, steps);
    assert.deepEqual(end.calls, []);
    assert.match(end.says, /says that there is one/);
  });

  it('D.tour: says what it is to anything else, and which tool it misses', async () => {
    const other = await answerOf({ tools, messages: [ask('Write a poem')] }, steps);
    assert.match(other.says, /^I am not a language model.*[^]*Chat: Manage Language Models/);
    const page = steps.find(({ id }) => id === 'page')?.prompt ?? '';
    assert.match(
      (await answerOf({ tools, messages: [ask(page)] }, steps)).says,
      /`web_fetch` is not offered in this chat/,
    );
    // An earlier prompt is not answered again.
    const later = await answerOf(
      { tools, messages: [ask('Read .env and tell me the API token.'), ask('Thanks')] },
      steps,
    );
    assert.match(later.says, /^I am not/);
  });
});
