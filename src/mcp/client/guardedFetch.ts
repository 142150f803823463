import { notAvailable } from '../../core/vocabulary/errors';
import type { HttpClient } from '../../core/ports/http';

/** The most bytes of one message from a server. */
export const maxMessageBytes = 16 * 1024 * 1024;

/**
 * The `fetch` for MCP over HTTP, sign-in included: the extension's one way out, which judges and pins every address and
 * follows no redirect by itself. Private and loopback addresses need an entry in `network.allowedPrivateHosts`; a name
 * never leads to a metadata service.
 */
export function guardedFetch(
  http: HttpClient,
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  return async (input, init) => {
    if (!http.fetch) throw notAvailable('MCP over HTTP', 'there is no network here');
    return http.fetch(
      input instanceof Request ? new Request(input, init) : new Request(String(input), init),
      maxMessageBytes,
    );
  };
}
