import path from 'node:path';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import { ProfileEditor } from '../core/profiles/profileEditor';
import { FileLock } from '../node/fileLock';
import { prepareSearchInTime } from '../vscode/files/idleSearch';
import { rememberActiveProfile } from '../vscode/settings/activeProfile';
import { followTools } from '../vscode/settings/contextKeys';
import type { EditorParts } from './editorParts';

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
