import { events, isRecord, type Protocol, records, textOf } from './script';

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** Chat completions, as most agents speak them. */
export const chat: Protocol = {
  handles: (path) => /\/chat\/completions(?:\?|$)/.test(path),
  results(body) {
    if (!Array.isArray(body['tools']) || body['tools'].length === 0) return undefined;
    return records(body['messages'])
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => textOf(content));
  },
  tools: (body) =>
    records(body['tools']).map((tool) => (isRecord(tool['function']) ? String(tool['function']['name']) : '')),
  answer({ id, call, text }, body) {
    const called = call && {
      index: 0,
      id: `call_${id}`,
      type: 'function',
      function: { name: call.tool, arguments: JSON.stringify(call.input) },
    };
    const said = called
      ? { role: 'assistant', content: null, tool_calls: [called] }
      : { role: 'assistant', content: text };
    const reason = call ? 'tool_calls' : 'stop';
    const common = { id: `chatcmpl-${id}`, created: 1, model: body['model'] };
    if (body['stream'] !== true)
      return {
        type: 'application/json',
        text: JSON.stringify({
          ...common,
          object: 'chat.completion',
          choices: [{ index: 0, message: said, finish_reason: reason }],
          usage,
        }),
      };
    const chunk = { ...common, object: 'chat.completion.chunk' };
    return {
      type: 'text/event-stream',
      text: `${events(
        [
          { ...chunk, choices: [{ index: 0, delta: said, finish_reason: null }] },
          { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }] },
          { ...chunk, choices: [], usage },
        ],
        false,
      )}data: [DONE]\n\n`,
    };
  },
};
