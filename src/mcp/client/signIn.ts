import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
} from '@modelcontextprotocol/client';
import { defined } from '../../core/base/json';
import { isToolError, toolError } from '../../core/vocabulary/errors';
import type { ServerUser } from '../../core/foreign/serverUser';
import { OAuthClient, type OAuthClientSetup } from './oauthClient';
import { listenForRedirect, type RedirectListener } from './redirectListener';
import { errorOf, firstLine } from '../../core/base/errorText';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

interface SignInSetup extends OAuthClientSetup {
  readonly server: string;
  /** The scopes to ask for where the server names none. */
  readonly scope?: string;
  readonly user: ServerUser;
  /** Reaches the MCP server and its authorization server; checks every address. */
  readonly fetch: Fetch;
  readonly onLog: (line: string) => void;
  /** Called where signing in failed once the connection stood: whoever signs in next does that in another one. */
  readonly onRefused: (why: Error) => void;
}

/** How long a person has for signing in. */
const signInMs = 5 * 60_000;
/** How often one request may lead to a new authorization: once for the token, once more for scopes that it lacked. */
const mostTries = 2;

interface Challenge {
  readonly scope?: string;
  readonly resourceMetadataUrl?: URL;
  readonly forceReauthorization?: boolean;
}

interface Pending {
  readonly listener: RedirectListener;
  readonly challenge: Challenge;
  readonly url: URL;
}

/** A person has to sign in before the connection can be made. */
class SignInNeeded extends Error {}

/**
 * OAuth for one server over HTTP: adds the token to its requests, renews it, and has the person sign in where that is
 * needed. While a connection is being made a request cannot wait for a person: it fails with `SignInNeeded`, and
 * `finish` does the rest.
 */
export class SignIn {
  readonly #setup: SignInSetup;
  readonly #client: OAuthClient;
  #pending: Pending | undefined;
  #working: Promise<void> | undefined;
  #refused: Error | undefined;
  #scope: string | undefined;
  /** True once the connection stands: then a request waits for the person. */
  isConnected = false;

  constructor(setup: SignInSetup) {
    this.#setup = setup;
    this.#client = new OAuthClient(setup);
  }

  /** A `fetch` for the transport: to be used for the server's own address only. */
  readonly fetch: Fetch = async (input, init) => {
    let response = await this.#send(input, init);
    for (let tries = 0; tries < mostTries; tries++) {
      const challenge = await this.#challengeOf(response);
      if (!challenge) return response;
      await response.body?.cancel();
      await this.#authorize(challenge);
      response = await this.#send(input, init);
    }
    return response;
  };

  /** The person signs in now, after `SignInNeeded`. Rejects where they did not. */
  async finish(signal: AbortSignal): Promise<void> {
    const pending = this.#pending;
    if (!pending) return;
    this.#pending = undefined;
    try {
      await this.#personSignsIn(pending, signal);
    } catch (error) {
      this.#refused = errorOf(error);
      throw error;
    } finally {
      pending.listener.dispose();
    }
  }

  /** True where a connection failed only because a person has to sign in first. */
  get isWaiting(): boolean {
    return this.#pending !== undefined;
  }

  /** Why signing in failed, where it did. */
  get refused(): Error | undefined {
    return this.#refused;
  }

  dispose(): void {
    this.#pending?.listener.dispose();
    this.#pending = undefined;
  }

