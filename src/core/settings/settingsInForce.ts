import { canonicalJson } from '../base/json';
import { Emitter, type Event } from '../base/event';
import type { Disposable } from '../base/lifecycle';
import { type SettingKey, settingSpecs } from './settingTable';
import { readSettings } from './readSettings';
import type { Settings, SettingsLayers } from './settings';
import { writtenText } from './settingValues';

/** The keys of the settings that say something else than before, in any scope. */
export type ChangedSettings = ReadonlySet<SettingKey>;

/** Where settings come from; the event says that something of them may have changed. */
export interface SettingsSource {
  read(): SettingsLayers;
  readonly onDidChange: Event<void>;
}

/**
 * The settings as they were read last. Whoever works with them hears which of them changed, and only where one did or
 * what is wrong with them is something else.
 */
export class SettingsInForce implements Disposable {
  readonly #changed: Emitter<ChangedSettings>;
  readonly #subscription: Disposable;
  readonly #source: SettingsSource;
  #now: Settings;

  constructor(source: SettingsSource, onError?: (error: unknown) => void) {
    this.#changed = new Emitter(onError);
    this.#source = source;
    this.#now = readSettings(source.read());
    this.#subscription = source.onDidChange(() => this.#refresh());
  }

  get now(): Settings {
    return this.#now;
  }

  get onDidChange(): Event<ChangedSettings> {
    return this.#changed.event;
  }

  #refresh(): void {
    const before = this.#now;
    const now = readSettings(this.#source.read());
    const changed = settingSpecs.map(({ key }) => key).filter((key) => textOf(before, key) !== textOf(now, key));
    if (changed.length === 0 && canonicalJson(before.problems) === canonicalJson(now.problems)) return;
    this.#now = now;
    this.#changed.fire(new Set(changed));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }
}

/**
 * What all scopes say of a setting, in its order, because that of profiles and servers can be seen. To say nothing is
 * something else than to say what nobody can read.
 */
function textOf({ layers: { managed, user, workspace, bundles } }: Settings, key: SettingKey): string {
  const said = key === 'policy.bundles' ? bundles : bundles.map(({ settings, fault }) => [settings[key], fault]);
  return [...[managed, user, workspace].map((layer) => writtenText(layer[key])), JSON.stringify(said)].join('\n');
}
