import { homedir } from 'node:os';
import path from 'node:path';
import { messageOf } from '../../core/base/errorText';
import { Emitter, type Event } from '../../core/base/event';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { say, type Sentence } from '../../core/base/sentence';
import { type BundleEntry, isAddress, readBundleEntries } from '../../core/bundles/bundleEntries';
import {
  type FoundBundle,
  layersWithBundles,
  nextTurn,
  settleBundle,
  type SettledBundle,
} from '../../core/bundles/bundlesInForce';
import { mostBundleBytes } from '../../core/bundles/envelope';
import type { HttpClient } from '../../core/ports/http';
import type { Clock } from '../../core/ports/platform';
import { errorSaid } from '../../core/vocabulary/errors';
import type { SettingsLayers } from '../../core/settings/settings';
import { replaceFileSync } from '../files/replaceFile';
import { readSmallFile } from '../regularFile';
import { restingStamp } from '../restingStamp';
import { nodeCrypto } from '../system';
import { ed25519 } from './ed25519';
import { makeFolder } from '../folders/makeFolder';

interface HeldBundlesOptions {
  /** Where the last good bundles are kept for this user; they last as long as the process where it is left out. */
  readonly folder: string | undefined;
  /** The workspace folder in which relative paths lie. */
  readonly workspace: () => string | undefined;
  /** The project's own guarded client; nothing is fetched where it is left out. */
  readonly http?: HttpClient;
  readonly clock: Clock;
  readonly onError: (message: string) => void;
}

/** Files are looked at so often, and addresses asked, in milliseconds. */
const lookMs = 60_000;
const askMs = 3_600_000;
const timeoutMs = 15_000;

/**
 * The bundles that settings name. What was in force is kept, so that it holds while its place cannot be reached, and so
 * that nothing older comes after it; it is shared by everything of this user.
 */
export class HeldBundles implements Disposable {
  readonly #options: HeldBundlesOptions;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange: Event<void> = this.#changed.event;
  /** What addresses answered last, and when, by the entry. */
  readonly #fetched = new Map<string, { readonly found: FoundBundle; readonly at: number }>();
  /** For a process that keeps no files, and for what could not be kept as one. */
  readonly #memory = new Map<string, Uint8Array>();
  #entries: readonly BundleEntry[] = [];
  #asking: Promise<void> | undefined;
  #timer: Disposable | undefined;
  #seen = '';
  /** Of the files of entries, as they were looked at last. */
  #stamps = '';
  /** When what is in force changes though no file does. */
  #turnsAt = Infinity;

  constructor(options: HeldBundlesOptions) {
    this.#options = options;
  }

