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
  /** What a person switched to by hand, until they change their own setting: a workspace may lead to less, and back to no more than this. */
  let hand: string | undefined;
  let isFollowing = false;
  let saved: unknown;
  const save = (): void => {
    const value = { id: profiles.activeId, setting: seen, own: ownSeen, ...(hand === undefined ? {} : { hand }) };
    if (canonicalJson(value) === canonicalJson(saved)) return;
    saved = value;
    void storage.set(key, value);
  };
  const follow = (id: string): void => {
    isFollowing = true;
    profiles.follow(id);
    isFollowing = false;
  };
  /** What is to be active now that the workspace names something else. */
  const wanted = (): string => (hand !== undefined && !profiles.isWithin(seen, hand) ? hand : seen);
  const stored = storage.get(key);
  if (isObject(stored) && typeof stored['id'] === 'string' && typeof stored['setting'] === 'string') {
    const { id, setting, own } = stored;
    if (own === ownSeen && typeof stored['hand'] === 'string') hand = stored['hand'];
    if (setting === seen) profiles.activate(id);
    else if (hand !== undefined && wanted() === hand) profiles.activate(hand);
  }
  store.add(
    parts.onDidChangeSettings(() => {
      const [before, ownBefore] = [seen, ownSeen];
      [seen, ownSeen] = [parts.setting(), parts.own()];
      if (ownSeen !== ownBefore) hand = undefined;
      if (seen !== before) follow(wanted());
      save();
    }),
  );
  let active = profiles.activeId;
  store.add(
    profiles.onDidChange(() => {
      const isByHand = !isFollowing && profiles.activeId !== active;
      active = profiles.activeId;
      // What the settings name may come into force by being accepted, without a change of the settings.
      const isNamed = parts.setting() === active;
      if (isNamed) [seen, ownSeen] = [parts.setting(), parts.own()];
      if (isByHand) hand = isNamed && !profiles.isWithin(active, ownSeen) ? undefined : active;
      save();
    }),
  );
  save();
  return store;
}
