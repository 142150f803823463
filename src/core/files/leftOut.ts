import type { LeftOutCounts } from '../ports/fileSearch';

/** Counts what was left out, by reason. */
export class LeftOut {
  readonly #counts = new Map<string, number>();

  add(reason: string, count = 1): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + count);
  }

  addAll(counts: LeftOutCounts): void {
    for (const [reason, count] of Object.entries(counts)) this.add(reason, count);
  }

  get counts(): LeftOutCounts {
    return Object.fromEntries(this.#counts);
  }

  /** As a field of a payload; nothing where nothing was left out. */
  get field(): { left_out?: readonly { readonly reason: string; readonly count: number }[] } {
    return this.#counts.size === 0 ? {} : { left_out: [...this.#counts].map(([reason, count]) => ({ reason, count })) };
  }
}
