import { pathKeys } from '../policy/rules/pathKey';
import { isSecretFile } from '../policy/rules/secretFiles';
import { defined } from '../base/json';
import { messageOf } from '../base/errorText';
import type { GateCall } from '../call/gateCall';
import { accessLabel } from '../ports/accessLabel';
import type { BegunCall, BegunCalls, BegunPlace, EndedCall, EndedPlace, Entry } from '../ports/begunCalls';
import type { ChangeStore, Image, PlaceState } from '../ports/changes';
import type { FileSystem } from '../ports/files';
import type { Clock, Crypto, Log } from '../ports/platform';
import type { WorkspacePath } from '../ports/workspacePath';
import { actionOf, changePlace } from './changePlace';
import { inFolders, isUnchanged, lookAt, namedPlaces, type Seen } from './namedPlaces';
import { agentOf, foundBy } from './originOf';
import { CallRecorder, type Told } from './recorder';

/** A call whose end is not told is looked at after so long, and forgotten after so long, in milliseconds. */
const looksAfterMs = 2 * 60_000;
const forgetsAfterMs = 30 * 60_000;
/** So many calls that ran at the same time are named with a change. */
const mostNamed = 5;

interface HostFilesOptions {
  readonly begun: BegunCalls;
  /** The files by whose folders policy names places. */
  readonly judged: Pick<FileSystem, 'folders'>;
  /** The files as an agent finds them. */
  readonly filesOf: (agent: string) => FileSystem;
  readonly clock: Pick<Clock, 'now'>;
  readonly crypto: Crypto;
  readonly log: Log;
  readonly keepsSecrets: () => boolean;
  /** Where changes are recorded; where nobody can, they wait for who takes them in. */
  readonly store?: ChangeStore;
  /** True for who is the one that shows these changes: what it took in is not left for others. */
  readonly isOwner?: boolean;
}

/**
 * Keeps what stands in the files that a tool of another agent names before that agent changes them, and records what
 * stands there when the end of the call is told. Both are told to whatever process answers the hook.
 */
export class HostFiles {
  readonly #options: HostFilesOptions;
  /** Entries that were taken in. */
  readonly #taken = new Set<string>();

  constructor(options: HostFilesOptions) {
    this.#options = options;
  }

  /** Keeps what stands there, before the agent is answered. Never throws. */
  async begin(call: GateCall): Promise<void> {
    const { begun, judged, filesOf, clock, log } = this.#options;
    const agent = agentOf(call);
    if (agent === undefined) return;
    try {
      const files = filesOf(agent);
      const named = await namedPlaces(call, judged, files);
      if (named.length === 0) return;
      // An agent that numbers no calls asks about the same call under the same name.
      for (const one of begun.begun()) if (one.call.id === call.invocationId) await this.#settle(one, true);
      const places: BegunPlace[] = [];
      const images: Image[] = [];
      let room = begun.mostBytes;
      for (const place of named) {
        const seen = await this.#look(place, files, room);
        // What a folder holds is kept by nobody here, and a socket by nobody at all.
        if (seen.state.kind === 'folder' || seen.state.kind === 'other') continue;
        places.push(begunPlace(place, seen));
        if (seen.image) images.push(seen.image);
        room -= seen.image?.bytes.length ?? 0;
      }
      if (places.length === 0) return;
      begun.begin({ id: call.invocationId, time: clock.now(), agent, origin: foundBy(call), places }, images);
    } catch (error) {
      log.warn(`what ${call.tool.id} changes in files cannot be taken back: ${messageOf(error)}`);
    }
  }

  /** Records what a call did. Never throws. */
  async end(invocationId: string): Promise<void> {
    const { begun, log } = this.#options;
    try {
      for (const one of begun.begun()) if (one.call.id === invocationId) await this.#settle(one, true);
    } catch (error) {
      log.warn(`what another agent changed in files cannot be recorded: ${messageOf(error)}`);
    }
  }

