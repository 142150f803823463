import { events, isRecord, type Protocol, records, textOf } from './script';

/** `generateContent`, as Gemini CLI asks for it. */
export const gemini: Protocol = {
  handles: (path) => /:(?:stream)?generateContent/i.test(path),
  results(body) {
    if (records(body['tools']).length === 0) return undefined;
    return records(body['contents'])
      .flatMap(({ parts }) => records(parts))
      .map((part) => part['functionResponse'])
      .filter(isRecord)
      .map(({ response }) => textOf(response));
  },
  tools: (body) =>
    records(body['tools'])
      .flatMap(({ functionDeclarations }) => records(functionDeclarations))
      .map(({ name }) => String(name)),
  answer({ id, call, text }, _body, path) {
    const part = call ? { functionCall: { id: `call_${id}`, name: call.tool, args: call.input } } : { text };
    const answer = {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    };
    return path.includes('streamGenerateContent')
      ? { type: 'text/event-stream', text: events([answer], false) }
      : { type: 'application/json', text: JSON.stringify(answer) };
  },
};
