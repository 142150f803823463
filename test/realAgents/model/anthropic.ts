import { events, type Protocol, records, textOf } from './script';

const usage = { input_tokens: 10, output_tokens: 5 };

/** Messages, as Claude Code sends them. */
export const anthropic: Protocol = {
  handles: (path) => /\/v1\/messages(?:\?|$)/.test(path),
  results(body) {
    if (!Array.isArray(body['tools']) || body['tools'].length < 3) return undefined;
    return records(body['messages'])
      .flatMap(({ content }) => records(content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => textOf(content));
  },
  tools: (body) => records(body['tools']).map(({ name }) => String(name)),
  answer({ id, call, text }, body) {
    const block = call
      ? { type: 'tool_use', id: `toolu_${id}`, name: call.tool, input: call.input }
      : { type: 'text', text };
    const reason = call ? 'tool_use' : 'end_turn';
    const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model: body['model'], usage };
    if (body['stream'] !== true)
      return {
        type: 'application/json',
        text: JSON.stringify({ ...message, content: [block], stop_reason: reason, stop_sequence: null }),
      };
    const empty = call ? { ...block, input: {} } : { type: 'text', text: '' };
    const delta = call
      ? { type: 'input_json_delta', partial_json: JSON.stringify(call.input) }
      : { type: 'text_delta', text };
    return {
      type: 'text/event-stream',
      text: events(
        [
          { type: 'message_start', message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
          { type: 'content_block_start', index: 0, content_block: empty },
          { type: 'content_block_delta', index: 0, delta },
          { type: 'content_block_stop', index: 0 },
          { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
          { type: 'message_stop' },
        ],
        true,
      ),
    };
  },
};
