import type { FileType, WorkspacePath } from './workspacePath';

/** Takes what a walk or a search finds, batch by batch; answers false to stop. */
export type Sink<T> = (batch: readonly T[]) => Promise<boolean> | boolean;

/** Which files a walk or a search meets. */
export interface FileFilter {
  /**
   * Globs over the path below the query's root, at least one of which must match; all files where empty. See
   * `core/globs.ts`.
   */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** True passes over `.gitignore` files, the editor's excludes and version control folders. */
  readonly includeIgnored: boolean;
}

export interface ListQuery extends FileFilter {
  readonly root: WorkspacePath;
  /** 1 lists the folder itself only; undefined goes all the way down. */
  readonly depth?: number;
  readonly directories: boolean;
  /** What the editor leaves out counts for nothing. */
  readonly byRepository?: boolean;
  /** Lists what is ignored in `root` itself, marked, without entering it; deeper it is left out. */
  readonly markIgnored?: boolean;
}

export interface ListEntry {
  /** Relative to the folder of the query's root. */
  readonly path: string;
  readonly type: FileType;
  readonly ignored?: boolean;
}

export interface SearchQuery extends FileFilter {
  /** A folder, or one file. */
  readonly root: WorkspacePath;
  /** An RE2 expression, or plain text where `literal`. */
  readonly pattern: string;
  readonly literal: boolean;
  readonly ignoreCase: boolean;
  readonly wholeWord: boolean;
  /** Lines before and after each match. */
  readonly contextLines: number;
  /** Matching lines per file after which the file is left. */
  readonly maxPerFile: number;
  /**
   * Tells for each file below the root, as a path relative to its folder, whether it may be searched. Every candidate
   * is judged, whether or not it holds a match: were only matching files counted as left out, a search could probe the
   * content of files that policy closes.
   */
  readonly judge: (paths: readonly string[]) => Promise<readonly boolean[]>;
  /** Called from time to time with the number of files that have been met so far, or searched where that is known. */
  readonly onProgress?: (files: number) => void;
}

export interface SearchLine {
  readonly line: number;
  /** The text without its line end, at most 240 characters around the first match. */
  readonly text: string;
  /** The column of the first match in UTF-16 units, from 1; absent for a context line. */
  readonly column?: number;
}

export interface SearchFile {
  readonly path: string;
  readonly lines: readonly SearchLine[];
  /** Matching lines among `lines`. */
  readonly count: number;
  /** True where `maxPerFile` ended the file. */
  readonly more: boolean;
}

/**
 * How many files a search left out among those that it met, by reason: `unreadable`, `too-large` to be held, and
 * `binary`. A search that ends early counts up to where it ended. Of binary files, ripgrep tells only where it found a
 * match before it met the NUL.
 */
export type LeftOutCounts = Readonly<Record<string, number>>;
