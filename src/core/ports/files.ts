import type { StopSign } from '../base/stopSign';
import type { LeftOutCounts, ListEntry, ListQuery, SearchFile, SearchQuery, Sink } from './fileSearch';
import type { FileType, WorkspaceFolder, WorkspacePath } from './workspacePath';

export interface FileStat {
  readonly type: FileType;
  readonly size: number;
  readonly readonly: boolean;
  /** Milliseconds since 1970. */
  readonly createdMs: number;
  readonly modifiedMs: number;
  readonly accessedMs: number;
  /** Permission bits where the file system has them. */
  readonly mode?: number;
  /**
   * True where an editor holds unsaved changes: the bytes are its text in UTF-8, whatever encoding the file has on the
   * disk.
   */
  readonly unsaved?: boolean;
  /** How many names the content has, where the file system counts them. */
  readonly links?: number;
}

/** Where a path input leads: what was named, and the place behind its links (`FileSystem.canonical`). */
export interface ResolvedPath {
  readonly named: WorkspacePath;
  readonly real: WorkspacePath;
}

/**
 * The paths of one call, each resolved once, by how its input names it. What was judged is then what is opened: files
 * refuse a place that has become another one since.
 */
export type ResolvedPaths = Map<string, { readonly files: FileSystem; readonly path: Promise<ResolvedPath> }>;

export interface DirectoryEntry {
  readonly name: string;
  readonly type: FileType;
}

