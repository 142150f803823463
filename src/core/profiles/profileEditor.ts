import { Emitter, type Event } from '../base/event';
import { canonicalJson, defined, isObject, type Json, type JsonObject, ownValue } from '../base/json';
import type { KeyValueStore, Log } from '../ports/platform';
import { editRawProfile, type ProfileChange } from './profileEdit';
import { parseProfile, type Profile } from './profile';
import type { ProfileStore } from './profileStore';

export type SaveTarget = 'workspace' | 'user';

/**
 * The setting `agentCapabilities.profiles` as it stands in each scope; implemented on the editor's settings and by
 * tests in memory.
 */
export interface ProfileSettings {
  /**
   * Where changes are written now: `saveTo`, or user settings where no folder is open. Where the person chose nothing,
   * a profile that stands in their own settings alone is changed there.
   */
  target(id?: string): SaveTarget;
  read(target: SaveTarget): unknown;
  /**
   * Resolves once the new value can be read back.
   * @throws ChangedMeanwhile, and nothing was written, where somebody else has changed the profiles since `catchUp`.
   */
  write(target: SaveTarget, value: JsonObject | undefined): Promise<void>;
  /**
   * Resolves once `read` answers what is on disk, where another window may have written since, and the person has saved
   * what is open there; left out where nobody else writes.
   */
  catchUp?(target: SaveTarget): Promise<void>;
  /** The same for both scopes, where nothing is written yet: nobody is asked. */
  caughtUp?(): Promise<void>;
}

/** Somebody else was faster: what was to be written was made from what stands there no more. */
export class ChangedMeanwhile extends Error {
  constructor() {
    super('the profiles were changed by somebody else at the same moment; do it again');
  }
}

interface Step {
  readonly target: SaveTarget;
  readonly id: string;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  readonly label: string;
  /**
   * Set where `before` was held back because it allows more than the user's own settings: taking a change back does not
   * accept it.
   */
  readonly held?: true;
}

interface EditorParts {
  readonly store: ProfileStore;
  readonly settings: ProfileSettings;
  readonly log: Log;
  /** Keeps what can be undone over a reload; without it undo ends with the session. */
  readonly storage?: KeyValueStore;
  /** Keeps other windows from changing profiles meanwhile. */
  readonly exclusive?: <T>(work: () => Promise<T>) => Promise<T>;
}

/** How often a change is made anew on what somebody else has just written. */
const tries = 5;

const undoSteps = 100;
const undoKey = 'profiles.undo';
/** The most characters of undo steps that are kept over a reload. */
const keptUndo = 200_000;

/**
 * Writes changes of profiles into the settings, one after the other, so that no click is lost and none overtakes
 * another. What the user makes here is accepted at once, also where it widens.
 */
export class ProfileEditor {
  readonly #parts: EditorParts;
  readonly #idle = new Emitter<void>();
  /** Fires when the last waiting change has been written. */
  readonly onIdle: Event<void> = this.#idle.event;
  readonly #heldBack = new Emitter<string>();
  /**
   * Fires with the id of a workspace's profile of which a change was not written, because the person has to review it
   * first.
   */
  readonly onDidHoldBack: Event<string> = this.#heldBack.event;
  #queue: Promise<void> = Promise.resolve();
  #waiting = 0;
  #done: readonly Step[];

  constructor(parts: EditorParts) {
    this.#parts = parts;
    this.#done = readSteps(parts.storage?.get(undoKey));
  }

  /** True while a change is on its way: views wait for the end instead of showing a state in between. */
  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** What an undo would take back, in the words of the command that did it. */
  get undoLabel(): string | undefined {
    return this.#done.at(-1)?.label;
  }

