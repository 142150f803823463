import type { Stats } from 'node:fs';
import { chmod, readlink, symlink } from 'node:fs/promises';
import { isToolError, toolError } from '../../core/vocabulary/errors';
import { alreadyThere, displayPath, fileInTheWay, folderInTheWay, splitPath } from '../../core/files/paths';
import { readWhole } from '../../core/files/readWhole';
import type { DeleteOptions, FileSystem, WriteOptions } from '../../core/ports/files';
import type { WorkspaceFolder, WorkspacePath } from '../../core/ports/workspacePath';
import { checkReplaceable, type Disk, pieces, realDisk, sweepFolder, writeAtomically } from './atomicWrite';
import { errnoOf, refusesFile } from '../errors/errno';
import { present, swapped } from './errors';
import { during, type Folder, putBack, stillThere } from './handles';
import { LateSync } from './lateSync';
import { checkDevice, moveBetween, moveOnto } from './moveBetween';
import { deleteIn } from './remove';
import type { Roots } from './roots';
import type { Trash } from './trash';
import type { WriteJournal } from './writeJournal';

export interface WriteSettings {
  /** Default: the desktop’s on Linux, elsewhere none. */
  readonly trash?: Trash;
  /** Remembers where temporary files are made, so that those of a killed process are found at the next start. */
  readonly journal?: WriteJournal;
  readonly disk?: Disk;
  /**
   * When a written file is synced to the disk: `before` it takes its name, or `after`, so that no caller waits for the
   * disk. Without it the machine's own disks are synced after, which refuse a write that has no room, and all others
   * before.
   */
  readonly sync?: 'before' | 'after';
  /** Told when a sync after a write failed. */
  readonly onSyncFailure?: (error: unknown) => void;
}

const orphanAgeMs = 60_000;

/** Everything that changes files, as `FileSystem` says; loaded with the first change. */
export class WriteOperations {
  readonly #files: FileSystem;
  readonly #roots: Roots;
  readonly #settings: WriteSettings;
  readonly #late: LateSync;
  readonly #swept = new Set<string>();

  constructor(files: FileSystem, roots: Roots, settings: WriteSettings) {
    this.#files = files;
    this.#roots = roots;
    this.#settings = settings;
    this.#late = new LateSync({ sync: (settings.disk ?? realDisk).sync, onFailure: settings.onSyncFailure });
  }

  /** Resolves when what was written is on the disk. */
  synced(): Promise<void> {
    return this.#late.flush();
  }

