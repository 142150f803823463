import { events, type Protocol, records, textOf } from './script';

const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

/** Responses of OpenAI, as Codex asks for them. */
export const responses: Protocol = {
  handles: (path) => /\/responses(?:\?|$)/.test(path),
  results(body) {
    if (!Array.isArray(body['tools']) || body['tools'].length === 0) return undefined;
    return records(body['input'])
      .filter(({ type }) => typeof type === 'string' && type.endsWith('call_output'))
      .map(({ output }) => textOf(output));
  },
  tools: (body) =>
    records(body['tools']).flatMap(({ name, type, tools }) => [
      String(name ?? type),
      ...records(tools).map((inner) => `${String(name)}/${String(inner['name'])}`),
    ]),
  answer({ id, call, text }) {
    const item = call
      ? call.isText
        ? {
            type: 'custom_tool_call',
            id: `ctc_${id}`,
            call_id: `call_${id}`,
            name: call.tool,
            input: call.input['text'],
          }
        : {
            type: 'function_call',
            id: `fc_${id}`,
            call_id: `call_${id}`,
            name: call.tool,
            ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
            arguments: JSON.stringify(call.input),
          }
      : { type: 'message', id: `msg_${id}`, role: 'assistant', content: [{ type: 'output_text', text }] };
    const response = { id: `resp_${id}` };
    return {
      type: 'text/event-stream',
      text: events(
        [
          { type: 'response.created', response },
          { type: 'response.output_item.done', output_index: 0, item },
          { type: 'response.completed', response: { ...response, usage } },
        ],
        true,
      ),
    };
  },
};
