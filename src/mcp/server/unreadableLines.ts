import type { Readable, Writable } from 'node:stream';
import { isJSONRPCRequest } from '@modelcontextprotocol/server';
import { isObject, parsedJson, typeName } from '../../core/base/json';
import { type Disposable, toDisposable } from '../../core/base/lifecycle';
import { ByteLines } from '../byteLines';

const answer = (code: number, message: string, id: string | number | null = null): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`;

const noJson = answer(-32_700, 'the line is no JSON');

/**
 * Answers each line that is no JSON (-32700), no message (-32600) or a request whose `_meta` cannot be read (-32602) as
 * JSON-RPC asks for, which the SDK passes over in silence. It reads beside the transport and takes nothing from it; it
 * ends with a line longer than `longest` bytes, as the transport does.
 */
export function answerUnreadableLines(input: Readable, output: Writable, longest: number): Disposable {
  const lines = new ByteLines();
  const onData = (data: Buffer | string): void => {
    lines.add(typeof data === 'string' ? Buffer.from(data) : data, (line) => {
      const fault = faultOf(line.toString('utf8'));
      if (fault !== undefined) output.write(fault);
    });
    if (lines.pending <= longest) return;
    lines.clear();
    input.off('data', onData);
  };
  input.on('data', onData);
  return toDisposable(() => input.off('data', onData));
}

/** The answer to a line that is no message. An empty line says nothing, so that nothing has to be answered. */
function faultOf(line: string): string | undefined {
  if (line.trim() === '') return undefined;
  const message = parsedJson(line);
  if (message === undefined) return noJson;
  if (!isObject(message)) return answer(-32_600, `the message must be an object (got ${typeName(message)})`);
  const { id } = message;
  const known = typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id)) ? id : null;
  if (message['jsonrpc'] !== '2.0') return answer(-32_600, 'the message needs `"jsonrpc": "2.0"`', known);
  if ('result' in message || 'error' in message) return undefined;
  const { method, params } = message;
  if (typeof method !== 'string') return answer(-32_600, 'the message needs a `method` that is a string', known);
  if (id !== undefined && typeof id !== 'string' && !Number.isSafeInteger(id))
    return answer(-32_600, 'the `id` must be a string or a whole number of at most 2^53 - 1', known);
  if (params !== undefined && !isObject(params))
    return answer(-32_600, `\`params\` must be an object (got ${typeName(params)})`, known);
  if (id === undefined || isJSONRPCRequest(message)) return undefined;
  return answer(
    -32_602,
    'the `_meta` of `params` must be an object whose `progressToken` is a string or whole number',
    known,
  );
}
