import { createServer } from 'node:http';
import type { Disposable } from '../../core/base/lifecycle';
import { plainWords } from '../../core/base/translate';
import type { Language } from '../../core/foreign/serverUser';
import { listenOnLoopback, portOf } from '../listenOnLoopback';

/** Where the browser comes back to after a person signed in somewhere. */
export interface RedirectListener extends Disposable {
  readonly port: number;
  readonly redirectUrl: string;
  /**
   * Resolves with the parameters of the first return that carries this state; others are refused and change nothing.
   */
  returned(state: string, signal: AbortSignal): Promise<URLSearchParams>;
}

const path = '/callback';
const page = (language: string, text: string): string =>
  `<!doctype html><html lang="${language}"><meta charset="utf-8"><title>Agent Capabilities</title><body><h1>Agent Capabilities</h1><p>${text}</p></body></html>`;

/**
 * Listens on 127.0.0.1 for one sign-in, on the wanted port where it is free (a client that was registered with an
 * address keeps it), else on any. It lives only while somebody signs in, whose language its page has.
 */
export async function listenForRedirect(
  wantedPort: number | undefined,
  { tag, t }: Language = { tag: 'en', t: plainWords },
): Promise<RedirectListener> {
  let wanted: { readonly state: string; readonly settle: (parameters: URLSearchParams) => void } | undefined;
  const server = createServer(
    { headersTimeout: 5000, requestTimeout: 5000, maxHeaderSize: 32_768 },
    (request, response) => {
      response.setHeader('connection', 'close');
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.setHeader('cache-control', 'no-store');
      response.setHeader('referrer-policy', 'no-referrer');
      const url = new URL(request.url ?? '/', `http://127.0.0.1:${portOf(server)}`);
      const isHere =
        request.headers.host === `127.0.0.1:${portOf(server)}` && request.method === 'GET' && url.pathname === path;
      if (!isHere || !wanted || url.searchParams.get('state') !== wanted.state) {
        response.writeHead(isHere ? 400 : 404).end(page(tag, t('This page belongs to no sign-in that is under way.')));
        return;
      }
      response.end(page(tag, t('Thank you. You can close this page and go back to the editor.')));
      const { settle } = wanted;
      wanted = undefined;
      settle(url.searchParams);
    },
  );
  server.maxConnections = 16;
  const port = await listenOnLoopback(server, wantedPort ?? 0).catch((error: unknown) => {
    if (wantedPort === undefined) throw error;
    return listenOnLoopback(server, 0);
  });
  return {
    port,
    redirectUrl: `http://127.0.0.1:${port}${path}`,
    returned: (state, signal) =>
      new Promise((resolve, reject) => {
        const onAbort = (): void => {
          wanted = undefined;
          reject(new Error('nobody signed in'));
        };
        if (signal.aborted) return onAbort();
        signal.addEventListener('abort', onAbort, { once: true });
        wanted = {
          state,
          settle: (parameters) => {
            signal.removeEventListener('abort', onAbort);
            resolve(parameters);
          },
        };
      }),
    dispose() {
      server.close();
      // The page that says thanks may still be on its way.
      setTimeout(() => server.closeAllConnections(), 1000).unref();
    },
  };
}