/** An open file, for reading pieces of a large one. Whoever opened it closes it. */
export interface OpenFile {
  readonly stat: FileStat;
  /**
   * Reads up to `length` bytes from `offset`; shorter only at the end of the file. The bytes are in `into` where it is
   * large enough and the file system can.
   */
  read(offset: number, length: number, into?: Uint8Array): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** The rules by which names are read: `windows` has drives, backslashes, device names and names that alias others. */
export type PathStyle = 'posix' | 'windows';

/** What making something answers: whether it was not there before. */
export interface Made {
  readonly created: boolean;
}

export interface FolderOptions {
  /** The permission bits of a folder that is made, where files have permissions. */
  readonly mode?: number | undefined;
}

export interface MoveOptions {
  /** Replaces a file that is there. */
  readonly overwrite: boolean;
}

export interface WriteOptions {
  /** Adds to the end instead of replacing; the file is made where it is missing. */
  readonly append?: boolean;
  /** Refuses with `already_exists` where something is there. */
  readonly mustCreate?: boolean;
  /**
   * Called with what is there now (undefined where nothing is), as late as possible before it is replaced; a throw
   * leaves it as it was.
   */
  readonly check?: (current: Uint8Array | undefined) => void;
  /** Called for each parent folder that is made, before `check`. */
  readonly onFolder?: (folder: WorkspacePath) => void;
  /**
   * The permission bits that the file then has, where the file system has them; those that it had where it is left out.
   */
  readonly mode?: number;
  /**
   * Each file of its folder counts for those who watch it: they hear of one change, for what is written on the way
   * stands in the folder above, where there is one and that is safe.
   */
  readonly isListed?: boolean;
}

export interface DeleteOptions {
  readonly recursive: boolean;
  readonly toTrash: boolean;
  /**
   * Asked about the entries below a folder at the time of the delete, as they are found then: what appeared after an
   * earlier look is asked about too. Answers for each whether it may be deleted. A folder that goes to the trash goes
   * whole or not at all.
   */
  readonly judge?: (entries: readonly WorkspacePath[]) => Promise<readonly boolean[]>;
  /** Called with what a file holds, as late as possible before it is deleted; a throw leaves it. Not for folders. */
  readonly check?: (current: Uint8Array | undefined) => void;
}

/**
 * The files under a set of folders: the workspace's, or a session root.
 *
 * All methods but `canonical` want a *canonical* path: the answer of `canonical`, which has no link in it. Each
 * re-checks this on what it opened, so that a link or a folder swapped in after policy judged the path is refused with
 * `path_outside` and nothing is read or written. All errors are ToolErrors: `not_found`, `path_outside`,
 * `is_a_directory`, `not_a_directory`, `no_space`, `permission_denied` and so on.
 */
export interface FileSystem {
  folders(): readonly WorkspaceFolder[];
  /** True where names that differ only in case are the same file. */
  readonly caseInsensitive: boolean;
  readonly style: PathStyle;
  /**
   * Set for a session root: what stands before its paths where policy judges them, so that they are never taken for
   * workspace files.
   */
  readonly labelPrefix?: string;
  /**
   * Follows the links of the part of a path that exists. `follow: false` leaves the last name as it is, for what
   * deletes or moves the link itself. Refuses with `path_outside` where a link leads out of all folders, or nowhere.
   */
  canonical(path: WorkspacePath, options?: { readonly follow?: boolean }): Promise<WorkspacePath>;
  /**
   * Where an absolute path of the machine leads, wherever that is: `~` is the home folder, links are followed where
   * they stand (so `..` after one goes up from its target), what is missing stays as written. `cwd` is where the
   * process that gets the path works, whose `/proc/self/cwd` it is. `null` where nobody else can tell (an open file of
   * that process, links in a circle). Left out where there is no machine behind the files.
   */
  realPath?(absolute: string, cwd: string | undefined): Promise<string | null | undefined>;
  /**
   * The absolute paths by which one of the folders, or the user's home, is known: as it is named, and where its links
   * lead as far as a call has found that out. Left out where there is no machine behind the files.
   */
  machinePaths?(of: WorkspaceFolder | 'home'): readonly string[];
  /**
   * The folders and the links in a folder of the machine, wherever that is; none where nobody may look into it. Left
   * out where there is no machine behind the files.
   */
  foldersIn?(absolute: string): Promise<readonly DirectoryEntry[]>;
  /** Facts about the path itself; undefined where nothing is there. */
  stat(path: WorkspacePath): Promise<FileStat | undefined>;
  open(path: WorkspacePath): Promise<OpenFile>;
  /**
   * Writes whole content atomically: after a crash or on a full disk the old content or the new one is there. Parents
   * are created.
   */
  writeFile(path: WorkspacePath, content: Uint8Array, options?: WriteOptions): Promise<Made>;
  /**
   * Runs a change that is computed from what the file holds now, after all earlier such changes of the same file in
   * this process: two at once would start from the same content, and one of them would be lost. What runs in it must
   * not wait for a person.
   */
  inTurn<T>(path: WorkspacePath, change: () => Promise<T>): Promise<T>;
  /** Makes a folder with its parents; one that is there already is fine. */
  makeDirectory(path: WorkspacePath, options?: FolderOptions): Promise<Made>;
  readDirectory(path: WorkspacePath): Promise<readonly DirectoryEntry[]>;
  /**
   * Deletes a file, a link or a folder; `not_empty` for a folder with content where `recursive` is false. With `judge`
   * every entry of a folder is asked about when it is met, and what may not be deleted stays with the folders that hold
   * it.
   */
  delete(path: WorkspacePath, options: DeleteOptions): Promise<void>;
  /**
   * Moves a file, a link or a folder; parents of the new path are created. `already_exists` unless `overwrite`, which
   * replaces files only.
   */
  rename(from: WorkspacePath, to: WorkspacePath, options: MoveOptions): Promise<void>;
  /** Where a link leads, as it is written in it; left out where files have no links. */
  readLink?(path: WorkspacePath): Promise<string | undefined>;
  /** Makes a link that was there before, as it was written; `already_exists` where something is there. */
  makeLink?(path: WorkspacePath, target: string): Promise<void>;
  /** Walks a folder; entries come in no order. */
  list(query: ListQuery, sink: Sink<ListEntry>, stopped: StopSign): Promise<void>;
  /** Searches the contents of files; files with matches come in the order of `comparePaths`. */
  search(query: SearchQuery, sink: Sink<SearchFile>, signal: AbortSignal): Promise<LeftOutCounts>;
  /**
   * An isolated file system for `key` (a profile) that no other key, window or workspace reaches, empty at the start
   * and gone with the session. From within a session there is no way to another one: it answers itself.
   */
  session(key: string): FileSystem;
}
