import type { Disposable } from '../base/lifecycle';
import { say, type Sentence } from '../base/sentence';
import { errorSaid, isToolError } from '../vocabulary/errors';
import { joinPath } from '../files/paths';
import { readWhole } from '../files/readWhole';
import type { FileSystem } from '../ports/files';
import { formatOf } from './spec';
import { accessLabel } from '../ports/accessLabel';

/** Tells that something in the definitions' folders may have changed. Firing too often is harmless. */
export interface DefinitionWatcher {
  watch(onChange: () => void): Disposable;
}

export const definitionFolder = '.vscode/capabilities';
/** A larger file is no definition. */
const maxBytes = 1_000_000;

interface DefinitionFile {
  /** The path as policy and problems show it. */
  readonly file: string;
  /** Undefined where the file could not be read; `fault` says why. */
  readonly text?: string;
  readonly fault?: Sentence;
}

/** Reads every definition file of every workspace folder, sorted by path. A missing folder has no definitions. */
export async function readDefinitionFiles(files: FileSystem): Promise<readonly DefinitionFile[]> {
  const found: DefinitionFile[] = [];
  for (const folder of files.folders()) {
    let names: readonly string[];
    try {
      const path = await files.canonical({ folder, path: definitionFolder });
      names = (await files.readDirectory(path))
        .filter((entry) => entry.type !== 'directory')
        .map((entry) => entry.name);
    } catch (error) {
      if (isToolError(error) && (error.data.code === 'not_found' || error.data.code === 'not_a_directory')) continue;
      found.push({ file: accessLabel({ folder, path: definitionFolder }, files), fault: errorSaid(error) });
      continue;
    }
    for (const name of names.filter((one) => formatOf(one) !== undefined).sort()) {
      const given = { folder, path: joinPath(definitionFolder, name) };
      const file = accessLabel(given, files);
      try {
        const bytes = await readWhole(files, await files.canonical(given), maxBytes + 1);
        if (bytes.byteLength > maxBytes) found.push({ file, fault: say('file_bytes', maxBytes) });
        else found.push({ file, text: new TextDecoder().decode(bytes) });
      } catch (error) {
        // A file that vanished between listing and reading is simply gone.
        if (!(isToolError(error) && error.data.code === 'not_found')) found.push({ file, fault: errorSaid(error) });
      }
    }
  }
  return found;
}
