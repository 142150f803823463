import { createHash, randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Disposable } from '../../core/base/lifecycle';
import { SaidError, say, type Sentence } from '../../core/base/sentence';
import type { ChangeRecord, ChangeStore, Image } from '../../core/ports/changes';
import type { Settings } from '../../core/settings/settings';
import { keepWithin } from '../folders/keepWithin';
import { nearestThere } from '../folders/quietly';
import { isRunning } from '../processes/isRunning';
import { imageBytes, type ReadSegment, readOn } from './readSegment';
import { RecordOrder } from './recordOrder';
import { SegmentFile } from './segmentFile';
import { storageSaid } from './storage';

/** Sorts by time: milliseconds since 1970, the run and the process. */
const segmentName = /^(\d{13})\.([0-9a-f]{8})\.(\d{1,10})\.changes$/;
/** A segment that has reached this size is followed by another one, so that old ones can go; in bytes. */
const segmentBytes = 8 * 1024 * 1024;

interface WorkspaceStore {
  /** Private storage of the extension or the command; undefined where there is none. */
  readonly storage: string | undefined;
  /** What tells this workspace from others. */
  readonly folders: readonly string[];
  readonly settings: () => Settings;
  readonly onDropped: (changes: number) => void;
}

/** The store of one workspace, in a folder of its own below the storage. */
export function changeFolder({ storage, folders, settings, onDropped }: WorkspaceStore): ChangeFolder {
  const key = createHash('sha256')
    .update(JSON.stringify([...folders].sort()))
    .digest('hex');
  return new ChangeFolder({
    folder: storage === undefined ? undefined : path.join(storage, key.slice(0, 32)),
    limits: () => ({
      maxBytes: settings().get('changes.maxMegabytes') * 1_000_000,
      days: settings().get('changes.retentionDays'),
    }),
    now: Date.now,
    onDropped,
  });
}

interface ChangeFolderOptions {
  /** A folder of this workspace in the private storage; undefined where there is none. */
  readonly folder: string | undefined;
  readonly limits: () => { readonly maxBytes: number; readonly days: number };
  readonly now: () => number;
  /** Told how many changes left the store. */
  readonly onDropped: (changes: number) => void;
}

/** Keeps changes in one folder, each process in segments of its own; all processes read all of them. */
class ChangeFolder implements ChangeStore, Disposable {
  readonly #options: ChangeFolderOptions;
  readonly #run = randomBytes(4).toString('hex');
  readonly #read = new Map<string, ReadSegment>();
  readonly #order = new RecordOrder();
  #segment: SegmentFile | undefined;
  #fault: Sentence | undefined;
  #begun = 0;
  /** How many bytes could not be kept. */
  #refused = 0;

  constructor(options: ChangeFolderOptions) {
    this.#options = options;
  }

