import type { Transport } from '@modelcontextprotocol/client';
import { isObject } from '../../core/base/json';

/** More messages of a program in one second are a flood, which ends its connection. */
export const mostPerSecond = 50_000;
/** More notifications in one second are dropped unread. */
const mostNotesPerSecond = 300;

/** Counts what one server sends, second by second. */
export class MessageRate {
  #second = 0;
  #messages = 0;
  #notes = 0;

  /** Counts a message; true where it is one too many. */
  isFlood(): boolean {
    this.#turn();
    return ++this.#messages > mostPerSecond;
  }

  /** Counts a notification; false where it is one too many. Anything else is taken. */
  takes(message: unknown): boolean {
    this.#turn();
    return !isNote(message) || ++this.#notes <= mostNotesPerSecond;
  }

  #turn(): void {
    const now = Math.floor(performance.now() / 1000);
    if (now !== this.#second) [this.#second, this.#messages, this.#notes] = [now, 0, 0];
  }
}

export function isNote(message: unknown): boolean {
  return isObject(message) && 'method' in message && !('id' in message);
}

/** Has a transport of the SDK hand on what its server's rate allows. */
export function dropsFloods<T extends Transport>(transport: T): T {
  const rate = new MessageRate();
  let take: Transport['onmessage'];
  const counted: Transport['onmessage'] = (message, extra) => {
    if (rate.takes(message)) take?.(message, extra);
  };
  return Object.defineProperty(transport, 'onmessage', {
    get: () => take && counted,
    // What was here before is called by what comes in its place, or put back.
    set: (to: Transport['onmessage']) => {
      take = to;
    },
  });
}
