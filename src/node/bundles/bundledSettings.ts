import { Emitter, type Event } from '../../core/base/event';
import { type Disposable, DisposableStore } from '../../core/base/lifecycle';
import { say } from '../../core/base/sentence';
import { namesBundles } from '../../core/bundles/namesBundles';
import type { SettingsLayers } from '../../core/settings/settings';
import type { SettingsSource } from '../../core/settings/settingsInForce';
import type { HeldBundles } from './heldBundles';

interface BundledOptions {
  readonly open: () => Promise<HeldBundles>;
  /** True for a command that ends: it waits for an address of which nothing is held. Others ask while it answers. */
  readonly waits: boolean;
  readonly onError: (error: unknown) => void;
}

/**
 * Settings with the signed bundles that they name. What reads bundles is loaded when the first is named; until then
 * every call of an agent would ask, so whoever judges waits for `settled`.
 */
export class BundledSettings implements SettingsSource, Disposable {
  readonly #source: SettingsSource;
  readonly #options: BundledOptions;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly onDidChange: Event<void> = this.#changed.event;
  #held: HeldBundles | undefined;
  #loading: Promise<void> | undefined;
  #hasFailed = false;

  constructor(source: SettingsSource, options: BundledOptions) {
    this.#source = source;
    this.#options = options;
    this.#store.add(source.onDidChange(() => this.#changed.fire()));
  }

  read(): SettingsLayers {
    const layers = this.#source.read();
    if (!namesBundles(layers)) return layers;
    if (this.#held) return this.#held.apply(layers);
    this.#loading ??= this.#load(layers).then((isLoaded) => this.#ended(isLoaded));
    const fault = say('bundle_unread');
    const nothing = { name: '', revision: 0, hash: '', settings: {}, servers: {}, definitions: {}, problems: [] };
    return { ...layers, bundles: [{ ...nothing, fault }] };
  }

  /**
   * Settles once the bundles that are on this machine are in force, as they stand there now. What could not be loaded
   * is tried once more.
   */
  async settled(): Promise<void> {
    if (this.#hasFailed) this.read();
    await this.#loading;
    this.#held?.lookAgain();
  }

  #ended(isLoaded: boolean): void {
    this.#hasFailed = !isLoaded;
    // A disk that was full or a file that was locked may be well again.
    if (!isLoaded) this.#loading = undefined;
  }

  async #load(layers: SettingsLayers): Promise<boolean> {
    let held: HeldBundles | undefined;
    try {
      held = await this.#options.open();
      if (this.#store.isDisposed) {
        held.dispose();
        return true;
      }
      held.apply(layers);
      if (this.#options.waits) await held.ask(true);
    } catch (error) {
      held?.dispose();
      this.#options.onError(error);
      return false;
    }
    this.#store.add(held);
    this.#store.add(held.onDidChange(() => this.#changed.fire()));
    this.#held = held;
    this.#changed.fire();
    if (!this.#options.waits) {
      held.follow();
      void held.ask().catch(this.#options.onError);
    }
    return true;
  }

  dispose(): void {
    this.#store.dispose();
  }
}