  get mostBytes(): number {
    return Math.min(this.#options.limits().maxBytes / 2, 128 * 1024 * 1024);
  }

  append(records: readonly ChangeRecord[], images: readonly Image[] = []): void {
    try {
      this.#writable().append(records, images);
      this.#fault = undefined;
    } catch (error) {
      this.#fault = storageSaid(error);
      this.#refused = images.reduce((sum, { bytes }) => sum + bytes.length, 1024);
      throw new SaidError(this.#fault, { cause: error });
    }
  }

  fault(): Sentence | undefined {
    if (this.#options.folder === undefined) return say('not_kept_nowhere');
    // What failed once may work again: only trying tells. What never failed is looked at where nothing is open yet.
    if (this.#fault === undefined && this.#segment)
      return existsSync(this.#segment.file) ? undefined : this.#tryAgain();
    return this.#tryAgain();
  }

  async read(): Promise<readonly ChangeRecord[]> {
    const { folder } = this.#options;
    if (folder === undefined) return [];
    const names = (await readdir(folder).catch(() => [])).filter((name) => segmentName.test(name)).sort();
    for (const known of this.#read.keys()) if (!names.includes(known)) this.#read.delete(known);
    for (const name of names) {
      const segment = this.#read.get(name) ?? { file: path.join(folder, name), records: [], images: new Map(), end: 0 };
      this.#read.set(name, segment);
      // One that vanished meanwhile was dropped.
      await readOn(segment).catch(() => undefined);
    }
    return this.#order.of([...this.#read].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { records }]) => records));
  }

  async image(hash: string): Promise<Uint8Array | undefined> {
    const known = await this.#knownImage(hash);
    if (known) return known;
    await this.read();
    return this.#knownImage(hash);
  }

  /** An image in what has been read so far. */
  async #knownImage(hash: string): Promise<Uint8Array | undefined> {
    for (const { file, images } of this.#read.values()) {
      const place = images.get(hash);
      if (!place) continue;
      const bytes = await imageBytes(file, place).catch(() => undefined);
      if (bytes && createHash('sha256').update(bytes).digest('hex') === hash) return bytes;
    }
    return undefined;
  }

  dispose(): void {
    this.#close();
  }

  #tryAgain(): Sentence | undefined {
    const { folder } = this.#options;
    if (folder === undefined) return say('not_kept_nowhere');
    if (this.#fault === undefined) {
      // Nothing is made for a call that may never run: it is enough that it could be.
      try {
        accessSync(nearestThere(folder), constants.W_OK);
        return undefined;
      } catch (error) {
        return storageSaid(error);
      }
    }
    try {
      this.#writable().probe(this.#refused);
      this.#fault = undefined;
    } catch (error) {
      this.#fault = storageSaid(error);
    }
    return this.#fault;
  }

  #writable(): SegmentFile {
    const { folder, now } = this.#options;
    if (folder === undefined) throw new SaidError(say('not_kept_nowhere'));
    if (this.#segment && (this.#segment.size >= segmentBytes || !existsSync(this.#segment.file))) this.#close();
    if (!this.#segment) {
      // Names rise, also within a millisecond and where the clock was set back.
      this.#begun = Math.max(now(), this.#begun + 1);
      const time = String(this.#begun).padStart(13, '0');
      this.#segment = new SegmentFile(folder, `${time}.${this.#run}.${process.pid}.changes`);
      this.#drop(folder);
    }
    return this.#segment;
  }

  #close(): void {
    try {
      this.#segment?.close();
    } catch {
      // It is closed then.
    }
    this.#segment = undefined;
  }

  /** Removes the oldest segments beyond the bounds, never one that somebody still writes. */
  #drop(folder: string): void {
    const { now, limits, onDropped } = this.#options;
    const { maxBytes, days } = limits();
    const names = readdirSync(folder)
      .filter((name) => segmentName.test(name))
      .sort();
    const newest = new Map(names.map((name) => [segmentName.exec(name)?.[2], name]));
    const segments = names.map((name) => ({ name, ...sizeOf(path.join(folder, name)) }));
    let dropped = 0;
    keepWithin(segments, { days, bytes: maxBytes }, now(), ({ name }) => {
      const [, , run, pid] = segmentName.exec(name) ?? [];
      if (newest.get(run) === name && (run === this.#run || isRunning(Number(pid)))) return false;
      dropped += changesIn(path.join(folder, name));
      rmSync(path.join(folder, name), { force: true });
      return true;
    });
    if (dropped === 0) return;
    this.#segment?.append([{ type: 'dropped', time: now(), changes: dropped }], []);
    onDropped(dropped);
  }
}

function sizeOf(file: string): { readonly size: number; readonly timeMs: number } {
  const facts = statSync(file, { throwIfNoEntry: false });
  return { size: facts?.size ?? 0, timeMs: facts?.mtimeMs ?? 0 };
}

/** Counts without reading the bytes of images as lines of ours, which begin a line only by chance. */
function changesIn(file: string): number {
  try {
    return (readFileSync(file, 'latin1').match(/^\{"type":"change"/gm) ?? []).length;
  } catch {
    return 0;
  }
}
