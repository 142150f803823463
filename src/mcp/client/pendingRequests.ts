import type { Disposable } from '../../core/base/lifecycle';
import { errorOf } from '../../core/base/errorText';
import { ConnectionLost } from './connectionLost';

/** A progress notification's content. */
interface PlainProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

export interface PlainRequestOptions {
  /** Calls once when the caller cancels and when the tool's timeout, which the gate keeps, is over. */
  readonly onStop: (listener: () => void) => Disposable;
  readonly onProgress: (progress: PlainProgress) => void;
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress: PlainRequestOptions['onProgress'];
  stopping: Disposable | undefined;
}

/** Ours are told from the protocol layer's, whose ids are numbers. */
const prefix = 'ac-';
/** The most calls that wait for one server at a time. */
const mostPending = 256;

/** Requests that were sent past the protocol layer, until each is answered, cancelled or late. */
export class PendingRequests {
  readonly #write: (message: unknown) => Promise<void>;
  readonly #pending = new Map<string, Pending>();
  #next = 1;

  constructor(write: (message: unknown) => Promise<void>) {
    this.#write = write;
  }

  send(method: string, params: Readonly<Record<string, unknown>>, options: PlainRequestOptions): Promise<unknown> {
    if (this.#pending.size >= mostPending)
      return Promise.reject(new Error(`more than ${mostPending} calls wait for the server`));
    const id = `${prefix}${this.#next++}`;
    return new Promise((resolve, reject) => {
      let isSent = false;
      const cancel = (): void => {
        if (!this.#finish(id)) return;
        reject(new DOMException('cancelled', 'AbortError'));
        if (!isSent) return;
        // A server that is gone needs no word about it.
        this.#write({
          jsonrpc: '2.0',
          method: 'notifications/cancelled',
          params: { requestId: id, reason: 'cancelled' },
        }).catch(() => undefined);
      };
      const pending: Pending = { resolve, reject, onProgress: options.onProgress, stopping: undefined };
      this.#pending.set(id, pending);
      pending.stopping = options.onStop(cancel);
      // It was over before it began.
      if (!this.#pending.has(id)) return;
      isSent = true;
      this.#write({ jsonrpc: '2.0', id, method, params: { ...params, _meta: { progressToken: id } } }).catch(
        (error: unknown) => {
          this.#finish(id);
          reject(errorOf(error));
        },
      );
    });
  }

  /**
   * Takes a message that belongs to one of these requests; false leaves it to the protocol layer. A second answer is
   * dropped.
   */
  take(message: unknown): boolean {
    if (typeof message !== 'object' || message === null) return false;
    if ('method' in message)
      return message.method === 'notifications/progress' && 'params' in message && this.#progress(message.params);
    if (!('id' in message) || typeof message.id !== 'string' || !message.id.startsWith(prefix)) return false;
    const pending = this.#finish(message.id);
    if (!pending) return true;
    if ('error' in message && message.error !== undefined) pending.reject(new Error(errorText(message.error)));
    else if ('result' in message) pending.resolve(message.result);
    else pending.reject(new Error('the answer has neither result nor error'));
    return true;
  }

  close(): void {
    for (const id of [...this.#pending.keys()])
      this.#finish(id)?.reject(new ConnectionLost('the connection was closed'));
  }

  #finish(id: string): Pending | undefined {
    const pending = this.#pending.get(id);
    if (!pending) return undefined;
    this.#pending.delete(id);
    pending.stopping?.dispose();
    return pending;
  }

  #progress(params: unknown): boolean {
    if (typeof params !== 'object' || params === null || !('progressToken' in params)) return false;
    const { progressToken } = params;
    if (typeof progressToken !== 'string' || !progressToken.startsWith(prefix)) return false;
    const pending = this.#pending.get(progressToken);
    const progress = 'progress' in params ? params.progress : undefined;
    if (!pending || typeof progress !== 'number') return true;
    const total = 'total' in params && typeof params.total === 'number' ? params.total : undefined;
    const message = 'message' in params && typeof params.message === 'string' ? params.message : undefined;
    pending.onProgress({ progress, total, message });
    return true;
  }
}

function errorText(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string')
    return error.message;
  return 'the server gave no reason';
}
