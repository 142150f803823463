import { otlpLogs } from '../../core/audit/export';
import type { AuditRecord } from '../../core/audit/record';
import { proxyFor, readProxySettings } from '../http/proxy';
import { streamed } from '../http/streamed';
import { saidBy, SaidError, say, type Sentence } from '../../core/base/sentence';

const batchSize = 256;
const maxQueued = 4096;
const delayMs = 3000;
const timeoutMs = 10_000;
const mostAnswer = 1_000_000;

interface OtlpOptions {
  /** The collector's address; `/v1/logs` is added where it is missing. Empty sends nothing. Asked at every batch. */
  readonly endpoint: () => string;
  readonly version: string;
  readonly onProblem?: (said: Sentence) => void;
}

/**
 * Sends records to a team's collector in batches. It never holds up the log: its queue is bounded, and what does not
 * fit is left out.
 */
export class OtlpPusher {
  readonly #options: OtlpOptions;
  #queue: AuditRecord[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending = false;
  #reported = false;

  constructor(options: OtlpOptions) {
    this.#options = options;
  }

  push(record: AuditRecord): void {
    if (this.#options.endpoint() === '') return;
    if (this.#queue.length >= maxQueued) return;
    this.#queue.push(record);
    if (this.#queue.length >= batchSize) void this.flush();
    else this.#schedule();
  }

  /** Sends what is queued, one batch after the other; resolves when the queue is empty or a batch failed. */
  async flush(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      while (this.#queue.length > 0 && this.#options.endpoint() !== '') {
        const batch = this.#queue.slice(0, batchSize);
        await this.#send(batch);
        this.#queue = this.#queue.slice(batch.length);
        this.#reported = false;
      }
    } catch (error) {
      if (!this.#reported) this.#options.onProblem?.(say('audit_not_sent', saidBy(error)));
      this.#reported = true;
      this.#schedule();
    } finally {
      this.#sending = false;
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#queue = [];
  }

  async #send(batch: readonly AuditRecord[]): Promise<void> {
    const endpoint = this.#options.endpoint().replace(/(?<!\/)\/+$/, '');
    const url = endpoint.endsWith('/v1/logs') ? endpoint : `${endpoint}/v1/logs`;
    // The collector is the user's choice and may be private, as far as its own name goes; a redirect is not followed,
    // because a collector that moves must be set anew: it could carry the audit elsewhere.
    const request = new Request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(otlpLogs(batch, this.#options.version)),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { hostname } = new URL(url);
    const proxies = readProxySettings(process.env);
    const response = await streamed(request, mostAnswer, {
      allowedPrivateHosts: () => [hostname],
      proxyFor: (target) => proxyFor(target, proxies),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new SaidError(say('audit_collector_answered', response.status));
  }

  #schedule(): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, delayMs);
    this.#timer.unref();
  }
}
