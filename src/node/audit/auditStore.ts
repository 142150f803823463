import { randomUUID } from 'node:crypto';
import type { HeadKeeper } from '../../core/audit/head';
import type { AuditEvent, AuditNote, AuditSink } from '../../core/audit/event';
import { type RecordOptions, shapeOnly, toRecord, verbosity } from '../../core/audit/makeRecord';
import type { AuditBody, AuditRecord } from '../../core/audit/record';
import { recordsSaid, segmentsSaid } from '../../core/audit/counts';
import { saidBy, say, type Sentence } from '../../core/base/sentence';
import type { Disposable } from '../../core/base/lifecycle';
import type { Actor } from '../../core/vocabulary/toolDefinition';
import { type AuditFs, nodeAuditFs, type SealedFolder } from './auditFs';
import { chainSeal } from './hash';
import { listSegments, readHeads, windowId } from './layout';
import { clearFolder, type Removed, type RetentionLimits, retire } from './retention';
import { WindowChain } from './windowChain';

interface AuditStoreOptions {
  readonly dir: string;
  /** How records are made; asked at every write, so that a changed setting counts at once. Default: shape only. */
  readonly recording?: () => RecordOptions;
  /** A key makes the chain an HMAC, which nobody without the key can build anew. */
  readonly key?: Uint8Array;
  /** A segment that is larger is followed by a new one. Default 8 MB. */
  readonly maxSegmentBytes?: number;
  /** A segment that is older is followed by a new one, in milliseconds. Default one day. */
  readonly maxSegmentAgeMs?: number;
  /** How many records wait for a disk that does not take them; what comes then is counted as lost. Default 5,000. */
  readonly maxWaiting?: number;
  readonly now?: () => number;
  readonly fs?: AuditFs;
  /** Told once when writing begins to fail, and once when it works again. */
  readonly onProblem?: (said: Sentence) => void;
  /**
   * Keeps heads a second time, out of reach of who edits the folder: when a segment gets its first, every ten seconds,
   * and at its end.
   */
  readonly keeper?: HeadKeeper;
  /** Given every record that was written, such as to send it on. It must not throw. */
  readonly onRecord?: (record: AuditRecord) => void;
  /** Called after a rotation, when it is time to look at retention. */
  readonly onRotated?: () => void;
}

type NoteFacts = Pick<AuditNote, 'id' | 'count' | 'actor' | 'segments'>;

const retryMs = 1000;
const batchSize = 256;
/** In one turn of the event loop so many records wait in memory at most. */
const maxTurn = 1000;

/**
 * The durable log of one window: chained lines in segments of its own, so that windows never wait for one another.
 *
 * `record` only queues; the queue is written in the microtask that follows, so the record is with the operating system
 * before the caller of the gate sees its answer, and calls that end in the same turn share one write. The brief record
 * that a call of medium risk begins waits for the end of the turn, and so shares the write of a call that ends in it;
 * of a call of high risk it is written before the tool does anything. Nothing here throws or waits: a disk that fails
 * is reported once, records wait in a bounded queue, and what does not fit is counted and noted in the chain once
 * writing works.
 */
export class AuditStore implements AuditSink, Disposable {
  readonly #options: AuditStoreOptions;
  readonly #now: () => number;
  readonly #maxWaiting: number;
  readonly #recording: () => RecordOptions;
  readonly #folder: SealedFolder;
  readonly #chain: WindowChain;
  #events: AuditEvent[] = [];
  #waiting: AuditBody[] = [];
  #scheduled = false;
  #soon: NodeJS.Immediate | undefined;
  #lost = 0;
  #unnoted = 0;
  #failing = false;
  #retryAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #disposed = false;

