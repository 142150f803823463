import type { ChangeStore, Image, NotKept, PlaceState } from '../ports/changes';
import type { Checkpoint, Checkpoints, KeptState } from '../ports/checkpoints';
import type { Crypto } from '../ports/platform';
import { actionOf, unnamed } from './changePlace';
import { type Base, type FoundChange, unrecorded } from './foundChanges';
import type { CallRecorder, Told } from './recorder';

/** Of one call so many places are kept; of what lies beyond, only their number is told. */
const mostPlaces = 5000;
/** Bytes that are recorded at once. */
const groupBytes = 8_000_000;

interface WatchOptions {
  readonly checkpoints: Pick<Checkpoints, 'between' | 'stateAt' | 'contents'>;
  readonly store: Omit<ChangeStore, 'fault'>;
  readonly crypto: Crypto;
  readonly recorder: () => CallRecorder;
}

/** A look at the workspace, and the changes that were made by then, as far as they were recorded one by one. */
export interface Look {
  readonly checkpoint: Checkpoint;
  readonly settled: ReadonlySet<string>;
}

/** Takes a look. What is recorded while it is taken may be in it or not. */
export async function look(store: Pick<ChangeStore, 'read'>, take: () => Promise<Checkpoint>): Promise<Look> {
  const settled = new Set((await store.read()).flatMap((one) => (one.type === 'ended' ? [one.id] : [])));
  return { settled, checkpoint: await take() };
}

/** A call that runs since a look at the workspace; what differs at the next one is what it changed. */
export class CallWatch {
  readonly #options: WatchOptions;
  #before: Look;
  #kept = 0;
  #lost = 0;

  constructor(options: WatchOptions, before: Look) {
    this.#options = options;
    this.#before = before;
  }

  /** How many places can be taken back and how many cannot. */
  get counts(): { readonly kept: number; readonly lost: number } {
    return { kept: this.#kept, lost: this.#lost };
  }

  /** What was changed until then is recorded: by this call, or by another one that ran at the same time. */
  goOnFrom(now: Look): void {
    this.#before = now;
  }

  /** Records what differs since the last look. */
  async record(now: Look, signal: AbortSignal): Promise<void> {
    const { store, checkpoints, recorder: recorderOf } = this.#options;
    const { checkpoint: before, settled } = this.#before;
    const recorded = (await store.read()).filter((one) => one.type === 'change').filter(({ id }) => !settled.has(id));
    const open = new Set(recorded.flatMap(({ id }) => (now.settled.has(id) ? [] : [id])));
    const differences = await checkpoints.between(before, now.checkpoint, signal);
    const recorder = recorderOf();
    const first = differences.slice(0, mostPlaces);
    let group: FoundChange[] = [];
    let left = store.mostBytes;
    const record = async (): Promise<void> => {
      left -= await this.#record(group, recorder, left, signal);
      group = [];
    };
    for await (const one of unrecorded(first, { changes: recorded, open }, checkpoints, before, signal)) {
      group.push(one);
      if (group.length >= 500) await record();
    }
    await record();
    this.#kept += recorder.kept;
    this.#lost += recorder.lost + differences.length - first.length;
    this.#before = now;
  }

  /** Answers how many bytes it kept. */
  async #record(
    found: readonly FoundChange[],
    recorder: CallRecorder,
    room: number,
    signal: AbortSignal,
  ): Promise<number> {
    const read = new Contents(this.#options, signal);
    await read.load(found);
    let [told, size, used]: [Told[], number, number] = [[], 0, 0];
    const write = (): void => {
      recorder.end(recorder.begin(told));
      used += size;
      [told, size] = [[], 0];
    };
    for (const one of found) {
      const change = await read.told(one, room - used - size);
      if (!change) continue;
      told.push(change);
      for (const { bytes } of change.images ?? []) size += bytes.length;
      if (size > groupBytes) write();
    }
    if (told.length > 0) write();
    return used;
  }
}

/** The contents of the places of one group. */
class Contents {
  readonly #options: WatchOptions;
  readonly #signal: AbortSignal;
  readonly #byId = new Map<string, Uint8Array>();

