import { pause } from '../base/pause';
import { isToolError } from '../vocabulary/errors';
import type { GateCall } from '../call/gateCall';
import type { HttpClient, HttpRequest, HttpResponse } from '../ports/http';
import type { ToolPorts } from '../ports/toolPorts';

/** Milliseconds before the second and the third try; each is shortened by up to a half, so that callers spread. */
const delaysMs = [200, 600];

const passingCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'ETIMEDOUT', 'EAI_AGAIN', 'EPIPE', 'ECONNREFUSED']);

/** One more try of a call, for the record. */
export interface Retry {
  /** What failed: an error code, or `HTTP 503`. */
  readonly cause: string;
  readonly waitedMs: number;
}

/** What a try came to that may go better the next time. */
interface Passing {
  readonly cause: string;
  /** How long the other side asked to wait. */
  readonly afterMs?: number;
}

/** Tells a fault that may pass from one that will stay: undefined for a fault that will stay. */
export function passingFault(error: unknown): Passing | undefined {
  const code = isToolError(error)
    ? error.data.retryable && error.data.code === 'network_error' && error.data.details?.['code']
    : error instanceof Error && 'code' in error && error.code;
  return typeof code === 'string' && passingCodes.has(code) ? { cause: code } : undefined;
}

/** The same for an answer over HTTP. A server that names a time (429, 503) is waited for exactly so long. */
function passingAnswer({ status, headers, cut }: HttpResponse, now: number): Passing | undefined {
  const afterMs = retryAfterMs(headers['retry-after'], now);
  if (cut === 'reset') return { cause: 'ECONNRESET' };
  if (status === 502 || status === 503 || status === 504 || (status === 429 && afterMs !== undefined))
    return { cause: `HTTP ${status}`, ...(afterMs === undefined ? {} : { afterMs }) };
  return undefined;
}

/** `Retry-After` as seconds or as a date (RFC 9110, 10.2.3). */
function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Further tries of one call: only for idempotent tools, with growing waits, and never beyond the call's time. */
export class Retries {
  readonly #call: GateCall;
  readonly #ports: Pick<ToolPorts, 'clock' | 'crypto'>;
  readonly #note: (retry: Retry) => void;

  constructor(call: GateCall, ports: Pick<ToolPorts, 'clock' | 'crypto'>, note: (retry: Retry) => void) {
    this.#call = call;
    this.#ports = ports;
    this.#note = note;
  }

  /**
   * Waits until the next try is due. False where there is none: the tool is not idempotent, it was tried often enough,
   * or the wait would not end within `leftMs`.
   */
  async again(tried: number, passing: Passing, leftMs: number, signal: AbortSignal): Promise<boolean> {
    const delay = delaysMs[tried - 1];
    if (delay === undefined || this.#call.tool.definition.idempotency !== 'idempotent' || signal.aborted) return false;
    const waitedMs = Math.round(Math.max(delay * (1 - this.#random() / 2), passing.afterMs ?? 0));
    if (waitedMs >= leftMs) return false;
    await pause(waitedMs, signal, this.#ports.clock);
    if (signal.aborted) return false;
    this.#note({ cause: passing.cause, waitedMs });
    return true;
  }

  /** Sends a request, and again where the fault or the answer may pass; the last answer or fault is handed over. */
  async send(http: HttpClient, request: HttpRequest, withinMs: number, signal: AbortSignal): Promise<HttpResponse> {
    const end = this.#ports.clock.monotonic() + withinMs;
    for (let tried = 1; ; tried++) {
      const left = end - this.#ports.clock.monotonic();
      let answer: HttpResponse | undefined;
      let fault: unknown;
      try {
        const firstByteTimeoutMs = Math.max(1, Math.min(request.firstByteTimeoutMs, Math.ceil(left)));
        answer = await http.send({ ...request, firstByteTimeoutMs });
      } catch (error) {
        fault = error;
      }
      const passing = answer ? passingAnswer(answer, this.#ports.clock.now()) : passingFault(fault);
      const again = passing && (await this.again(tried, passing, end - this.#ports.clock.monotonic(), signal));
      if (again === true) continue;
      if (answer) return answer;
      throw fault;
    }
  }

  #random(): number {
    return Number.parseInt(this.#ports.crypto.randomId().slice(0, 4), 16) / 0xffff || 0;
  }
}
