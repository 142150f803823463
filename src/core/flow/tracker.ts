import { setLast } from '../base/maps';
import { isObject, type Json, textsIn } from '../base/json';
import { type Event, Emitter } from '../base/event';
import { SaidError, say } from '../base/sentence';
import type { Disposable } from '../base/lifecycle';
import type { CallFlow, GateCall } from '../call/gateCall';
import type { Clock, Crypto, KeyValueStore } from '../ports/platform';
import type { Places } from '../policy/rules/placedPatterns';
import type { ResolvedProfile } from '../profiles/profile';
import type { Access } from '../vocabulary/access';
import { type FlowFacts, type FlowLabel, flowLabels, type FlowSource } from '../vocabulary/flow';
import { sourceKind } from '../vocabulary/toolSource';
import { calleeOf } from './callee';
import { hashIn, hashOfInput, isWhole, shownHash } from './contentOf';
import { CallFacts } from './facts';
import { LabelledThings, readSources } from './labelled';
import { linksIn } from './links';
import { notesOf } from './notes';
import { ofNobody } from './origins';
import { FlowPlaces, type FlowSettings } from './places';
import { FlowSession } from './session';
import { carriedSources, sourcesOf } from './sources';
import { keeps } from './tellsOthers';
import { newWords, wordsOfCall } from './values';

export interface TrackerOptions {
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly storage: KeyValueStore;
  readonly settings: () => FlowSettings;
  /** Where folders and home lie now. */
  readonly whereabouts: () => Places;
  /** False while the workspace is not trusted: then a stranger wrote its files. */
  readonly isTrusted: () => boolean;
  /** The SHA-256 of a file of the workspace as it is now; undefined where it cannot be read, or is too large. */
  readonly hashOf?: (path: string) => Promise<string | undefined>;
  readonly onError: (error: unknown) => void;
  /** Told of each label that a person took from a session, and why. */
  readonly onCleared?: (session: string, label: FlowLabel, reason: string) => void;
}

/** The labels of a session, for people. */
export interface SessionLabels {
  readonly id: string;
  readonly private: readonly FlowSource[];
  readonly untrusted: readonly FlowSource[];
}

const storeKey = 'flow';
const mostSessions = 200;
const sessionLifetimeMs = 24 * 3600 * 1000;
/** Of one call so many files are hashed. */
const mostHashed = 50;
const nothingRead: ReadonlyMap<string, string> = new Map();

/** Follows what agents read: which sessions know something private, and to which of them strangers spoke. */
export class FlowTracker implements CallFlow, Disposable {
  readonly #options: TrackerOptions;
  readonly #changed = new Emitter<void>();
  /** Fires when a session gets or loses a label. */
  readonly onDidChange: Event<void> = this.#changed.event;
  readonly #sessions = new Map<string, FlowSession>();
  readonly #things = new LabelledThings();
  readonly #described = new WeakMap<ResolvedProfile, readonly FlowSource[]>();
  #places: FlowPlaces | undefined;
  #settings: FlowSettings | undefined;
  #here: Places | undefined;

  constructor(options: TrackerOptions) {
    this.#options = options;
    this.#load();
  }

