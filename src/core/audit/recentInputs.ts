import { setLast } from '../base/maps';
import type { AuditEvent, AuditSink } from './event';

/**
 * Remembers the arguments of this window's last calls, in memory only, so that a changed policy can be tried on them.
 * The audit keeps their shape; nothing of this reaches a disk, and it is gone with the window.
 */
export class RecentInputs implements AuditSink {
  readonly #inputs = new Map<string, unknown>();
  readonly #calls: number;
  readonly #charactersEach: number;

  /**
   * @param calls so many are kept.
   * @param charactersEach arguments with more are not kept.
   */
  constructor(calls = 1000, charactersEach = 20_000) {
    this.#calls = calls;
    this.#charactersEach = charactersEach;
  }

  record(event: AuditEvent): void {
    if (event.type !== 'invocation.finished' && event.type !== 'policy.violation') return;
    if (!isSmall(event.input, this.#charactersEach)) return;
    setLast(this.#inputs, event.invocationId, event.input, this.#calls);
  }

  /** The arguments of a call, or undefined where they are not kept. */
  of(invocationId: string): { readonly input: unknown } | undefined {
    return this.#inputs.has(invocationId) ? { input: this.#inputs.get(invocationId) } : undefined;
  }
}

/** Tells whether a value holds at most so many characters, without writing it out. */
function isSmall(value: unknown, most: number): boolean {
  let left = most;
  const walk = (one: unknown, depth: number): boolean => {
    left -= typeof one === 'string' ? one.length : 8;
    if (left < 0 || depth > 64) return false;
    if (typeof one !== 'object' || one === null) return true;
    if (Array.isArray(one)) return one.every((item) => walk(item, depth + 1));
    return Object.entries(one).every(([key, item]) => {
      left -= key.length;
      return walk(item, depth + 1);
    });
  };
  return walk(value, 0);
}
