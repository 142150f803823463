import {
  assertSecureTokenEndpoint,
  discoverOAuthServerInfo,
  selectClientAuthMethod,
} from '@modelcontextprotocol/client';
import { fillIn, fillInAll } from '../../core/foreign/fillIn';
import type { McpServerSpec } from '../../core/foreign/serverSpec';
import { guardedFetch } from './guardedFetch';
import { type KeptSignIn, keptSignIn, tokenName } from './oauthClient';
import type { McpClientPorts } from './clientPorts';
import { entryValues } from './serverFolder';
import { messageOf } from '../../core/base/errorText';

/**
 * What became of the tokens: the authorization server was told too, they are only gone from here, or there were none.
 */
export type SignedOut = 'revoked' | 'deleted' | 'none';

/** How long the authorization server may take to be found and told. */
const revokeMs = 5000;

/**
 * Takes the tokens of a server out of the secret storage and asks the authorization server that gave them to forget
 * them (RFC 7009), where it takes such requests. They are gone from here first, whatever becomes of that.
 */
export async function signOut(
  ports: McpClientPorts,
  spec: McpServerSpec,
  onLog: (line: string) => void,
): Promise<SignedOut> {
  const { transport } = spec;
  if (transport.type !== 'http' || !transport.oauth) return 'none';
  const fill = entryValues(ports);
  const url = new URL(await fillIn(transport.url, fill));
  const options = await fillInAll({ ...transport.oauth }, fill);
  const name = tokenName(ports.crypto, url, options['clientId']);
  const kept = keptSignIn(await ports.tokens.get(name));
  await ports.tokens.set(name, undefined);
  if (!kept.tokens) return 'none';
  try {
    const told = await revoke(ports, url, kept, options['clientSecret']);
    onLog(told ? 'signed out: its tokens were revoked' : 'signed out: its authorization server takes no revocation');
    return told ? 'revoked' : 'deleted';
  } catch (error) {
    onLog(`signed out: its tokens could not be revoked (${messageOf(error)})`);
    return 'deleted';
  }
}

async function revoke(ports: McpClientPorts, url: URL, kept: KeptSignIn, secret: string | undefined): Promise<boolean> {
  const { tokens, client } = kept;
  if (!tokens || !client) return false;
  const guarded = guardedFetch(ports.http);
  const signal = AbortSignal.timeout(revokeMs);
  const fetch = (input: string | URL, init?: RequestInit): Promise<Response> => guarded(input, { ...init, signal });
  const { authorizationServerMetadata: metadata } = await discoverOAuthServerInfo(url, { fetchFn: fetch });
  const endpoint = metadata && 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined;
  // A server that names another authorization server than the one that gave the tokens would get them this way.
  if (typeof endpoint !== 'string' || tokens.issuer === undefined || tokens.issuer !== metadata?.issuer) return false;
  assertSecureTokenEndpoint(new URL(endpoint));
  const information = { ...client, ...(secret === undefined ? {} : { client_secret: secret }) };
  const method = selectClientAuthMethod(information, metadata?.token_endpoint_auth_methods_supported ?? []);
  const basic = `Basic ${Buffer.from(`${encodeURIComponent(client.client_id)}:${encodeURIComponent(information.client_secret ?? '')}`).toString('base64')}`;
  // The refresh token ends what was made of it as well; where there is none, the token itself is all there is.
  const [token, hint] =
    tokens.refresh_token === undefined
      ? [tokens.access_token, 'access_token']
      : [tokens.refresh_token, 'refresh_token'];
  const body = new URLSearchParams({ token, token_type_hint: hint });
  if (method !== 'client_secret_basic') body.set('client_id', client.client_id);
  if (method === 'client_secret_post') body.set('client_secret', information.client_secret ?? '');
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(method === 'client_secret_basic' ? { authorization: basic } : {}),
    },
    body,
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`it answered ${response.status}`);
  return true;
}
