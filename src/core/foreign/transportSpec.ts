/**
 * How a server is reached. `${secret:NAME}` in environment values and headers is filled in when it is started, never
 * before.
 */
export type McpTransportSpec =
  | {
      readonly type: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly type: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      /** How to sign in where the server asks for it; false where it must not be tried. */
      readonly oauth: OAuthSpec | false;
    };

/**
 * What a user knows beforehand about signing in to a server; without it everything is found out and a client is
 * registered.
 */
export interface OAuthSpec {
  /** A client that the user registered with the authorization server. */
  readonly clientId?: string;
  /** Its secret, as `${secret:NAME}`. */
  readonly clientSecret?: string;
  /**
   * The https address of a client id metadata document, for authorization servers that take one in place of a
   * registration.
   */
  readonly clientMetadataUrl?: string;
  /** The scopes to ask for where the server names none, separated by blanks. */
  readonly scope?: string;
}
