import path from 'node:path';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import { ProfileEditor } from '../core/profiles/profileEditor';
import { FileLock } from '../node/fileLock';
import { rememberActiveProfile } from '../vscode/settings/activeProfile';
import { followTools } from '../vscode/settings/contextKeys';
import type { EditorParts } from './editorParts';
import { Debounce } from '../core/base/debounce';
import type { Event } from '../core/base/event';

/** Which profile is active in this window, how profiles are changed, and what follows from them for models. */
export function editorProfiles({
  base: { context, keys, log, settings, storage },
  core,
}: Pick<EditorParts, 'base' | 'core'>): Disposable & Pick<EditorParts, 'editor'> {
  const store = new DisposableStore();
  const { registry, profiles, discovery } = core.tools;
  store.add(
    rememberActiveProfile({
      profiles,
      setting: () => profiles.configured().id,
      own: () => profiles.merged.ownId(),
      onDidChangeSettings: core.onDidChangeSettings,
      storage,
    }),
  );
  const lock = new FileLock(path.join(context.globalStorageUri.fsPath, 'profiles.lock'));
  const editor = store.add(
    new ProfileEditor({ store: profiles, settings, log, storage, exclusive: (work) => lock.run(work) }),
  );
  store.add(followTools({ registry, profiles, found: discovery.found }, keys));
  store.add(
    prepareSearchInTime({
      prepareSearch: (isTimeUp) => discovery.prepare(isTimeUp),
      onDidChange: registry.onDidChange,
    }),
  );
  return { editor, dispose: () => store.dispose() };
}

/** In milliseconds: how long after the last change, how long at a time, and how long others may work in between. */
const times = { after: 500, work: 8, rest: 15 };

/**
 * Reads new tools for the search a little at a time, so that neither the first search nor anything else has to wait for
 * thousands of them.
 */
function prepareSearchInTime(parts: {
  prepareSearch(isTimeUp: () => boolean): boolean;
  readonly onDidChange: Event<void>;
}): Disposable {
  const store = new DisposableStore();
  const work = (): void => {
    const end = performance.now() + times.work;
    if (!parts.prepareSearch(() => performance.now() >= end)) next.restart();
  };
  const first = store.add(new Debounce(work, times.after));
  const next = store.add(new Debounce(work, times.rest));
  const begin = (): void => {
    next.cancel();
    first.restart();
  };
  store.add(parts.onDidChange(begin));
  begin();
  return store;
}