  constructor(options: WatchOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  async load(found: readonly FoundChange[]): Promise<void> {
    const { checkpoints, store } = this.#options;
    for (const root of new Set(found.map((one) => one.root))) {
      const ids = found
        .filter((one) => one.root === root)
        .flatMap(({ base, after }) => [idOf(after), 'kept' in base ? idOf(base.kept) : undefined])
        .filter((one) => one !== undefined);
      if (ids.length === 0) continue;
      for await (const group of checkpoints.contents(root, ids, store.mostBytes, this.#signal))
        for (const [id, bytes] of group) this.#byId.set(id, bytes);
    }
  }

  /** The change as it is recorded; undefined where nothing remains that was not recorded. */
  async told({ root, path, base, after, expected, movedTo }: FoundChange, room: number): Promise<Told | undefined> {
    const [was, is] = [await this.#base(base), this.#state(after)];
    if (movedTo !== undefined) {
      // What stood there stands elsewhere: nothing of it has to be kept.
      const to = { scheme: 'file', root, path: movedTo };
      return { scheme: 'file', root, path, action: 'move', to, before: unnamed(was.state), after: is.state };
    }
    if (isSame(was.state, is.state) || expected.some((one) => isSame(one, is.state))) return undefined;
    const images = [...was.images, ...is.images];
    const notKept = was.notKept ?? is.notKept ?? tooLarge(images, room);
    const before = notKept === undefined ? was.state : unnamed(was.state);
    return {
      scheme: 'file',
      root,
      path,
      action: actionOf(is.state),
      before,
      after: notKept === undefined ? is.state : unnamed(is.state),
      ...(notKept === undefined ? { images } : { notKept }),
    };
  }

  async #base(base: Base): Promise<Side> {
    if ('kept' in base) return this.#state(base.kept);
    const { recorded: state } = base;
    // Its bytes were kept with the change that left it so; this one has to name them too, to last as long.
    if (state.kind !== 'file') return { state, images: [] };
    const bytes = state.hash === undefined ? undefined : await this.#options.store.image(state.hash);
    return state.hash === undefined || !bytes
      ? { state, images: [], notKept: 'kind' }
      : { state, images: [{ hash: state.hash, bytes }] };
  }

  #state(kept: KeptState): Side {
    if ('notKept' in kept) return { state: { kind: 'file', size: kept.size }, images: [], notKept: kept.notKept };
    if (!('id' in kept)) return { state: kept, images: [] };
    const bytes = this.#byId.get(kept.id);
    if (kept.kind === 'link')
      return bytes
        ? { state: { kind: 'link', target: new TextDecoder().decode(bytes) }, images: [] }
        : { state: { kind: 'link' }, images: [], notKept: 'kind' };
    const mode = kept.mode === undefined ? {} : { mode: kept.mode };
    if (!bytes) return { state: { kind: 'file', size: 0, ...mode }, images: [], notKept: 'too_large' };
    const hash = this.#options.crypto.sha256(bytes);
    return { state: { kind: 'file', hash, size: bytes.length, ...mode }, images: [{ hash, bytes }] };
  }
}

interface Side {
  readonly state: PlaceState;
  readonly images: readonly Image[];
  readonly notKept?: NotKept;
}

const idOf = (state: KeptState): string | undefined => ('id' in state ? state.id : undefined);

/** The same but for permission bits where only one side tells them. */
function isSame(a: PlaceState, b: PlaceState): boolean {
  if (a.kind !== b.kind) return false;
  if (a.kind === 'link' && b.kind === 'link') return a.target !== undefined && a.target === b.target;
  if (a.kind !== 'file' || b.kind !== 'file') return a.kind === 'nothing' || a.kind === 'folder';
  return a.hash !== undefined && a.hash === b.hash && (a.mode ?? b.mode) === (b.mode ?? a.mode);
}

const tooLarge = (images: readonly Image[], room: number): NotKept | undefined =>
  images.reduce((sum, { bytes }) => sum + bytes.length, 0) > room ? 'too_large' : undefined;