  async writeFile(
    where: WorkspacePath,
    content: Uint8Array,
    options: WriteOptions,
  ): Promise<{ readonly created: boolean }> {
    return this.#changing(where, async (shown) => {
      const split = splitPath(where);
      if (!split) throw toolError('is_a_directory', `\`${shown}\` is a folder`);
      return during(await this.#makeFolder(split.parent, options.onFolder), async (folder) => {
        await this.#sweep(folder);
        const there = await folder.way.calls.lstat(folder.at(split.name));
        if (there) await checkReplaceable(folder, split.name, there, shown, options);
        const current = there && options.append ? await this.#files.open(where) : undefined;
        const { journal, disk = { write: folder.way.changes.write, sync: realDisk.sync } } = this.#settings;
        const syncsLater = await this.#syncsLater(where.folder);
        const writeBy = (via: Folder): Promise<void> =>
          writeAtomically(
            {
              folder,
              via,
              name: split.name,
              shown,
              ...(journal && { run: journal.run }),
              like: there ? withMode(there, options.mode) : ownMode(options.mode),
              content: () => (current ? pieces(current, content) : [content]),
              syncLater: syncsLater ? (descriptor) => this.#late.add(descriptor) : undefined,
              beforeRename: async () => {
                if (!options.check) return options.mustCreate ? 'new' : 'replace';
                // Opened anew: whoever changed it meanwhile may have put another file in its place.
                const now = await this.#contentOf(where);
                options.check(now);
                return now === undefined ? 'new' : 'replace';
              },
            },
            disk,
          );
        let above: Folder | undefined;
        try {
          above = options.isListed ? await this.#above(split.parent, folder, shown) : undefined;
          if (!above) await writeBy(folder);
          else
            await writeBy(above).catch((error: unknown) => {
              if (!refusesFile(error)) throw error;
              return writeBy(folder);
            });
        } finally {
          above?.close();
          await current?.close();
        }
        return { created: there === undefined };
      });
    });
  }

  async makeDirectory(
    where: WorkspacePath,
    { mode }: { readonly mode?: number | undefined },
  ): Promise<{ readonly created: boolean }> {
    return this.#changing(where, async (shown) => {
      const stat = await this.#files.stat(where);
      if (stat && stat.type !== 'directory') throw toolError('already_exists', `\`${shown}\` is a file`);
      let isMade = false;
      const onMade = (made: WorkspacePath): boolean => (isMade ||= made.path === where.path);
      await during(await this.#makeFolder(where, onMade, mode), async (folder) => {
        // What it is made with loses what the user's mask takes.
        if (isMade && mode !== undefined) await chmod(folder.self, mode);
      });
      return { created: stat === undefined };
    });
  }

  async delete(where: WorkspacePath, options: DeleteOptions): Promise<void> {
    return this.#changing(where, async (shown) => {
      const split = splitPath(where);
      if (!split) throw toolError('path_invalid', `\`${shown}\` is a workspace folder itself, which cannot be deleted`);
      await this.#keepFolders(where, shown, 'deleted');
      options.check?.(await this.#contentOf(where));
      await during(await this.#roots.open(where, shown, true), (folder) =>
        deleteIn(folder, split.name, where, options, { shown, trash: this.#settings.trash }),
      );
    });
  }

  async rename(from: WorkspacePath, to: WorkspacePath, options: { readonly overwrite: boolean }): Promise<void> {
    const shownTo = displayPath(to, this.#files);
    return this.#changing(from, async (shown) => {
      const [source, target] = [splitPath(from), splitPath(to)];
      if (!source || !target)
        throw toolError(
          'path_invalid',
          `\`${source ? shownTo : shown}\` is a workspace folder itself, which cannot be moved`,
        );
      await this.#keepFolders(from, shown, 'moved');
      const fromFolder = await this.#roots.open(from, shown, true);
      let toFolder: Folder | undefined;
      try {
        const moving = present(await fromFolder.way.calls.lstat(fromFolder.at(source.name)));
        await checkDevice(fromFolder, await this.#roots.absolute(target.parent));
        toFolder = await this.#roots.named(to, () => this.#makeFolder(target.parent));
        const onto = await moveOnto(fromFolder, source.name, toFolder, target.name, moving);
        if (onto.kind === 'taken') {
          if (onto.isFolder) throw folderInTheWay(shownTo, source.name);
          if (!options.overwrite) throw alreadyThere(shownTo);
          if (moving.isDirectory()) throw fileInTheWay(shownTo);
          // Renaming one name of a file to another name of it does nothing, so the old name is taken away.
          if (onto.isSameContent)
            return await deleteIn(fromFolder, source.name, from, { recursive: false, toTrash: false }, { shown });
        }
        await moveBetween(fromFolder, source.name, toFolder, target.name, moving, shown);
      } finally {
        fromFolder.close();
        toFolder?.close();
      }
    });
  }

  /** Undefined for what is no link. */
  async readLink(where: WorkspacePath): Promise<string | undefined> {
    return this.#roots.named(where, async (shown) => {
      const split = splitPath(where);
      if (!split) return undefined;
      return during(await this.#roots.open(where, shown, true), (folder) =>
        readlink(folder.at(split.name)).catch((error: unknown) => {
          if (errnoOf(error) === 'EINVAL') return undefined;
          throw error;
        }),
      );
    });
  }

  async makeLink(where: WorkspacePath, target: string): Promise<void> {
    return this.#changing(where, async (shown) => {
      const split = splitPath(where);
      if (!split) throw alreadyThere(shown);
      await during(await this.#makeFolder(split.parent), (folder) => symlink(target, folder.at(split.name)));
    });
  }

  #changing<T>(where: WorkspacePath, work: (shown: string) => Promise<T>): Promise<T> {
    this.#roots.forget();
    return this.#roots.named(where, work);
  }

  /** Undefined where nothing is. */
  async #contentOf(where: WorkspacePath): Promise<Uint8Array | undefined> {
    return readWhole(this.#files, where).catch((error: unknown) => {
      if (isToolError(error) && error.data.code === 'not_found') return undefined;
      throw error;
    });
  }

  /** A folder of the workspace may lie within another: it goes neither by itself nor with what holds it. */
  async #keepFolders(where: WorkspacePath, shown: string, what: string): Promise<void> {
    const name = await this.#roots.folderWithin(where);
    if (name !== undefined)
      throw toolError('path_invalid', `\`${shown}\` holds the workspace folder \`${name}\`, so it cannot be ${what}`);
  }

  async #syncsLater(folder: WorkspaceFolder): Promise<boolean> {
    const { sync } = this.#settings;
    return sync === undefined ? this.#roots.isOnOwnDisk(folder) : sync === 'after';
  }

  /** Opens a folder, making what is missing step by step, each step below a verified folder. */
  async #makeFolder(
    where: WorkspacePath,
    made?: (folder: WorkspacePath) => void,
    mode?: number | undefined,
  ): Promise<Folder> {
    const shown = displayPath(where, this.#files);
    try {
      return await this.#roots.open(where, shown);
    } catch (error) {
      const split = splitPath(where);
      if (errnoOf(error) !== 'ENOENT' || !split) throw error;
      await during(await this.#makeFolder(split.parent, made), async (parent) => {
        if (await makeIn(parent, split.name, mode)) made?.(where);
        if (parent.mode === 'compare' && !(await stillThere(parent))) {
          await putBack(async () => parent.way.changes.rmdir(parent.at(split.name)));
          throw swapped(shown);
        }
      });
      return await this.#roots.open(where, shown);
    }
  }

  /**
   * The folder above another, to write by; undefined where there is none, where it refuses, or where folders are named
   * by their paths: there only a temporary file beside the file keeps the rename in the folder that was verified.
   */
  async #above(where: WorkspacePath, folder: Folder, shown: string): Promise<Folder | undefined> {
    const split = splitPath(where);
    if (!split || folder.mode === 'compare') return undefined;
    try {
      const above = await this.#roots.open(split.parent, shown);
      await this.#sweep(above);
      return above;
    } catch (error) {
      if (!refusesFile(error)) throw error;
      return undefined;
    }
  }

  /** Removes what a killed process left, and remembers the folder for the next start; once per folder and run. */
  async #sweep(folder: Folder): Promise<void> {
    if (this.#swept.has(folder.absolute)) return;
    this.#swept.add(folder.absolute);
    this.#settings.journal?.begin(folder.absolute);
    await sweepFolder(folder.self, orphanAgeMs, Date.now());
  }
}

/** True where it was made here, and not by somebody else meanwhile. */
async function makeIn(parent: Folder, name: string, mode: number | undefined): Promise<boolean> {
  try {
    await parent.way.changes.mkdir(parent.at(name), mode);
    return true;
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    return false;
  }
}

const withMode = ({ uid, gid, mode: own }: Stats, mode = own): Pick<Stats, 'mode' | 'uid' | 'gid'> => ({
  uid,
  gid,
  mode,
});

/** A new file of this user with the permissions that are asked for. */
function ownMode(mode: number | undefined): Pick<Stats, 'mode' | 'uid' | 'gid'> | undefined {
  if (mode === undefined) return undefined;
  return { mode, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}
