import { DisposableStore } from '../core/base/lifecycle';
import { canonicalJson } from '../core/base/json';
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
  readonly onDidChangeSettings: Event<void>;
  readonly storage: KeyValueStore;
}): DisposableStore {
  const { profiles, storage } = parts;
  const store = new DisposableStore();
  let seen = parts.setting();
  let saved: unknown;
  const save = (): void => {
    const value = { id: profiles.activeId, setting: seen };
    if (canonicalJson(value) === canonicalJson(saved)) return;
    saved = value;
    void storage.set(key, value);
  };
  const stored = storage.get(key);
  if (typeof stored === 'object' && stored !== null && 'id' in stored && 'setting' in stored) {
    if (typeof stored.id === 'string' && stored.setting === seen) profiles.activate(stored.id);
  }
  store.add(
    parts.onDidChangeSettings(() => {
      const now = parts.setting();
      if (now === seen) return;
      seen = now;
      profiles.follow(now);
      save();
    }),
  );
  store.add(
    profiles.onDidChange(() => {
      // What the settings name may come into force by being accepted, without a change of the settings.
      if (parts.setting() === profiles.activeId) seen = parts.setting();
      save();
    }),
  );
  save();
  return store;
}
