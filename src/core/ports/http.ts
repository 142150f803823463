/** One request. The client checks every address that it connects to, literal or looked up, and follows no redirect by itself. */
export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** To the first byte of the answer, in milliseconds. */
  readonly firstByteTimeoutMs: number;
  /** From the first byte to the last, in milliseconds. */
  readonly bodyTimeoutMs: number;
  /** The decoded body is cut at so many bytes. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly url: string;
  readonly status: number;
  /** Lower-case names; several values are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Why the body is not whole, where it is not. */
  readonly cut?: 'timeout' | 'size' | 'reset';
}

/**
 * Sends requests to hosts that policy lets through. Private, loopback, link-local and metadata addresses are refused
 * unless `network.allowedPrivateHosts` names the host. Errors are ToolErrors: `address_refused`, `network_error`, `timeout`.
 */
export interface HttpClient {
  send(request: HttpRequest): Promise<HttpResponse>;
}
