import type { Readable, Writable } from 'node:stream';
import { type Disposable, toDisposable } from '../../core/base/lifecycle';

const parseError = `${JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32_700, message: 'the line is no JSON' },
})}\n`;

const newline = 10;

/**
 * Answers each line that is no JSON as JSON-RPC asks for (-32700), which the SDK passes over in silence. It reads beside
 * the transport and takes nothing from it; it ends with a line longer than `longest` bytes, as the transport does.
 */
export function answerUnreadableLines(input: Readable, output: Writable, longest: number): Disposable {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer): void => {
    length += part.length;
    parts.push(part);
  };
  const end = (): void => {
    if (!isReadable(Buffer.concat(parts).toString('utf8'))) output.write(parseError);
    parts = [];
    length = 0;
  };
  const onData = (data: Buffer | string): void => {
    const chunk = typeof data === 'string' ? Buffer.from(data) : data;
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      take(chunk.subarray(from, at));
      end();
      from = at + 1;
    }
    take(chunk.subarray(from));
    if (length <= longest) return;
    parts = [];
    input.off('data', onData);
  };
  input.on('data', onData);
  return toDisposable(() => input.off('data', onData));
}

/** An empty line says nothing, so that nothing has to be answered. */
function isReadable(line: string): boolean {
  if (line.trim() === '') return true;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
