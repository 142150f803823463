import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import type { FolderWatch } from '../../core/protection/protector';

/** Watches the folders of files, as far as they are there; one that comes later is found at the next look. */
export function watchFolders(files: () => readonly string[], onChange: () => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  return {
    look() {
      for (const folder of new Set(files().map((file) => path.dirname(file)))) {
        if (watchers.has(folder)) continue;
        try {
          const watcher = watch(folder, { persistent: false }, onChange);
          watcher.on('error', () => {
            watcher.close();
            watchers.delete(folder);
          });
          watchers.set(folder, watcher);
        } catch {
          // It is not there yet.
        }
      }
    },
    dispose() {
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}
