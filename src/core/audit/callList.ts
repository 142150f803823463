import type { AuditRow } from './viewModel';

/** One call with all of its records that were read, or a single record that belongs to no call. */
export interface CallEntry {
  /** What the newest record says; what it leaves open is taken from the older ones. */
  readonly row: AuditRow;
  /** The time of the newest record in milliseconds since 1970. */
  readonly time: number;
}

/** Calls that followed one another without a longer pause. */
export interface Burst {
  /** Stays the same while newer calls are added. */
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly calls: number;
  /** Records that belong to no call: a changed setting, a server that stopped. */
  readonly others: number;
  /** By rules and the like, not by a person. */
  readonly denied: number;
  /** A person said no. */
  readonly declined: number;
  readonly failed: number;
  readonly isOpen: boolean;
}

/** A line of the list. */
export type ListItem =
  { readonly kind: 'burst'; readonly burst: Burst } | { readonly kind: 'call'; readonly entry: CallEntry };

type MutableEntry = { -readonly [K in keyof CallEntry]: CallEntry[K] };

/** A pause that is longer than this ends a burst. */
const pauseMs = 120_000;

/**
 * The records of the audit as lines for a person: one line a call, however many records it left, below the burst that
 * it belongs to. The newest stand first.
 */
export class CallList {
  #entries: MutableEntry[] = [];
  readonly #byCall = new Map<string, MutableEntry>();
  readonly #closed = new Set<string>();
  #items: readonly ListItem[] = [];

  get items(): readonly ListItem[] {
    return this.#items;
  }

  /** All calls and other records, the newest first, whether their burst is open or not. */
  get entries(): readonly CallEntry[] {
    return this.#entries;
  }

  reset(): void {
    this.#entries = [];
    this.#byCall.clear();
    this.#items = [];
  }

  /** Adds older records, the newest first. */
  append(rows: readonly AuditRow[]): void {
    for (const row of rows) {
      const known = this.#known(row);
      if (known) known.row = joined(known.row, row);
      else this.#entries.push(this.#remember(row));
    }
    this.#arrange();
  }

  /** Puts newer records, the newest first, on top; of all calls, the newest `limit` are kept. */
  prepend(rows: readonly AuditRow[], limit: number): void {
    const fresh = new Set<MutableEntry>();
    for (const row of [...rows].reverse()) {
      const entry = this.#known(row) ?? this.#remember(row);
      entry.row = joined(row, entry.row);
      entry.time = timeOf(row);
      // A call that was known moves to where its newest record belongs.
      fresh.delete(entry);
      fresh.add(entry);
    }
    this.#entries = [...[...fresh].reverse(), ...this.#entries.filter((entry) => !fresh.has(entry))];
    for (const { row } of this.#entries.splice(limit)) if (row.call !== undefined) this.#byCall.delete(row.call);
    this.#arrange();
  }

  /** Closes an open burst, or opens a closed one. */
  toggle(burst: string): void {
    if (!this.#closed.delete(burst)) this.#closed.add(burst);
    this.#arrange();
  }

  #known(row: AuditRow): MutableEntry | undefined {
    return row.call === undefined ? undefined : this.#byCall.get(row.call);
  }

  #remember(row: AuditRow): MutableEntry {
    const entry = { row, time: timeOf(row) };
    if (row.call !== undefined) this.#byCall.set(row.call, entry);
    return entry;
  }

  #arrange(): void {
    const items: ListItem[] = [];
    for (let start = 0; start < this.#entries.length;) {
      const end = this.#endOfBurst(start);
      const burst = this.#burst(this.#entries.slice(start, end));
      items.push({ kind: 'burst', burst });
      if (burst.isOpen) for (const entry of this.#entries.slice(start, end)) items.push({ kind: 'call', entry });
      start = end;
    }
    this.#items = items;
  }

  /** Where the burst that begins at `start` ends: before a longer pause, or before another day. */
  #endOfBurst(start: number): number {
    let last = this.#entries[start]?.time ?? 0;
    const day = new Date(last).setHours(0, 0, 0, 0);
    let end = start + 1;
    for (; end < this.#entries.length; end++) {
      const time = this.#entries[end]?.time ?? 0;
      if (last - time > pauseMs || time < day) break;
      last = time;
    }
    return end;
  }

  #burst(entries: readonly CallEntry[]): Burst {
    const id = entries.at(-1)?.row.key ?? '';
    const count = (test: (row: AuditRow) => boolean): number => entries.filter(({ row }) => test(row)).length;
    const calls = count((row) => row.call !== undefined);
    return {
      id,
      from: entries.at(-1)?.time ?? 0,
      to: entries[0]?.time ?? 0,
      calls,
      others: entries.length - calls,
      denied: count((row) => row.outcome === 'denied' && row.isDeclined !== true),
      declined: count((row) => row.isDeclined === true),
      failed: count((row) => row.outcome === 'tool_error' || row.outcome === 'internal_error'),
      isOpen: !this.#closed.has(id),
    };
  }
}

const timeOf = (row: AuditRow): number => Date.parse(row.time) || 0;

/** What two records of one call say together; the newer one has the word. */
function joined(newer: AuditRow, older: AuditRow): AuditRow {
  return {
    ...newer,
    what: newer.what === '' ? older.what : newer.what,
    ...(newer.ms === undefined && older.ms !== undefined ? { ms: older.ms } : {}),
  };
}
