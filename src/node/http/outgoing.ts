import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import * as tls from 'node:tls';
import { say } from '../../core/base/sentence';
import { networkError } from '../../core/net/errors';
import { checkedHost, isLoopback, type ResolvedAddress, type Resolving } from './resolve';

/** The way out of this machine: who is looked up where, what may be private, and through which proxy it goes. */
export interface Network extends Resolving {
  allowedPrivateHosts(): readonly string[];
  /**
   * The proxy for a URL. The name is still looked up and judged here first; but the proxy looks it up again by itself,
   * so behind a proxy nothing pins the address, and a resolver that changes its answer can lead the proxy elsewhere.
   */
  proxyFor?(url: URL): URL | undefined;
}

/** Where one request goes: the addresses that were judged, or a proxy after they were. */
export interface Route {
  readonly addresses: readonly ResolvedAddress[];
  readonly proxy: URL | undefined;
}

interface OutgoingRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal;
  readonly body?: string | Uint8Array | undefined;
}

/** Bytes of an answer's head; more ends the request. Node's own default, stated so that no start-up flag widens it. */
export const maxHeaderSize = 16_384;

/** Judges where a URL leads. Throws `address_refused` before anything is connected. */
export async function routeTo(url: URL, network: Network): Promise<Route> {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const addresses = await checkedHost(url.hostname, port, network);
  // A proxy would look for this machine on itself.
  const isHere = addresses.every(({ address }) => isLoopback(address));
  return { addresses, proxy: isHere ? undefined : network.proxyFor?.(url) };
}

/**
 * Sends a request over a connection of its own, to the judged addresses, and answers when the head of the answer is
 * there.
 */
export function exchangeHeads(
  url: URL,
  request: OutgoingRequest,
  { addresses, proxy }: Route,
): Promise<http.IncomingMessage> {
  const { headers, signal } = request;
  const common: http.RequestOptions = { method: request.method, headers, signal, maxHeaderSize, agent: false };
  const secure = url.protocol === 'https:';
  const servername = /^[\d.]+$|^\[/.test(url.hostname) ? '' : url.hostname;
  return new Promise((resolve, reject) => {
    const start = (settings: https.RequestOptions, module: typeof http | typeof https): void => {
      const outgoing = module.request({ ...common, ...settings });
      outgoing.on('error', reject);
      outgoing.on('response', resolve);
      // An upgrade was never asked for.
      outgoing.on('upgrade', (_message, socket) => {
        socket.destroy();
        reject(networkError(say('network_upgrade', url.hostname), false));
      });
      outgoing.end(request.body);
    };
    const path = `${url.pathname}${url.search}`;
    if (!proxy) {
      const hostname = url.hostname.replace(/^\[|\]$/g, '');
      start(
        { host: hostname, port: url.port || undefined, path, servername, lookup: pinned(addresses) },
        secure ? https : http,
      );
    } else if (!secure) {
      headers['host'] = url.host;
      start({ ...proxyTarget(proxy, headers), path: url.href }, proxy.protocol === 'https:' ? https : http);
    } else {
      tunnel(url, proxy, signal).then((socket) => {
        const createConnection = (): Socket => tls.connect({ socket, servername });
        start({ host: url.hostname, port: url.port || undefined, path, servername, createConnection }, https);
      }, reject);
    }
  });
}

function proxyTarget(proxy: URL, headers: Record<string, string>): http.RequestOptions {
  if (proxy.username !== '') {
    const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    headers['proxy-authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`;
  }
  return { host: proxy.hostname.replace(/^\[|\]$/g, ''), port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80) };
}

/** Opens a tunnel through a proxy for an encrypted connection. */
function tunnel(url: URL, proxy: URL, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = { host: `${url.hostname}:${url.port || 443}` };
    const module = proxy.protocol === 'https:' ? https : http;
    const target = proxyTarget(proxy, headers);
    const outgoing = module.request({
      ...target,
      method: 'CONNECT',
      path: `${url.hostname}:${url.port || 443}`,
      headers,
      signal,
      agent: false,
    });
    outgoing.on('error', reject);
    outgoing.on('connect', (answer, socket) => {
      if (answer.statusCode === 200) resolve(socket);
      else {
        socket.destroy();
        reject(networkError(say('network_proxy_refused', proxy.host, answer.statusCode ?? 0), true));
      }
    });
    outgoing.end();
  });
}

type LookupCallback = (
  error: Error | null,
  address: string | { address: string; family: number }[],
  family?: number,
) => void;

/** A `lookup` that knows one answer only: the addresses that were checked. */
export function pinned(addresses: readonly ResolvedAddress[]): NonNullable<http.RequestOptions['lookup']> {
  return (_hostname, options, callback) => {
    // Node calls back with a list where `all` is set and with one address otherwise; its types know the second form
    // only.
    const answer = callback as LookupCallback;
    const first = addresses[0];
    if (options.all)
      answer(
        null,
        addresses.map(({ address, family }) => ({ address, family })),
      );
    else if (first) answer(null, first.address, first.family);
    else answer(new Error('no address'), []);
  };
}
