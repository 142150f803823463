import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Why a request is refused before anything of it is read. */
interface Refusal {
  readonly status: 400 | 401 | 403;
  readonly message: string;
}

/**
 * Checks where a request claims to go and to come from. The host must be this server's loopback address with its port,
 * so that a name that is made to point here (DNS rebinding) is refused; a page of any other origin is refused; no
 * origin means a program, which the token judges.
 */
export function checkOrigin(request: IncomingMessage, port: number): Refusal | undefined {
  const hosts = valuesOf(request, 'host');
  const [host, ...moreHosts] = hosts;
  if (host === undefined || moreHosts.length > 0)
    return { status: 400, message: 'the request must have one host header' };
  if (!ownHosts(port).has(host.toLowerCase())) return { status: 403, message: 'this host is not served here' };
  const origins = valuesOf(request, 'origin');
  if (origins.length > 1) return { status: 400, message: 'the request must have at most one origin header' };
  const [origin] = origins;
  if (origin !== undefined && ![...ownHosts(port)].some((own) => origin.toLowerCase() === `http://${own}`))
    return { status: 403, message: 'this origin may not call' };
  return undefined;
}

function ownHosts(port: number): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return new Set([...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])]);
}

/** Every value of a header as it was sent; Node keeps only the first of some. */
function valuesOf(request: IncomingMessage, name: string): readonly string[] {
  const out: string[] = [];
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2)
    if (request.rawHeaders[index]?.toLowerCase() === name) out.push((request.rawHeaders[index + 1] ?? '').trim());
  return out;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares a bearer token in constant time; the digests make the lengths equal. */
export class TokenCheck {
  readonly #expected: Buffer;

  constructor(token: string) {
    this.#expected = digest(token);
  }

  accepts(request: IncomingMessage): boolean {
    const values = valuesOf(request, 'authorization');
    const match = /^bearer +([\x21-\x7e]+)$/i.exec(values[0] ?? '');
    const isEqual = timingSafeEqual(digest(match?.[1] ?? ''), this.#expected);
    return isEqual && values.length === 1 && match !== null;
  }
}
