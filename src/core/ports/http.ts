/**
 * One request. The client checks every address that it connects to, literal or looked up, and follows no redirect by
 * itself.
 */
export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** To the end of the answer's head, in milliseconds. */
  readonly firstByteTimeoutMs: number;
  /** From the end of the head to the last byte, in milliseconds. */
  readonly bodyTimeoutMs: number;
  /** The decoded body is cut at so many bytes. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
  /**
   * Asked once the head is there; false leaves the body out (`cut: 'skipped'`) and closes the connection. The default
   * reads it.
   */
  wantBody?(head: HttpHead): boolean;
}

export interface HttpHead {
  readonly status: number;
  /** Lower-case names; several values are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpResponse extends HttpHead {
  readonly url: string;
  /** Decoded: at most one content encoding (gzip, deflate, br, zstd where the runtime has it) is undone. */
  readonly body: Uint8Array;
  /** Why the body is not whole, where it is not: late, too large, connection lost, damaged encoding, not wanted. */
  readonly cut?: 'timeout' | 'size' | 'reset' | 'encoding' | 'skipped';
  /** The address that was connected to; undefined behind a proxy, which looks names up by itself. */
  readonly peerAddress?: string;
  readonly viaProxy?: boolean;
}

/**
 * Sends requests to hosts that policy lets through. Private, loopback, link-local and metadata addresses are refused
 * unless `network.allowedPrivateHosts` names the host. Errors are ToolErrors: `invalid_url`, `address_refused`,
 * `network_error`, `timeout` (no head in time), `cancelled`.
 */
export interface HttpClient {
  send(request: HttpRequest): Promise<HttpResponse>;
  /**
   * The same way out for what speaks `fetch` and streams: addresses judged and pinned, the same proxy, no redirect
   * followed, an answer (or one event of a stream) of more bytes cut off with an error.
   */
  fetch?(request: Request, maxBytes: number): Promise<Response>;
}