  /** Records what calls did of which nobody here was told, as far as it lies in the folders that are open. */
  async takeIn(): Promise<void> {
    const { begun, clock, store, log, isOwner } = this.#options;
    if (!store) return;
    try {
      const [ended, open] = [begun.ended(this.#taken), begun.begun()];
      const records = ended.length === 0 ? [] : await store.read();
      const known = new Set(records.flatMap((one) => (one.type === 'change' ? [one.id] : [])));
      for (const { name, call, images } of ended) {
        this.#taken.add(name);
        const mine = call.places.filter((place) => this.#placeOf(place, call.agent));
        const fresh = mine.filter(({ id }) => !known.has(id));
        if (fresh.length > 0) this.#record({ ...call, places: fresh }, images());
        if (isOwner && mine.length === call.places.length) begun.remove(name);
      }
      for (const one of open) {
        const since = clock.now() - one.call.time;
        if (since >= looksAfterMs) await this.#settle(one, since >= forgetsAfterMs);
      }
    } catch (error) {
      log.warn(`what other agents changed in files cannot be recorded: ${messageOf(error)}`);
    }
  }

  /** @param isOver whether the call has ended; else it may go on from what stands there now. */
  async #settle({ name, call, images }: Entry<BegunCall>, isOver: boolean): Promise<void> {
    const { begun, clock, crypto } = this.#options;
    const files = this.#options.filesOf(call.agent);
    const kept = new Map(images().map((image) => [image.hash, image]));
    const changed: EndedPlace[] = [];
    const places: BegunPlace[] = [];
    let room = begun.mostBytes;
    for (const place of call.places) {
      const at = this.#placeOf(place, call.agent);
      const seen = at && (await this.#look(at, files, room).catch(() => (isOver ? unknown : undefined)));
      // In a folder that is not open here, or not to be read now: it stays for who can.
      if (!at || !seen || isUnchanged({ state: place.before, ...place }, seen)) {
        places.push(place);
        continue;
      }
      if (seen.image) kept.set(seen.image.hash, seen.image);
      room -= seen.image?.bytes.length ?? 0;
      const notKept = place.notKept ?? seen.notKept;
      const id = crypto
        .sha256(
          [call.id, call.time, place.root, place.path, said(place, place.before), said(seen, seen.state)].join('\0'),
        )
        .slice(0, 32);
      const { notKept: _not, stamp: _stamp, ...plain } = place;
      changed.push({ ...plain, id, after: seen.state, ...(notKept === undefined ? {} : { notKept }) });
      places.push(begunPlace(at, seen));
    }
    const used = (all: readonly { before: PlaceState; after?: PlaceState }[]): readonly Image[] => {
      const hashes = all.flatMap(({ before, after }) => [before, after].flatMap((one) => hashOf(one) ?? []));
      return [...new Set(hashes)].flatMap((hash) => kept.get(hash) ?? []);
    };
    if (changed.length > 0) {
      const others = begun.begun().filter((one) => one.name !== name && one.call.places.some(isAmong(changed)));
      const orBy = others.map((one) => one.call.id).slice(0, mostNamed);
      const done = { ...call, endedAt: clock.now(), places: changed };
      this.#record({ ...done, ...(orBy.length === 0 ? {} : { orBy }) }, used(changed));
      for (const other of others) this.#rebase(other, changed, kept);
    }
    if (isOver && call.places.every((one) => this.#placeOf(one, call.agent))) begun.remove(name);
    else if (changed.length > 0) begun.begin({ ...call, places }, used(places));
  }

  /** What one call did is no work of another that began before it. */
  #rebase({ call, images }: Entry<BegunCall>, changed: readonly EndedPlace[], kept: Map<string, Image>): void {
    const places = call.places.map((one): BegunPlace => {
      const now = changed.find((place) => isAmong([place])(one));
      if (!now) return one;
      const { notKept } = now;
      return { root: one.root, path: one.path, before: now.after, ...(notKept === undefined ? {} : { notKept }) };
    });
    const all = new Map([...images().map((image) => [image.hash, image] as const), ...kept]);
    const named = places.flatMap(({ before }) => all.get(hashOf(before) ?? '') ?? []);
    this.#options.begun.begin({ ...call, places }, named);
  }

  #record(call: EndedCall, images: readonly Image[]): void {
    const { store, begun, crypto, log } = this.#options;
    if (!store) return begun.end(call, images);
    const { origin, orBy, endedAt } = call;
    const recorder = new CallRecorder({
      store,
      clock: { now: () => endedAt },
      crypto,
      origin: { ...origin, ...(orBy ? { orBy } : {}) },
      onNotKept: (told, why) => log.warn(`a change of \`${told.path}\` cannot be taken back: ${why}`),
    });
    const byHash = new Map(images.map((image) => [image.hash, image]));
    for (const place of call.places) {
      const at = this.#placeOf(place, call.agent);
      if (!at) continue;
      const { id, before, after } = place;
      const hashes = [before, after].flatMap((one) => hashOf(one) ?? []);
      const own = hashes.flatMap((hash) => byHash.get(hash) ?? []);
      // Bytes that were damaged cannot be put back.
      const notKept = place.notKept ?? (own.length < hashes.length ? 'store' : undefined);
      const told: Told = {
        id,
        ...changePlace(at),
        action: actionOf(after),
        before,
        after,
        ...(notKept === undefined ? { images: own } : { notKept }),
      };
      recorder.end(recorder.begin([told]));
    }
  }

  /** Where a place lies here; undefined where its folder is not open. */
  #placeOf({ root, path }: BegunPlace, agent: string): WorkspacePath | undefined {
    return inFolders(`${root}/${path}`, this.#options.filesOf(agent));
  }

  #look(place: WorkspacePath, files: FileSystem, room: number): Promise<Seen> {
    const { crypto, keepsSecrets } = this.#options;
    const isSecret = (one: WorkspacePath): boolean =>
      !keepsSecrets() && isSecretFile(pathKeys(accessLabel(one, files)));
    return lookAt(place, { files, crypto, room, isSecret });
  }
}

/** What cannot be looked at any more; what was there before is kept all the same. */
const unknown: Seen = { state: { kind: 'other' } };

const hashOf = (state: PlaceState | undefined): string | undefined => (state?.kind === 'file' ? state.hash : undefined);

/** A state as a part of an id. */
const said = ({ stamp }: { readonly stamp?: string }, state: PlaceState): string =>
  `${hashOf(state) ?? state.kind} ${stamp ?? ''}`;

const isAmong =
  (places: readonly BegunPlace[]) =>
  ({ root, path }: BegunPlace): boolean =>
    places.some((one) => `${one.root}/${one.path}` === `${root}/${path}`);

function begunPlace({ folder, path }: WorkspacePath, { state, stamp, notKept }: Seen): BegunPlace {
  return defined({ root: folder.path, path, before: state, stamp, notKept });
}
