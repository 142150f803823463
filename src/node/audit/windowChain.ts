import { chainStart } from '../../core/audit/chain';
import type { AuditNote } from '../../core/audit/event';
import type { HeadKeeper } from '../../core/audit/head';
import type { AuditBody } from '../../core/audit/record';
import { recordsSaid } from '../../core/audit/counts';
import { saidBy, say, type Sentence } from '../../core/base/sentence';
import type { SealedFolder } from './auditFs';
import { readHead, segmentName } from './layout';
import { openChain } from './opening';
import { markSeen } from './recover';
import { type ChainPlace, SegmentWriter } from './segmentWriter';

interface WindowChainOptions extends SealedFolder {
  readonly window: string;
  readonly now: () => number;
  /** A segment that is larger, or older in milliseconds, is followed by a new one. */
  readonly maxSegmentBytes: number;
  readonly maxSegmentAgeMs: number;
  readonly keeper: HeadKeeper | undefined;
  readonly recordOf: (note: AuditNote) => AuditBody;
  readonly onProblem: (said: Sentence) => void;
  readonly onRotated: () => void;
  /** Called where a segment could not be closed. */
  readonly onFault: (error: unknown) => void;
  /** Called when a head has followed its records, outside of any call; it is time to ask `takeRemoved`. */
  readonly onHead: () => void;
}

const keepMs = 10_000;

/**
 * The segments of one window, each linked to the one before. The first record of a segment says which it is and what it
 * follows; the first segment also notes what other windows left.
 */
export class WindowChain {
  readonly #options: WindowChainOptions;
  #writer: SegmentWriter | undefined;
  #place: ChainPlace = { seq: 0, hash: chainStart };
  #number = 0;
  #keptAt = 0;
  #isRecovered = false;
  #isHeadReported = false;

  constructor(options: WindowChainOptions) {
    this.#options = options;
  }

  /** The segment that is being written. */
  get segment(): string | undefined {
    return this.#writer?.name;
  }

  /** True when it is time to ask `takeRemoved`. */
  get isCheckDue(): boolean {
    return this.#writer?.isCheckDue ?? false;
  }

  /** Appends all records or none, and answers their hashes; throws what the disk says. */
  append(bodies: readonly AuditBody[]): readonly string[] {
    const writer = this.#ready();
    const hashes = writer.append(bodies);
    this.#place = writer.place;
    if (writer.headFault !== undefined && !this.#isHeadReported) {
      this.#isHeadReported = true;
      this.#options.onProblem(say('audit_head_unwritten', saidBy(writer.headFault)));
    }
    return hashes;
  }

  /** Takes what went into a file that somebody deleted under its writer, to be written again; empty where none was. */
  takeRemoved(): readonly AuditBody[] {
    const unlinked = this.#writer?.takeUnlinked() ?? [];
    if (unlinked.length === 0) return [];
    const lost = unlinked.filter((body) => body.event !== 'audit.opened');
    this.#options.onProblem(say('audit_segment_removed', this.segment ?? '', recordsSaid(lost.length)));
    this.close();
    return lost;
  }

  /** Ends the segment; the next record opens a new one. */
  close(): void {
    const writer = this.#writer;
    if (!writer) return;
    this.#writer = undefined;
    this.#place = writer.place;
    try {
      writer.close();
    } catch (error) {
      this.#options.onFault(error);
    }
    this.#options.keeper?.keep(writer.head('closed'));
  }

  /** The writer for the next batch: rotated by size and age, and opened anew where its file was deleted under it. */
  #ready(): SegmentWriter {
    const { now, maxSegmentBytes, maxSegmentAgeMs, onRotated } = this.#options;
    const before = this.#writer;
    if (before && (before.bytes >= maxSegmentBytes || now() - before.openedAt >= maxSegmentAgeMs)) {
      this.close();
      onRotated();
    }
    const writer = this.#writer ?? this.#open();
    // A segment that a full disk left empty gets its first record now.
    if (writer.bytes === 0) this.#begin(writer);
    if (!this.#isRecovered) this.#recover(writer);
    return writer;
  }

  #open(): SegmentWriter {
    const { now, fs, dir, window } = this.#options;
    fs.mkdir(dir);
    const name = segmentName(window, this.#number + 1);
    this.#writer = new SegmentWriter(this.#options, name, this.#place, now(), this.#headFollowed);
    this.#number++;
    this.#keptAt = 0;
    return this.#writer;
  }

  /**
   * Writes which segment this is; the head of the one before names it, so that an end which is removed whole is missed.
   */
  #begin(writer: SegmentWriter): void {
    const { dir, recordOf, now, window } = this.#options;
    const before = this.#number > 1 ? segmentName(window, this.#number - 1) : undefined;
    const detail = before === undefined ? say('note_opened') : say('note_opened_after', before);
    writer.append([recordOf({ type: 'audit', time: now(), what: 'opened', detail, id: writer.name })]);
    this.#place = writer.place;
    const head = before === undefined ? undefined : readHead(dir, before);
    try {
      if (head) markSeen([head], { ...this.#options, own: writer.name });
    } catch {
      // The next window takes the head into its chain instead.
    }
  }

  #recover(writer: SegmentWriter): void {
    const { dir, fs, seal, now, keeper, recordOf, onProblem } = this.#options;
    const append = (notes: readonly AuditNote[]): void => void writer.append(notes.map(recordOf));
    const warnings = openChain({ dir, fs, seal, now: now(), own: writer.name, kept: keeper?.heads() ?? [] }, append);
    this.#isRecovered = true;
    this.#place = writer.place;
    for (const warning of warnings) onProblem(warning);
  }

  readonly #headFollowed = (writer: SegmentWriter): void => {
    if (writer !== this.#writer) return;
    this.#options.onHead();
    const now = this.#options.now();
    if (writer !== this.#writer || now - this.#keptAt < keepMs) return;
    this.#keptAt = now;
    this.#options.keeper?.keep(writer.head('open'));
  };
}
