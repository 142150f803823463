import path from 'node:path';
import { knownHostTools } from '../core/hooks/hostToolTable';
import type { FolderWatch, Protector } from '../core/protection/protector';
import { readLastAnswers } from '../node/hooks/lastAnswers';
import { userFolders } from '../node/folders/userFolders';
import { editorPrivateFolder } from '../node/hooks/privateFolder';
import { writeHookLauncher } from '../node/protection/hookNotes';
import { hookPrograms } from '../node/protection/hookPrograms';
import { Protection } from '../node/protection/protection';
import { watchFolders } from '../node/watchFolders';
import { hooksSwitchedOff, onHookSettings } from '../vscode/protection/hookSettings';

interface EditorProtectionOptions {
  /** The hook of the installed version. */
  readonly hook: string;
  readonly folders: () => readonly string[];
  /** Our tools that the profile offers, by the names that models see. */
  readonly ourTools: () => readonly string[];
  /** The tools of this window that are not ours: those of the editor, of extensions and of its MCP servers. */
  readonly otherTools: () => readonly string[];
}

/** The hooks of this user's agents, as the editor looks after them. */
export function editorProtection({ hook, folders, ourTools, otherTools }: EditorProtectionOptions): Protector {
  const privateFolder = editorPrivateFolder(process.env);
  const protection = new Protection({
    user: userFolders(process.env),
    privateFolder,
    folders,
    program: hookPrograms(privateFolder),
    searchPath: process.env['PATH'] ?? '',
    ownPrograms: [path.join(path.dirname(hook), 'cli.js')],
    lastAnswer: ({ id }) => readLastAnswers(privateFolder).find(({ agent }) => agent === id),
    isEditorOpen: () => true,
    knownTools: ({ id }) => [...knownHostTools(id), ...(id === 'vscode' ? otherTools() : [])],
    ourTools,
    window: 'vscode',
    switchedOffInWindow: hooksSwitchedOff,
    now: () => Date.now(),
  });
  const watched = (): readonly string[] => [...protection.watched(), path.join(privateFolder, 'agents', 'any')];
  return Object.assign(protection, {
    refreshLauncher: () => void writeHookLauncher(privateFolder, hook),
    watch(onChange: () => void): FolderWatch {
      const folderWatch = watchFolders(() => watched().map((file) => path.dirname(file)), onChange);
      const settings = onHookSettings(onChange);
      return {
        look: () => folderWatch.look(),
        dispose() {
          folderWatch.dispose();
          settings.dispose();
        },
      };
    },
  });
}