  /** Changes a profile that exists; the change is computed on what holds when its turn comes. */
  change(id: string, label: string, change: ProfileChange): Promise<void> {
    return this.#enqueue(async () => {
      const target = this.#parts.settings.target(id);
      await this.#parts.settings.catchUp?.(target);
      const merged = this.#parts.store.profiles().get(id);
      if (!merged) throw new Error(`there is no profile \`${id}\``);
      if (isSame(change(merged.profile), merged.profile)) return;
      if (merged.pendingWidening) return this.#changeHeldBack(id, label, change, merged.pendingWidening.wanted);
      // What the workspace's version does not say is the person's own, which is not to be written into a shared file.
      const raw = target === 'workspace' ? ownValue(this.#readAll(target), id) : undefined;
      const current = raw === undefined ? this.#written(id, merged.profile) : parseProfile(id, raw, target).value;
      const next = change(current);
      if (!isSame(next, current)) await this.#save(id, next, label, target);
    });
  }

  /** Writes a profile whole, new or replacing one of this id. */
  put(profile: Profile, label: string, target = this.#parts.settings.target()): Promise<void> {
    return this.#enqueue(async () => {
      await this.#parts.settings.catchUp?.(target);
      await this.#save(profile.id, profile, label, target);
    });
  }

  /** Takes a profile out of the settings of both scopes; a shipped one shows its original again. */
  remove(id: string, label: string): Promise<void> {
    return this.#enqueue(async () => {
      await this.#parts.settings.caughtUp?.();
      const holds = (target: SaveTarget): boolean => Object.hasOwn(this.#readAll(target), id);
      const holding = (['workspace', 'user'] as const).filter(holds);
      // Whoever does not want to save one of the files has both left as they are.
      for (const target of holding) await this.#parts.settings.catchUp?.(target);
      for (const target of holding) if (holds(target)) await this.#writeOne(target, id, undefined, label);
    });
  }

  /**
   * Takes back the last change, if its result still stands as it was written; otherwise it answers why not and forgets
   * nothing else.
   */
  undo(): Promise<'undone' | 'nothing' | 'changed-since'> {
    return this.#enqueue(async () => {
      const step = this.#done.at(-1);
      if (!step) return 'nothing';
      await this.#parts.settings.catchUp?.(step.target);
      const now = ownValue(this.#readAll(step.target), step.id);
      if (!sameProfile(now, step.after)) {
        this.#keep(this.#done.filter((one) => one !== step));
        return 'changed-since';
      }
      if (isObject(step.before) && !step.held)
        await this.#accept(step.target, parseProfile(step.id, step.before, step.target).value);
      await this.#write(step.target, step.id, step.before);
      this.#keep(this.#done.filter((one) => one !== step));
      return 'undone';
    });
  }

  /** Resolves when everything that was asked so far has been written. */
  settled(): Promise<void> {
    return this.#queue;
  }

  /**
   * While a workspace's version is held back, the person sees only what both scopes allow. What takes away from that is
   * written into the version as it stands, which accepts nothing of it; all else needs its review first.
   */
  async #changeHeldBack(id: string, label: string, change: ProfileChange, wanted: Profile): Promise<void> {
    const target = this.#parts.settings.target();
    const before = target === 'workspace' ? wanted : this.#parts.store.merged.ownProfile(id);
    const next = before && change(before);
    if (!next || isSame(next, before) || !this.#parts.store.isOnlyLess(id, change)) return this.#heldBack.fire(id);
    await this.#writeOne(target, id, editRawProfile(ownValue(this.#readAll(target), id), next), label);
  }

  /** What a bundle takes from a profile is the bundle's word for as long as it is in force, and never the person's. */
  #written(id: string, shown: Profile): Profile {
    return Object.hasOwn(this.#readAll('workspace'), id) ? shown : (this.#parts.store.merged.unbundled(id) ?? shown);
  }

  async #save(id: string, profile: Profile, label: string, target: SaveTarget): Promise<void> {
    if (target === 'user' && Object.hasOwn(this.#readAll('workspace'), id))
      await this.#parts.settings.catchUp?.('workspace');
    const raw = ownValue(this.#readAll(target), id);
    // What somebody else wrote and the person has not accepted is replaced as a whole.
    const pending = target === 'workspace' && this.#parts.store.profiles().get(id)?.pendingWidening !== undefined;
    const value = editRawProfile(pending ? undefined : raw, profile);
    await this.#accept(target, parseProfile(id, value, target).value);
    await this.#writeOne(target, id, value, label);
    // A workspace's version hides the user's: without this a change that is saved to user settings would seem to do
    // nothing.
    if (target === 'user' && Object.hasOwn(this.#readAll('workspace'), id))
      await this.#writeOne('workspace', id, undefined, label);
  }

  async #accept(target: SaveTarget, profile: Profile): Promise<void> {
    if (target === 'workspace') await this.#parts.store.accept(profile, this.#parts.store.merged.dropped(profile));
  }

  async #writeOne(target: SaveTarget, id: string, value: JsonObject | undefined, label: string): Promise<void> {
    const before = ownValue(this.#readAll(target), id) as Json | undefined;
    const held = target === 'workspace' && this.#parts.store.profiles().get(id)?.pendingWidening !== undefined;
    await this.#write(target, id, value);
    this.#keep(
      [...this.#done, { target, id, before, after: value, label, ...(held ? { held } : {}) }].slice(-undoSteps),
    );
  }

  /** Keeps the newest steps that are small enough together, so that a change can be taken back after a reload too. */
  #keep(steps: readonly Step[]): void {
    this.#done = steps;
    if (!this.#parts.storage) return;
    let size = 0;
    const kept = [...steps].reverse().filter((step) => (size += JSON.stringify(step).length) <= keptUndo);
    this.#parts.storage
      .set(
        undoKey,
        kept.reverse().map((step): Json => defined(step)),
      )
      .catch((error: unknown) => this.#parts.log.warn(`what can be undone was not kept: ${String(error)}`));
  }

  async #write(target: SaveTarget, id: string, value: Json | undefined): Promise<void> {
    const { [id]: _before, ...rest } = this.#readAll(target);
    const all = value === undefined ? rest : { ...this.#readAll(target), [id]: value };
    await this.#parts.settings.write(target, Object.keys(all).length === 0 ? undefined : (all as JsonObject));
  }

  #readAll(target: SaveTarget): Record<string, unknown> {
    const raw = this.#parts.settings.read(target);
    return isObject(raw) ? raw : {};
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++;
    const { exclusive } = this.#parts;
    const done = (): Promise<T> => onWhatStandsThere(work);
    const result = this.#queue.then(() => (exclusive ? exclusive(done) : done()));
    this.#queue = result.then(
      () => this.#finished(),
      (error: unknown) => {
        this.#parts.log.warn(`a change of a profile was not written: ${String(error)}`);
        this.#finished();
      },
    );
    return result;
  }

  #finished(): void {
    this.#waiting--;
    if (this.#waiting === 0) this.#idle.fire();
  }

  dispose(): void {
    this.#idle.dispose();
    this.#heldBack.dispose();
  }
}

/** Begins a change again that met somebody else's, which it reads then. */
async function onWhatStandsThere<T>(change: () => Promise<T>): Promise<T> {
  for (let at = 1; ; at++) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || at === tries) throw error;
    }
  }
}

