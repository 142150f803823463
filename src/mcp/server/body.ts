import type { IncomingMessage } from 'node:http';
import { parsedJson } from '../../core/base/json';
import { tooDeepAt } from '../../core/base/nesting';

/** What came of reading a body: JSON, or the status with which the request is refused. */
type Body = { readonly type: 'json'; readonly value: unknown } | Refused;

interface Refused {
  readonly type: 'refused';
  readonly status: 400 | 408 | 413 | 415;
  readonly message: string;
}

const refused = (status: Refused['status'], message: string): Refused => ({ type: 'refused', status, message });
const tooLarge = (most: number): Refused => refused(413, `the body must have at most ${most} bytes`);

const deepest = 64;

/** How much of a body is read, and how long its sender may take for all of it. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/**
 * Reads a JSON body of bounded size and depth. A body that is too large, or comes too slowly, is not read to its end.
 */
export async function readJsonBody(request: IncomingMessage, limits: BodyLimits): Promise<Body> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json(?:\s*;|$)/i.test(type)) return refused(415, 'the content type must be application/json');
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) return tooLarge(limits.maxBytes);
  const text = await readText(request, limits);
  if (typeof text !== 'string') return text;
  if (tooDeepAt(text, deepest) !== undefined)
    return refused(400, `the body must be nested at most ${deepest} levels deep`);
  const value = parsedJson(text);
  return value === undefined ? refused(400, 'the body is not valid JSON') : { type: 'json', value };
}

/** The whole time counts, not the pause between two bytes: a sender of single bytes never pauses for long. */
function readText(request: IncomingMessage, { maxBytes, timeoutMs }: BodyLimits): Promise<string | Refused> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (answer: string | Refused): void => {
      clearTimeout(timer);
      request.off('data', onData);
      request.off('end', onEnd);
      request.off('close', onClose);
      resolve(answer);
    };
    const onData = (part: Buffer): void => {
      bytes += part.length;
      if (bytes > maxBytes) end(tooLarge(maxBytes));
      else chunks.push(part);
    };
    const onEnd = (): void => end(Buffer.concat(chunks).toString('utf8'));
    const onClose = (): void => end(refused(400, 'the body ended early'));
    const late = refused(408, `the body must arrive within ${timeoutMs / 1000} s`);
    const timer = setTimeout(() => end(late), timeoutMs);
    request.on('data', onData);
    request.once('end', onEnd);
    request.once('close', onClose);
    // A body that breaks off closes the request too; without a listener its error would end the process.
    request.on('error', onClose);
  });
}