  /** What the settings come to with the bundles that they name. */
  apply(layers: SettingsLayers): SettingsLayers {
    const { entries, faults, problems } = readBundleEntries(layers, nodeCrypto);
    this.#entries = entries;
    const now = this.#options.clock.now();
    const settled = entries.map((entry) => this.#settle(entry, now));
    this.#seen = this.#look();
    this.#stamps = this.#stampsNow();
    this.#turnsAt = nextTurn(settled, now);
    return layersWithBundles(layers, settled, faults, problems, now);
  }

  /**
   * Asks the addresses that were not asked within the hour.
   * @param missing only those of which nothing is held.
   */
  async ask(missing = false): Promise<void> {
    this.#asking ??= this.#ask(missing).finally(() => (this.#asking = undefined));
    await this.#asking;
  }

  /** Before a call: a file that changed holds for it, and a bundle that has expired. It costs a look at each. */
  lookAgain(): void {
    const now = this.#stampsNow();
    if (now === this.#stamps && !this.#hasTurned()) return;
    this.#stamps = now;
    this.#compare();
  }

  #hasTurned(): boolean {
    return this.#options.clock.now() >= this.#turnsAt;
  }

  #compare(): void {
    if (this.#hasTurned() || this.#look() !== this.#seen) this.#changed.fire();
  }

  #stampsNow(): string {
    return this.#entries
      .map(({ from }) => (isAddress(from) ? undefined : this.#placeOf(from)))
      .map((place) => (place ? restingStamp(place.file) : ''))
      .join('\n');
  }

  /** Looks at files every minute and asks addresses every hour, until it is let go of. */
  follow(): void {
    this.#timer?.dispose();
    this.#timer = this.#options.clock.schedule(() => {
      void this.ask().finally(() => {
        if (this.#store.isDisposed) return;
        this.#compare();
        this.follow();
      });
    }, lookMs);
  }

  async #ask(missing: boolean): Promise<void> {
    const { clock } = this.#options;
    const due = this.#entries.filter((entry) => {
      const last = this.#fetched.get(keyOf(entry));
      if (!isAddress(entry.from) || (missing && this.#held(entry) !== undefined)) return false;
      return last === undefined || clock.now() - last.at >= askMs;
    });
    if (due.length === 0) return;
    await Promise.all(
      due.map(async (entry) => this.#fetched.set(keyOf(entry), { found: await this.#fetch(entry), at: clock.now() })),
    );
    if (!this.#store.isDisposed) this.#changed.fire();
  }

  async #fetch({ from }: BundleEntry): Promise<FoundBundle> {
    const failed = (why: Sentence): FoundBundle => ({ fault: say('bundle_not_fetched', from, why) });
    const { http } = this.#options;
    if (!http) return failed(say('bundle_fetches_nothing'));
    try {
      const response = await http.send({
        url: from,
        method: 'GET',
        headers: { accept: 'application/json' },
        firstByteTimeoutMs: timeoutMs,
        bodyTimeoutMs: timeoutMs,
        maxBytes: mostBundleBytes + 1,
      });
      if (response.status !== 200) return failed(say('http_status', response.status));
      if (response.cut !== undefined && response.cut !== 'size')
        return failed(say(response.cut === 'timeout' ? 'network_answer_late' : 'network_broke_off', from));
      return { bytes: response.body };
    } catch (error) {
      return failed(errorSaid(error));
    }
  }

  #settle(entry: BundleEntry, now: number): SettledBundle {
    const found = isAddress(entry.from) ? this.#fetched.get(keyOf(entry))?.found : this.#read(entry.from);
    const tools = { crypto: nodeCrypto, signatures: ed25519, now };
    const settled = settleBundle(entry, found, this.#held(entry), tools);
    if (settled.isNew && found && 'bytes' in found) this.#keep(entry, found.bytes);
    return settled;
  }

  #read(from: string): FoundBundle {
    const place = this.#placeOf(from);
    if (!place) return { fault: say('bundle_absent', from) };
    const read = readSmallFile(place.file, place.within === undefined ? {} : { within: place.within });
    if (read.type === 'text') return { bytes: new TextEncoder().encode(read.text) };
    return { fault: read.type === 'absent' ? say('bundle_absent', from) : say('file_unreadable', read.fault) };
  }

  /** A relative path lies in the workspace, wherever links lead. */
  #placeOf(from: string): { readonly file: string; readonly within?: string } | undefined {
    if (/^~[/\\]/.test(from)) return { file: path.join(homedir(), from.slice(2)) };
    if (path.isAbsolute(from)) return { file: from };
    const within = this.#options.workspace();
    if (within === undefined) return undefined;
    const file = path.resolve(within, from);
    return { file, within };
  }

  /** What changes when something else would come into force: the files of entries, and what is held. */
  #look(): string {
    const files = this.#entries.map((entry) => {
      const found = isAddress(entry.from) ? undefined : this.#read(entry.from);
      const held = this.#held(entry);
      return [
        found && 'bytes' in found ? nodeCrypto.sha256(found.bytes) : found?.fault.code,
        held && nodeCrypto.sha256(held),
      ];
    });
    return JSON.stringify(files);
  }

  #held(entry: BundleEntry): Uint8Array | undefined {
    const { folder } = this.#options;
    const known = this.#memory.get(fileOf(entry));
    const kept = folder === undefined ? undefined : readKept(folder, entry);
    if (!known || !kept) return known ?? kept;
    // Another process may have kept a newer one since; what has expired by now counts by its revision all the same.
    const tools = { crypto: nodeCrypto, signatures: ed25519, now: 0 };
    return settleBundle(entry, { bytes: known }, kept, tools).isNew ? known : kept;
  }

  #keep(entry: BundleEntry, bytes: Uint8Array): void {
    const { folder, onError } = this.#options;
    this.#memory.set(fileOf(entry), bytes);
    if (folder === undefined) return;
    try {
      makeFolder(folder);
      replaceFileSync(path.join(folder, fileOf(entry)), bytes);
      this.#memory.delete(fileOf(entry));
    } catch (error) {
      onError(`the bundle \`${entry.name}\` could not be kept: ${messageOf(error)}`);
    }
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#store.dispose();
  }
}

function readKept(folder: string, entry: BundleEntry): Uint8Array | undefined {
  const read = readSmallFile(path.join(folder, fileOf(entry)));
  if (read.type === 'absent') return undefined;
  // What is there and cannot be read was a bundle: as bytes that are none it keeps anything older out.
  return read.type === 'text' ? new TextEncoder().encode(read.text) : new Uint8Array();
}

/** A key of another signer begins anew. */
const fileOf = ({ name, key }: BundleEntry): string => `${name}.${key.id.slice(0, 32)}.bundle`;
const keyOf = (entry: BundleEntry): string => `${fileOf(entry)} ${entry.from}`;