  /** The sessions that have a label. */
  sessions(): readonly SessionLabels[] {
    return [...this.#sessions.values()]
      .map((one) => ({ id: one.id, private: one.sources('private'), untrusted: one.sources('untrusted') }))
      .filter((one) => one.private.length + one.untrusted.length > 0);
  }

  /** Takes a label from a session, and from what it wrote. Throws a SaidError where no reason is given. */
  clear(id: string, label: FlowLabel, reason: string): void {
    if (reason.trim() === '') throw new SaidError(say('flow_reason_missing'));
    const session = this.#sessions.get(id);
    if (!session) return;
    session.clear(label);
    this.#things.clear(session.written, label);
    this.#options.onCleared?.(id, label, reason.trim());
    this.#save();
    this.#changed.fire();
  }

  async of(call: GateCall): Promise<FlowFacts | undefined> {
    const { actor, isPreview, invocation } = call;
    const { labels } = invocation;
    const none = new FlowSession('', false);
    if (isPreview && labels) return this.#facts(call, () => none, assumed(labels, call));
    if (actor.type !== 'agent') return undefined;
    // The one that was used last stands last.
    const last = invocation.ofLastSession ? [...this.#sessions.values()].at(-1) : undefined;
    return this.#facts(call, () => this.#sessions.get(actor.id) ?? last ?? none, undefined);
  }

  async ran(call: GateCall, accesses: readonly Access[], payload: Json | undefined): Promise<void> {
    const { actor } = call;
    if (actor.type !== 'agent') {
      if (this.#moved(call, payload)) this.#save();
      return;
    }
    const hashes = await this.#hashes(call, accesses, payload);
    const session = this.#session(call);
    const wasPrivate = session.sources('private').length > 0;
    const isKept = this.#given(call, session);
    const found = [
      ...sourcesOf(call, accesses, this.#world()),
      ...(this.#things.size > 0 ? [...this.#carried(call, accesses, hashes), ...this.#handedOut(call)] : []),
    ];
    const isMoved = this.#moved(call, payload);
    let isNew = false;
    for (const source of found) isNew = session.add(source) || isNew;
    this.#followed(call, accesses, payload, session, wasPrivate);
    const isWritten = (await this.#wrote(call, accesses, payload, session)) || isKept || isMoved;
    if (isNew || isWritten) this.#save();
    if (isNew) this.#changed.fire();
  }

  async showed(call: GateCall, placeholder: string): Promise<void> {
    const { tool } = call;
    const at = this.#options.clock.now();
    const source = { label: 'private', kind: 'shown_secret', resource: placeholder, tool: tool.modelName, at } as const;
    if (!this.#session(call).add(source)) return;
    this.#save();
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #facts(call: GateCall, session: () => FlowSession, assume: readonly FlowSource[] | undefined): FlowFacts {
    const carried = this.#things.size > 0 ? this.#carried(call, call.accesses, nothingRead) : [];
    return new CallFacts(call, session, this.#placesNow(), [
      ...carriedSources(call, this.#world()),
      ...carried.filter(({ label }) => label === 'private'),
      ...(assume ?? this.#words(call)),
    ]);
  }

  /** What strangers say to the model without being called: the descriptions of the tools that it is offered. */
  #words({ tool, profile }: GateCall): readonly FlowSource[] {
    const own = calleeOf({ tool });
    // Other agents may have them too, by our own server.
    const offered = this.#offered(profile);
    if (!own || offered.some(({ resource }) => resource === own.name)) return offered;
    return [toolWords(own.name), ...offered];
  }

  #offered(profile: ResolvedProfile): readonly FlowSource[] {
    let offered = this.#described.get(profile);
    if (!offered) {
      const names = new Set(profile.tools.flatMap((tool) => calleeOf({ tool })?.name ?? []));
      offered = [...names].map(toolWords);
      this.#described.set(profile, offered);
    }
    return offered;
  }

  /** What is known of the files and notes that a call reads. */
  #carried(call: GateCall, accesses: readonly Access[], hashes: ReadonlyMap<string, string>): readonly FlowSource[] {
    const found = accesses.flatMap((access) => {
      if (access.effect !== 'fs.read' && access.effect !== 'fs.delete') return [];
      const through = access.resource;
      // What is searched may be a file itself, and a command line names files by patterns.
      const known = this.#things.sourcesOf(fileKey(through), hashes.get(through));
      const more = access.recursive
        ? this.#things.below(through)
        : /[*?[{(]/.test(through)
          ? this.#things.matching(through)
          : [];
      return [...known, ...more].map((one) => ({ ...one, through }));
    });
    const notes = notesOf(call.tool);
    if (!notes || notes.does === 'write') return found;
    const through = notes.of;
    return [...found, ...this.#things.sourcesOf(noteKey(call, through)).map((one) => ({ ...one, through }))];
  }

  /** What stands in the files that a call read: as it says itself, else as they are now. */
  async #hashes(
    call: GateCall,
    accesses: readonly Access[],
    payload: Json | undefined,
  ): Promise<ReadonlyMap<string, string>> {
    const read = accesses.filter(({ effect }) => effect === 'fs.read');
    const found = new Map<string, string>();
    if (read.length === 0 || this.#things.size === 0) return found;
    const told = hashIn(call, payload);
    if (told !== undefined && read[0]) return found.set(read[0].resource, told);
    for (const resource of [...new Set(read.map((one) => one.resource))].slice(0, mostHashed)) {
      const hash = this.#things.asksContent(fileKey(resource)) ? await this.#hashOf(resource) : undefined;
      if (hash !== undefined) found.set(resource, hash);
    }
    return found;
  }

  async #hashOf(path: string): Promise<string | undefined> {
    return (await this.#options.hashOf?.(path))?.slice(0, shownHash);
  }

  /** What lay at one place lies at another, whoever moved it. */
  #moved({ tool, accesses }: GateCall, payload: Json | undefined): boolean {
    const isMove = sourceKind(tool.source).isOurs && tool.definition.name === 'move_file';
    if (!isMove || payload === undefined || this.#things.size === 0) return false;
    const from = accesses.find(({ effect }) => effect === 'fs.delete')?.resource;
    const to = accesses.find(({ effect }) => effect === 'fs.write')?.resource;
    if (from === undefined || to === undefined) return false;
    this.#things.move(fileKey(from), fileKey(to));
    return true;
  }

  /** What a server was given before, it may hand out again. It has it, so it is now its own too. */
  #handedOut(call: GateCall): readonly FlowSource[] {
    const callee = calleeOf(call);
    if (!callee) return [];
    const origin = callee.origin === undefined ? {} : { origin: callee.origin };
    return this.#things
      .sourcesOf(serverKey(callee.name))
      .map((one) => ({ ...ofNobody(one), ...origin, through: callee.name }));
  }

  /** Gives a server that keeps what it gets the labels of what is not its own. */
  #given(call: GateCall, session: FlowSession): boolean {
    const callee = calleeOf(call);
    if (!callee || callee.onlyReads || !keeps(call)) return false;
    const sources = session.sources('private').filter(({ origin }) => origin === undefined || origin !== callee.origin);
    if (sources.length === 0 || newWords(call, callee.listener, session).length === 0) return false;
    const key = serverKey(callee.name);
    this.#things.put(key, [...sources, ...this.#things.sourcesOf(key)], this.#options.clock.now());
    session.written.add(key);
    return true;
  }

  /**
   * Gives the labels of the session to what the call wrote, or may have written where it is not known to have ended
   * well.
   */
  async #wrote(
    call: GateCall,
    accesses: readonly Access[],
    payload: Json | undefined,
    session: FlowSession,
  ): Promise<boolean> {
    const sources = flowLabels.flatMap((label) => session.sources(label));
    const keys = accesses.flatMap(({ effect, resource }) => (effect === 'fs.write' ? [fileKey(resource)] : []));
    const notes = notesOf(call.tool);
    if (notes && notes.does !== 'read') keys.push(noteKey(call, notes.of));
    if (keys.length === 0 || (sources.length === 0 && !keys.some((key) => this.#things.has(key)))) return false;
    const isNew = payload !== undefined && isWhole(call);
    const told =
      keys.length === 1
        ? (hashIn(call, payload) ?? (isNew ? hashOfInput(call, this.#options.crypto) : undefined))
        : undefined;
    for (const [at, key] of keys.entries()) {
      const isAsked = told === undefined && payload !== undefined && at < mostHashed && key.startsWith('file:');
      const hash = isAsked ? await this.#hashOf(key.slice('file:'.length)) : told;
      // What is added to a file keeps what stood in it before.
      const before = key.startsWith('file:') && isNew ? [] : this.#things.sourcesOf(key);
      const all = [...sources, ...before];
      if (all.length === 0) this.#things.remove(key);
      else this.#things.put(key, all, this.#options.clock.now(), key.startsWith('file:') ? hash : undefined);
      session.written.add(key);
    }
    return true;
  }

  /** Links that were there before anything private could be put into them, and what was said before. */
  #followed(
    call: GateCall,
    accesses: readonly Access[],
    payload: Json | undefined,
    session: FlowSession,
    wasPrivate: boolean,
  ): void {
    const callee = calleeOf(call);
    const urls = accesses.flatMap(({ effect, resource }) =>
      effect === 'network.http' && resource !== '' ? [resource] : [],
    );
    if (!wasPrivate && callee) session.say(callee.listener, wordsOfCall(call));
    const wasPlain = urls.every((url) => session.links.isPlain(url));
    if (!wasPrivate) session.links.add(urls.flatMap((url) => linksIn(url)));
    else for (const url of urls) if (session.links.isPlain(url)) session.links.follow(url);
    if (payload === undefined) return;
    // What a stranger answers to a question that can hold something private, the question may have told.
    const isPublic = urls.length > 0 && (!wasPrivate || wasPlain);
    const isEarly = !wasPrivate && session.sources('private').length === 0;
    if (!isPublic && !isEarly) return;
    for (const text of textsIn(payload)) session.links.add(linksIn(text, urls[0]));
  }

  #session({ actor, invocation }: GateCall): FlowSession {
    const known = this.#sessions.get(actor.id) ?? new FlowSession(actor.id, invocation.surface === 'host');
    // The one that was used last stands last.
    setLast(this.#sessions, actor.id, known, mostSessions);
    return known;
  }

  #world() {
    return { places: this.#placesNow(), isTrusted: this.#options.isTrusted, now: () => this.#options.clock.now() };
  }

  /** Compiled anew where the settings are others, or folders lie elsewhere. */
  #placesNow(): FlowPlaces {
    const settings = this.#options.settings();
    const known = this.#settings;
    const isSame = (name: keyof FlowSettings): boolean =>
      known?.[name] === settings[name] || known?.[name].join('\n') === settings[name].join('\n');
    const here = this.#options.whereabouts();
    if (
      here !== this.#here ||
      !this.#places ||
      !isSame('privatePaths') ||
      !isSame('publicPaths') ||
      !isSame('trustedHosts')
    ) {
      this.#settings = settings;
      this.#places = new FlowPlaces(settings, here);
      this.#here = here;
    }
    return this.#places;
  }

  #load(): void {
    const stored = this.#options.storage.get(storeKey);
    const now = this.#options.clock.now();
    if (!isObject(stored)) return;
    this.#things.load(stored['things'], stored['contents'], now);
    for (const row of Array.isArray(stored['sessions']) ? (stored['sessions'] as readonly Json[]) : []) {
      if (!isObject(row) || typeof row['id'] !== 'string') continue;
      const sources = readSources(row['sources']).filter(({ at }) => now - at < sessionLifetimeMs);
      if (sources.length === 0) continue;
      const session = new FlowSession(row['id'], true);
      for (const source of sources) session.add(source);
      const written: unknown = row['written'];
      for (const key of Array.isArray(written) ? written : []) if (typeof key === 'string') session.written.add(key);
      this.#sessions.set(session.id, session);
    }
  }

  #save(): void {
    const sessions = [...this.#sessions.values()]
      .filter((one) => one.isKept)
      .map((one) => ({
        id: one.id,
        sources: flowLabels.flatMap((label) => one.sources(label).map((source) => ({ ...source }))),
        written: [...one.written].filter((key) => this.#things.has(key)),
      }))
      .filter(({ sources }) => sources.length > 0);
    const [things, contents] = [this.#things.toJson(), this.#things.contentsToJson()];
    const kept = sessions.length + this.#things.size === 0 ? undefined : { sessions, things, contents };
    this.#options.storage.set(storeKey, kept).catch(this.#options.onError);
  }
}

const toolWords = (name: string): FlowSource => ({
  label: 'untrusted',
  kind: 'foreign_words',
  resource: name,
  tool: name,
  at: 0,
});

/** Sources of a session that somebody thinks of: a case of a policy. */
const assumed = (labels: readonly FlowLabel[], { tool }: GateCall): readonly FlowSource[] =>
  labels.map((label) => ({
    label,
    kind: label === 'private' ? 'chosen_path' : 'web',
    resource: '',
    tool: tool.modelName,
    at: 0,
  }));

const fileKey = (path: string): string => `file:${path}`;
const serverKey = (name: string): string => `server:${name}`;
const noteKey = ({ profile }: GateCall, of: string): string => `${of}:${profile.id}`;
