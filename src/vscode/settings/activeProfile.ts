import { DisposableStore } from '../../core/base/lifecycle';
import { canonicalJson, isObject } from '../../core/base/json';
import type { Event } from '../../core/base/event';
import type { KeyValueStore } from '../../core/ports/platform';
import type { ProfileStore } from '../../core/profiles/profileStore';

const key = 'activeProfile';

/**
 * Remembers this window's active profile. The setting is its first value; an edit of the setting, also one made while
 * the window was closed, takes effect.
 */
export function rememberActiveProfile(parts: {
  readonly profiles: ProfileStore;
  readonly setting: () => string;
  /** What the setting says without the workspace. */
  readonly own: () => string;
  readonly onDidChangeSettings: Event<unknown>;
  readonly storage: KeyValueStore;
}): DisposableStore {
  const { profiles, storage } = parts;
  const store = new DisposableStore();
  let seen = parts.setting();
  let ownSeen = parts.own();
  /**
   * What a person switched to by hand, until they change their own setting: a workspace may lead to less, and back to
   * no more than this.
   */
  let hand: string | undefined;
  let saved: unknown;
  const save = (): void => {
    const value = { id: profiles.activeId, setting: seen, own: ownSeen, ...(hand === undefined ? {} : { hand }) };
    if (canonicalJson(value) === canonicalJson(saved)) return;
    saved = value;
    void storage.set(key, value);
  };
  /** What the settings lead to, or the person's own choice where that would be more. */
  const bounded = (id: string): string => (hand !== undefined && !profiles.isWithin(id, hand) ? hand : id);
  const stored = storage.get(key);
  if (isObject(stored) && typeof stored['id'] === 'string' && typeof stored['setting'] === 'string') {
    const { id, setting, own } = stored;
    if (own === ownSeen && typeof stored['hand'] === 'string') hand = stored['hand'];
    const last = setting === seen && profiles.profiles().has(id) ? id : seen;
    profiles.follow(bounded(last));
  }
  store.add(
    parts.onDidChangeSettings(() => {
      const [before, ownBefore] = [seen, ownSeen];
      [seen, ownSeen] = [parts.setting(), parts.own()];
      if (ownSeen !== ownBefore) hand = undefined;
      // What was less than the person's choice may have become more, although its name is the same.
      const next = bounded(seen === before ? profiles.activeId : seen);
      if (seen !== before || next !== profiles.activeId) profiles.follow(next);
      save();
    }),
  );
  store.add(
    profiles.onDidChoose((id) => {
      hand = parts.setting() === id && !profiles.isWithin(id, parts.own()) ? undefined : id;
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