  async #send(input: string | URL | Request, init: RequestInit | undefined): Promise<Response> {
    const tokens = await this.#client.tokens();
    if (!tokens) return this.#setup.fetch(input, init);
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${tokens.access_token}`);
    return this.#setup.fetch(input, { ...init, headers });
  }

  /** What the answer asks for; undefined where it asks for no authorization. */
  async #challengeOf(response: Response): Promise<Challenge | undefined> {
    const isUnauthorized = response.status === 401;
    if (!isUnauthorized && response.status !== 403) return undefined;
    const { scope, error, resourceMetadataUrl } = extractWWWAuthenticateParams(response);
    if (isUnauthorized) {
      this.#scope = scope ?? this.#setup.scope;
      return defined({ resourceMetadataUrl, scope: this.#scope });
    }
    if (error !== 'insufficient_scope') return undefined;
    const granted = (await this.#client.tokens())?.scope;
    const union = computeScopeUnion(this.#scope, granted, scope);
    this.#scope = union;
    // A renewed token never allows more than the one before.
    const forceReauthorization = isStrictScopeSuperset(union, granted);
    return defined({ resourceMetadataUrl, scope: union, forceReauthorization });
  }

  /** One authorization at a time: requests that came meanwhile wait for the same one. */
  #authorize(challenge: Challenge): Promise<void> {
    if (this.#refused) return Promise.reject(this.#refused);
    if (this.#pending) return Promise.reject(new SignInNeeded('a person has to sign in'));
    this.#working ??= this.#authorizeOnce(challenge).finally(() => {
      this.#working = undefined;
    });
    return this.#working;
  }

  async #authorizeOnce(challenge: Challenge): Promise<void> {
    const { server, user, serverUrl } = this.#setup;
    const { port, tokens } = await this.#client.load();
    if (!user.signIn && tokens?.refresh_token === undefined)
      throw toolError(
        'requirement_failed',
        `the MCP server \`${server}\` wants a person to sign in, and nobody can be asked here`,
      );
    const listener = await listenForRedirect(port, user.language);
    let isKept = false;
    try {
      this.#client.begin(listener.redirectUrl, listener.port);
      const result = await auth(this.#client, { ...challenge, serverUrl, fetchFn: this.#setup.fetch });
      if (result === 'AUTHORIZED') return;
      const url = this.#client.authorizationUrl;
      if (!url) throw new Error('the authorization server names no page to sign in at');
      const pending: Pending = { listener, challenge, url };
      if (this.isConnected) {
        await this.#personSignsIn(pending, AbortSignal.timeout(signInMs));
        return;
      }
      isKept = true;
      this.#pending = pending;
      throw new SignInNeeded('a person has to sign in');
    } catch (error) {
      if (error instanceof SignInNeeded) throw error;
      this.#refused = isToolError(error)
        ? error
        : toolError('requirement_failed', `signing in to the MCP server \`${server}\` failed: ${firstLine(error)}`);
      if (this.isConnected) this.#setup.onRefused(this.#refused);
      throw this.#refused;
    } finally {
      if (!isKept) listener.dispose();
    }
  }

  async #personSignsIn({ listener, challenge, url }: Pending, signal: AbortSignal): Promise<void> {
    const { server, user, serverUrl } = this.#setup;
    const declined = (why: string): Error =>
      toolError('declined', `nobody signed in to the MCP server \`${server}\`: ${why}`);
    if (!user.signIn || !/^https?:$/.test(url.protocol)) throw declined('nobody can be asked here');
    const stop = AbortSignal.any([signal, AbortSignal.timeout(signInMs)]);
    // Listening begins before the page is opened, because a page may come back at once.
    const returned = listener.returned(this.#client.state(), stop);
    returned.catch(() => undefined);
    if (!(await user.signIn({ server, url: url.href, redirectUrl: listener.redirectUrl }, stop)))
      throw declined('the user said no');
    const parameters = await returned.catch(() => {
      throw declined('the sign-in was not finished in time');
    });
    const code = parameters.get('code');
    const iss = parameters.get('iss');
    if (code === null || code === '')
      throw declined(`the authorization server answered ${errorCode(parameters.get('error'))}`);
    const returnedWith = { authorizationCode: code, ...(iss === null ? {} : { iss }) };
    await auth(this.#client, { ...challenge, ...returnedWith, serverUrl, fetchFn: this.#setup.fetch });
    this.#setup.onLog(`signed in at ${url.host}`);
  }
}

/** Only the protocol's own words are shown: the rest of the answer may be written by anybody. */
function errorCode(text: string | null): string {
  return text !== null && /^[a-z_]{1,40}$/.test(text) ? `\`${text}\`` : 'without a code';
}