/**
 * Two spellings of one profile are the same: comments are kept by writing `{ "ref": "math" }` where `"math"` was meant.
 */
function sameProfile(one: unknown, other: unknown): boolean {
  return canonicalJson(plainEntries(one)) === canonicalJson(plainEntries(other));
}

function plainEntries(raw: unknown): Json {
  if (!isObject(raw) || !Array.isArray(raw['capabilities'])) return (raw ?? null) as Json;
  const capabilities = raw['capabilities'].map((item: unknown) => {
    const names = isObject(item) ? Object.keys(item) : [];
    return isObject(item) && names.length === 1 && typeof item['ref'] === 'string' ? item['ref'] : item;
  });
  return { ...raw, capabilities } as JsonObject;
}

/** In which settings a profile stands changes nothing. */
function isSame(one: Profile, other: Profile): boolean {
  const said = ({ origin: _origin, ...rest }: Profile): unknown => rest;
  return canonicalJson(said(one)) === canonicalJson(said(other));
}

/**
 * Reads what an earlier session could undo. It is only ever applied where the settings still stand as they were written
 * then.
 */
function readSteps(stored: unknown): readonly Step[] {
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((one: unknown): Step[] => {
    if (!isObject(one)) return [];
    const { target, id, label } = one;
    if ((target !== 'workspace' && target !== 'user') || typeof id !== 'string' || typeof label !== 'string') return [];
    const [before, after] = [one['before'] as Json | undefined, one['after'] as Json | undefined];
    return [{ target, id, label, before, after, ...(one['held'] === true ? { held: true } : {}) }];
  });
}
