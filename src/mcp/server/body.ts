import type { IncomingMessage } from 'node:http';
import { tooDeepAt } from '../../core/base/nesting';

/** What came of reading a body: JSON, or the status with which the request is refused. */
type Body =
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'refused'; readonly status: 400 | 408 | 413 | 415; readonly message: string };

const deepest = 64;

/** How much of a body is read, and how long its sender may take for all of it. */
export interface BodyLimits {
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/**
 * Reads a JSON body of bounded size and depth. A body that is too large, or comes too slowly, is not read to its end.
 */
export async function readJsonBody(request: IncomingMessage, { maxBytes, timeoutMs }: BodyLimits): Promise<Body> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json(?:\s*;|$)/i.test(type))
    return { type: 'refused', status: 415, message: 'the content type must be application/json' };
  const tooLarge: Body = { type: 'refused', status: 413, message: `the body must have at most ${maxBytes} bytes` };
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge;
  const text = await readText(request, { maxBytes, timeoutMs });
  if (text === 'too-large') return tooLarge;
  if (text === 'too-slow')
    return { type: 'refused', status: 408, message: `the body must arrive within ${timeoutMs / 1000} s` };
  if (text === 'broken') return { type: 'refused', status: 400, message: 'the body ended early' };
  return readJson(text.whole);
}

type BodyText = { readonly whole: string } | 'too-large' | 'too-slow' | 'broken';

/** The whole time counts, not the pause between two bytes: a sender of single bytes never pauses for long. */
function readText(request: IncomingMessage, { maxBytes, timeoutMs }: BodyLimits): Promise<BodyText> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (answer: BodyText): void => {
      clearTimeout(timer);
      request.off('data', onData);
      request.off('end', onEnd);
      request.off('close', onClose);
      resolve(answer);
    };
    const onData = (part: Buffer): void => {
      bytes += part.length;
      if (bytes > maxBytes) end('too-large');
      else chunks.push(part);
    };
    const onEnd = (): void => end({ whole: Buffer.concat(chunks).toString('utf8') });
    const onClose = (): void => end('broken');
    const timer = setTimeout(() => end('too-slow'), timeoutMs);
    request.on('data', onData);
    request.once('end', onEnd);
    request.once('close', onClose);
    // A body that breaks off closes the request too; without a listener its error would end the process.
    request.on('error', onClose);
  });
}

function readJson(text: string): Body {
  if (tooDeepAt(text, deepest) !== undefined)
    return { type: 'refused', status: 400, message: `the body must be nested at most ${deepest} levels deep` };
  try {
    return { type: 'json', value: JSON.parse(text) };
  } catch {
    return { type: 'refused', status: 400, message: 'the body is not valid JSON' };
  }
}