  constructor(options: AuditStoreOptions) {
    const { dir, now = Date.now, fs = nodeAuditFs, maxWaiting = 5000 } = options;
    this.#options = options;
    this.#now = now;
    this.#maxWaiting = maxWaiting;
    const fallback = shapeOnly();
    this.#recording = options.recording ?? (() => fallback);
    this.#folder = { dir, fs, seal: chainSeal(options.key) };
    this.#chain = new WindowChain({
      ...this.#folder,
      now,
      window: windowId(now(), randomUUID()),
      maxSegmentBytes: options.maxSegmentBytes ?? 8 * 1024 * 1024,
      maxSegmentAgeMs: options.maxSegmentAgeMs ?? 24 * 60 * 60 * 1000,
      keeper: options.keeper,
      recordOf: (note) => this.#recordOf(note),
      onProblem: (said) => options.onProblem?.(said),
      onRotated: () => options.onRotated?.(),
      onFault: (error) => this.#fails(error),
      onHead: () => this.#checkRemoved(),
    });
  }

  /** Records that could not be kept, ever. */
  get lost(): number {
    return this.#lost;
  }

  record(event: AuditEvent): void {
    if (this.#disposed) {
      this.#lost++;
      return;
    }
    const level = verbosity(event);
    if (level === 'none') return;
    this.#events.push(event);
    if (this.#events.length >= maxTurn) this.flush();
    else if (level === 'brief') this.#soon ??= setImmediate(this.#flushSoon);
    else if (!this.#scheduled) {
      this.#scheduled = true;
      queueMicrotask(this.#flushTurn);
    }
  }

  /**
   * Writes events at once of which the caller has the only other copy, and gives it up for what is written: what the
   * disk does not take is not queued. Never throws.
   * @returns how many of them need no copy any more, from the first on.
   */
  keep(events: readonly AuditEvent[]): number {
    this.flush(true);
    let kept = 0;
    while (kept < events.length && this.#waiting.length === 0 && !this.#disposed) {
      const some = events.slice(kept, kept + batchSize);
      const made = this.#bodiesOf(some);
      if (made.length > 0 && !this.#tries(() => this.#append(made))) break;
      kept += some.length;
    }
    return kept;
  }

  /** Writes a note about the log itself, such as the reason why it was cleared. */
  #note(what: AuditNote['what'], detail: Sentence, more: NoteFacts): void {
    this.record({ type: 'audit', time: this.#now(), what, detail, ...more });
  }

  readonly #flushTurn = (): void => {
    this.#scheduled = false;
    this.flush();
  };

  readonly #flushSoon = (): void => {
    this.#soon = undefined;
    if (this.#events.length > 0) this.flush();
  };

  /** Writes what is queued, now. Never throws. While the disk fails it tries once a second at most, unless forced. */
  flush(force = false): void {
    const now = this.#now();
    const due = !this.#failing || force || now >= this.#retryAt || now < this.#retryAt - 2 * retryMs;
    // What waits goes first, so that a disk with room again leaves room in the queue.
    if (this.#failing && due) this.#tryWrite();
    const events = this.#events;
    this.#events = [];
    if (events.length > 0) this.#makeRecords(events);
    if (due) this.#tryWrite();
  }

  #tryWrite(): void {
    if (this.#waiting.length > 0) this.#tries(() => this.#write());
  }

  #tries(write: () => void): boolean {
    try {
      write();
      if (this.#failing) this.#works();
      return true;
    } catch (error) {
      this.#fails(error);
      return false;
    }
  }

  dispose(): void {
    if (this.#disposed) return;
    this.flush(true);
    this.#checkRemoved();
    this.#disposed = true;
    clearTimeout(this.#timer);
    clearImmediate(this.#soon);
    this.#lost += this.#waiting.length;
    this.#waiting = [];
    this.#chain.close();
  }

  /**
   * Removes all that other living windows do not write, and notes in a new segment how much it was, who wanted it and
   * why. The heads of what was removed stay, so that verify tells a clearing from a deletion by hand.
   */
  clear(reason: string, actor: Actor): Removed {
    this.rotate();
    const removed = clearFolder(this.#folder);
    // All that ever went is named, because the records that named what retention removed are gone with the rest.
    const segments = [...readHeads(this.#options.dir).values()].flatMap((head) =>
      head?.state === 'cleared' || head?.state === 'retired' ? [head.segment] : [],
    );
    const detail = say('note_cleared', segmentsSaid(removed.segments.length), reason);
    this.#note('cleared', detail, { count: removed.records, actor, segments });
    this.flush(true);
    const { keeper } = this.#options;
    const left = new Set(listSegments(this.#options.dir));
    keeper?.forget(keeper.heads().flatMap(({ segment }) => (left.has(segment) ? [] : [segment])));
    return removed;
  }

  /** Removes what is older or more than the limits say, and notes it. */
  retire(limits: RetentionLimits): Removed {
    const removed = retire(this.#folder, limits, this.#now(), this.#chain.segment ?? '');
    const { segments, records } = removed;
    if (segments.length === 0) return removed;
    const { retentionDays, maxMegabytes } = limits;
    const why = say('note_retired', segmentsSaid(segments.length), retentionDays, maxMegabytes);
    this.#note('retired', why, { count: records, segments });
    this.flush(true);
    this.#options.keeper?.forget(segments);
    return removed;
  }

  /** Ends the current segment, so that it can be exported, retired or cleared; the next record opens a new one. */
  rotate(): void {
    this.flush(true);
    this.#checkRemoved();
    this.#chain.close();
  }

  /** Writes again, into a new segment, what went into a file that somebody deleted under its writer. */
  #checkRemoved(): void {
    const removed = this.#chain.takeRemoved();
    if (removed.length === 0) return;
    this.#waiting = [...removed, ...this.#waiting];
    this.#tryWrite();
  }

  #makeRecords(events: readonly AuditEvent[]): void {
    const room = this.#failing ? Math.max(0, this.#maxWaiting - this.#waiting.length) : events.length;
    const bodies = this.#bodiesOf(events);
    for (const body of bodies.slice(0, room)) this.#waiting.push(body);
    this.#lose(Math.max(0, bodies.length - room));
  }

  /** The records of events that have one; an event of which none can be made is lost. */
  #bodiesOf(events: readonly AuditEvent[]): readonly AuditBody[] {
    const recording = this.#recording();
    return events.flatMap((event) => {
      try {
        return toRecord(event, recording) ?? [];
      } catch (error) {
        this.#lose(1);
        this.#options.onProblem?.(say('audit_record_not_made', saidBy(error)));
        return [];
      }
    });
  }

  #lose(count: number): void {
    this.#lost += count;
    this.#unnoted += count;
  }

  #write(): void {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.length <= batchSize ? this.#waiting : this.#waiting.slice(0, batchSize);
      this.#append(batch);
      this.#waiting = this.#waiting.length <= batchSize ? [] : this.#waiting.slice(batchSize);
      if (this.#chain.isCheckDue) this.#checkRemoved();
    }
  }

  #append(batch: readonly AuditBody[]): void {
    if (this.#unnoted > 0) {
      const detail = say('note_lost');
      const note: AuditNote = { type: 'audit', time: this.#now(), what: 'lost', detail, count: this.#unnoted };
      this.#chain.append([this.#recordOf(note)]);
      this.#unnoted = 0;
    }
    const hashes = this.#chain.append(batch);
    const { onRecord } = this.#options;
    if (onRecord) batch.forEach((body, at) => onRecord({ ...body, hash: hashes[at] ?? '' }));
  }

  #recordOf(event: AuditEvent): AuditBody {
    const body = toRecord(event, this.#recording());
    if (!body) throw new Error('a note of the log has always a record');
    return body;
  }

  #fails(error: unknown): void {
    this.#retryAt = this.#now() + retryMs;
    if (!this.#failing) {
      this.#failing = true;
      this.#options.onProblem?.(say('audit_unwritable', saidBy(error), this.#maxWaiting));
    }
    if (this.#waiting.length > this.#maxWaiting) {
      this.#lose(this.#waiting.length - this.#maxWaiting);
      this.#waiting.length = this.#maxWaiting;
    }
    if (this.#timer || this.#disposed) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.flush(true);
    }, retryMs);
    this.#timer.unref();
  }

  #works(): void {
    this.#failing = false;
    this.#options.onProblem?.(say('audit_writable_again', recordsSaid(this.#lost)));
  }
}
