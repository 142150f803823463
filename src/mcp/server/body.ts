import type { IncomingMessage } from 'node:http';
import { nestsDeeperThan } from '../../core/base/nesting';

/** What came of reading a body: JSON, or the status with which the request is refused. */
export type Body =
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'refused'; readonly status: 400 | 413 | 415; readonly message: string };

const deepest = 64;

/** Reads a JSON body of bounded size and depth. A body that is too large is not read to its end. */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json(?:\s*;|$)/i.test(type))
    return { type: 'refused', status: 415, message: 'the content type must be application/json' };
  const tooLarge: Body = { type: 'refused', status: 413, message: `the body must have at most ${maxBytes} bytes` };
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      const part: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      bytes += part.length;
      if (bytes > maxBytes) return tooLarge;
      chunks.push(part);
    }
  } catch {
    return { type: 'refused', status: 400, message: 'the body ended early' };
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (nestsDeeperThan(text, deepest))
    return { type: 'refused', status: 400, message: `the body must be nested at most ${deepest} levels deep` };
  try {
    return { type: 'json', value: JSON.parse(text) };
  } catch {
    return { type: 'refused', status: 400, message: 'the body is not valid JSON' };
  }
}
