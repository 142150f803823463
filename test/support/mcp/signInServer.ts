import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += String(part);
  return text;
}

/**
 * An MCP server over HTTP that wants a token, with its own authorization server: discovery, registration, PKCE,
 * refresh. What it was asked is in `seen`; a test changes `accepted` to make tokens expire.
 */
export async function signInServer(
  options: { tokenLife?: 'long' | 'one-call'; revocation?: 'none' | 'broken' | 'issued by another' } = {},
) {
  const seen = {
    registered: 0,
    authorized: 0,
    refreshed: 0,
    revoked: [] as Record<string, string>[],
    tokensAt: [] as string[],
    redirects: [] as string[],
  };
  const accepted = new Set<string>();
  /** While the authorization server fails. */
  const at = { isOut: false };
  const codes = new Map<string, string>();
  const refreshes = new Set<string>();
  const server = createServer(async (request, response) => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const url = new URL(request.url ?? '/', base);
    const json = (status: number, value: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    };
    const authorization = request.headers.authorization;
    if (authorization !== undefined) seen.tokensAt.push(url.pathname);
    if (url.pathname === '/.well-known/oauth-protected-resource/mcp')
      return json(200, { resource: `${base}/mcp`, authorization_servers: [base], scopes_supported: ['use'] });
    if (at.isOut && url.pathname !== '/mcp') return json(503, {});
    if (url.pathname === '/.well-known/oauth-authorization-server')
      return json(200, {
        issuer: options.revocation === 'issued by another' && accepted.size > 0 ? `${base}/` : base,
        ...(options.revocation === 'none' ? {} : { revocation_endpoint: `${base}/revoke` }),
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
        code_challenge_methods_supported: ['S256'],
      });
    if (url.pathname === '/register') {
      seen.registered++;
      return json(201, { ...JSON.parse(await bodyOf(request)), client_id: `client-${seen.registered}` });
    }
    if (url.pathname === '/authorize') {
      seen.authorized++;
      const redirect = new URL(url.searchParams.get('redirect_uri') ?? '');
      seen.redirects.push(redirect.href);
      const code = randomUUID();
      codes.set(code, url.searchParams.get('code_challenge') ?? '');
      redirect.searchParams.set('code', code);
      redirect.searchParams.set('state', url.searchParams.get('state') ?? '');
      response.writeHead(302, { location: redirect.href }).end();
      return;
    }
    if (url.pathname === '/token') {
      const form = new URLSearchParams(await bodyOf(request));
      const isRefresh = form.get('grant_type') === 'refresh_token';
      const challenge = codes.get(form.get('code') ?? '');
      const proof = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (isRefresh ? !refreshes.delete(form.get('refresh_token') ?? '') : challenge !== proof)
        return json(400, { error: 'invalid_grant' });
      if (form.get('resource') !== `${base}/mcp`) return json(400, { error: 'invalid_target' });
      if (isRefresh) seen.refreshed++;
      const [access, refresh] = [randomUUID(), randomUUID()];
      accepted.add(access);
      refreshes.add(refresh);
      return json(200, { access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: 3600 });
    }
    if (url.pathname === '/revoke') {
      const form = new URLSearchParams(await bodyOf(request));
      seen.revoked.push(Object.fromEntries(form));
      if (options.revocation === 'broken') return json(503, {});
      refreshes.delete(form.get('token') ?? '');
      accepted.clear();
      return json(200, {});
    }
    const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
    if (token === undefined || !accepted.has(token))
      return json(
        401,
        { error: 'unauthorized' },
        { 'www-authenticate': `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"` },
      );
    if (request.method !== 'POST') return json(405, {});
    const message = JSON.parse(await bodyOf(request)) as {
      id?: number;
      method: string;
      params?: { protocolVersion?: string };
    };
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'guarded', version: '1' },
      },
      'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: 'you signed in' }] },
    };
    if (message.method === 'tools/call' && options.tokenLife === 'one-call') accepted.delete(token);
    json(200, { jsonrpc: '2.0', id: message.id, result: results[message.method] ?? {} });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    seen,
    accepted,
    at,
    refreshes,
    host: `127.0.0.1:${port}`,
    entry: { type: 'http', url: `http://127.0.0.1:${port}/mcp`, protocol: '2025-11-25' },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
