import { DisposableStore } from '../core/base/lifecycle';
import { canonicalJson, isObject } from '../core/base/json';
import type { Event } from '../core/base/event';
import type { KeyValueStore } from '../core/ports';
import type { ProfileStore } from '../core/profileStore';

const key = 'activeProfile';

/**
 * Remembers this window's active profile. The setting is its first value; an edit of the setting, also one made while the window was closed,
 * takes effect (design.md 6).
 */
export function rememberActiveProfile(parts: {
  readonly profiles: ProfileStore;
  readonly setting: () => string;
  /** What the setting says without the workspace. */
  readonly own: () => string;
  readonly onDidChangeSettings: Event<void>;
  readonly storage: KeyValueStore;
}): DisposableStore {
  const { profiles, storage } = parts;
  const store = new DisposableStore();
  let seen = parts.setting();
  let ownSeen = parts.own();
  let saved: unknown;
  const save = (): void => {
    const value = { id: profiles.activeId, setting: seen, own: ownSeen };
    if (canonicalJson(value) === canonicalJson(saved)) return;
    saved = value;
    void storage.set(key, value);
  };
  /** True where a person chose `chosen` by hand and the workspace alone now names what allows more. */
  const isHeld = (chosen: string, before: string, own: unknown): boolean =>
    chosen !== before && own === parts.own() && !profiles.isWithin(parts.setting(), chosen);
  const stored = storage.get(key);
  if (isObject(stored) && typeof stored['id'] === 'string' && typeof stored['setting'] === 'string') {
    const { id, setting } = stored;
    if (setting === seen || isHeld(id, setting, stored['own'])) profiles.activate(id);
  }
  store.add(
    parts.onDidChangeSettings(() => {
      const now = parts.setting();
      const isKept = now === seen || isHeld(profiles.activeId, seen, ownSeen);
      [seen, ownSeen] = [now, parts.own()];
      if (!isKept) profiles.follow(now);
      save();
    }),
  );
  store.add(
    profiles.onDidChange(() => {
      // What the settings name may come into force by being accepted, without a change of the settings.
      if (parts.setting() === profiles.activeId) [seen, ownSeen] = [parts.setting(), parts.own()];
      save();
    }),
  );
  save();
  return store;
}
