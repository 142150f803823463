import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { defined, isObject, parsedJson } from '../../core/base/json';
import type { OAuthSpec } from '../../core/foreign/transportSpec';
import type { Crypto, SecretStore } from '../../core/ports/platform';

export interface OAuthClientSetup {
  /** The address of the MCP server; tokens are kept for it and sent nowhere else. */
  readonly serverUrl: URL;
  /** What an entry says about signing in, with its secrets filled in. */
  readonly options: OAuthSpec;
  readonly secrets: SecretStore;
  readonly crypto: Crypto;
}

/** What is kept of a sign-in. */
export interface KeptSignIn {
  readonly client?: StoredOAuthClientInformation;
  readonly tokens?: StoredOAuthTokens;
  /** The port of the address that the client was registered with. */
  readonly port?: number;
}

/** Where the tokens of a server are kept: a name that `${secret:…}` cannot say. */
export function tokenName(crypto: Crypto, serverUrl: URL, clientId: string | undefined): string {
  return `agentCapabilities.mcp.oauth.${crypto.sha256(`${serverUrl.href}\0${clientId ?? ''}`).slice(0, 32)}`;
}

/**
 * Our side of OAuth for one server: who we are, and the tokens, kept in the secret storage. The steps themselves
 * (discovery, registration, PKCE, issuer and resource checks) are the SDK's.
 */
export class OAuthClient implements OAuthClientProvider {
  readonly #setup: OAuthClientSetup;
  readonly #name: string;
  #kept: KeptSignIn | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  #verifier = '';
  #state = '';
  #redirectUrl = 'http://127.0.0.1/callback';
  #port = 0;
  readonly clientMetadataUrl?: string;
  /** The page at which the person signs in, once the SDK has made it. */
  authorizationUrl: URL | undefined;

  constructor(setup: OAuthClientSetup) {
    this.#setup = setup;
    if (setup.options.clientMetadataUrl !== undefined) this.clientMetadataUrl = setup.options.clientMetadataUrl;
    this.#name = tokenName(setup.crypto, setup.serverUrl, setup.options.clientId);
  }

  get redirectUrl(): string {
    return this.#redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Agent Capabilities',
      redirect_uris: [this.#redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  /** Reads what is kept; the port that an earlier registration named comes back. */
  async load(): Promise<{ readonly port: number | undefined; readonly tokens: StoredOAuthTokens | undefined }> {
    this.#kept ??= keptSignIn(await this.#setup.secrets.get(this.#name));
    return { port: this.#kept.port, tokens: this.#kept.tokens };
  }

  /** Begins an attempt: what an earlier one discovered does not count, because the server may have moved. */
  begin(redirectUrl: string, port: number): void {
    this.#redirectUrl = redirectUrl;
    this.#port = port;
    this.#discovery = undefined;
    this.authorizationUrl = undefined;
    this.#state = `${this.#setup.crypto.randomId()}${this.#setup.crypto.randomId()}`;
  }

  state(): string {
    return this.#state;
  }

  async clientInformation(): Promise<StoredOAuthClientInformation | undefined> {
    await this.load();
    const { clientId, clientSecret } = this.#setup.options;
    const kept = this.#kept?.client;
    if (clientId !== undefined)
      return {
        client_id: clientId,
        ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
        // The stamp binds what the user registered to the first issuer that it was used with.
        ...(kept?.client_id === clientId && kept.issuer !== undefined ? { issuer: kept.issuer } : {}),
      };
    const isOfDocument = kept !== undefined && kept.client_id === this.clientMetadataUrl;
    return kept && !isOfDocument && this.#kept?.port !== this.#port ? undefined : kept;
  }

  async saveClientInformation(client: StoredOAuthClientInformation): Promise<void> {
    // The secret that the user gave stays where the user put it.
    const { clientId } = this.#setup.options;
    const stored = clientId === undefined ? client : defined({ client_id: clientId, issuer: client.issuer });
    await this.#keep({ ...this.#kept, client: stored, port: this.#port });
  }

  async tokens(): Promise<StoredOAuthTokens | undefined> {
    return (await this.load()).tokens;
  }

  async saveTokens(tokens: StoredOAuthTokens): Promise<void> {
    await this.#keep({ ...this.#kept, tokens });
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'verifier') this.#verifier = '';
    if (scope === 'discovery' || scope === 'all') this.#discovery = undefined;
    if (scope === 'verifier' || scope === 'discovery') return;
    const { client, tokens, port } = this.#kept ?? {};
    if (scope === 'tokens') await this.#keep(defined({ client, port }));
    else await this.#keep(scope === 'client' ? defined({ tokens }) : {});
  }

  async #keep(kept: KeptSignIn): Promise<void> {
    this.#kept = kept;
    await this.#setup.secrets.set(this.#name, JSON.stringify(kept));
  }
}

/** Reads what this class wrote; anything else is as if nothing were kept. */
export function keptSignIn(text: string | undefined): KeptSignIn {
  const value = parsedJson(text);
  if (!isObject(value)) return {};
  const { client, tokens, port } = value;
  return {
    ...(isClient(client) ? { client } : {}),
    ...(isTokens(tokens) ? { tokens } : {}),
    ...(typeof port === 'number' ? { port } : {}),
  };
}

const isClient = (value: unknown): value is StoredOAuthClientInformation =>
  isObject(value) && typeof value['client_id'] === 'string';
const isTokens = (value: unknown): value is StoredOAuthTokens =>
  isObject(value) && typeof value['access_token'] === 'string' && typeof value['token_type'] === 'string';
