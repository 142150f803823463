import type { Access } from '../vocabulary/access';

/** What is known of where a command line runs. */
export interface ShellContext {
  /** The working folder as the shell sees it; paths of the answer are relative to it. */
  readonly cwd?: string;
  /** Variables whose values are known; all others count as unset or unknown. */
  readonly variables?: ReadonlyMap<string, string>;
  /** False where the shell does not know the small names of zsh (`path` for `PATH`); it may, where nothing says. */
  readonly mayBeZsh?: boolean;
}

/** An access that a command line leads to. Its path is as the shell has it, relative to the first working folder. */
export interface ShellAccess extends Access {
  /** The words that it came from, as the shell hands them over. */
  readonly words: string;
  /** True where the path is a pattern that the shell compares with what is on the disk. */
  readonly isPattern?: true;
  /** True where a `ShellTree` tells what the pattern stands for within the workspace. */
  readonly isListed?: true;
  /** The pattern whose names are written under this one, where a `ShellPut` tells those that can be listed. */
  readonly from?: string;
}

/**
 * Files that a command puts somewhere under names that only the disk tells: the ones that a pattern stands for, those
 * below a folder, or a name within a target that may be a folder. All paths are relative to the first working folder.
 */
export interface ShellPut {
  /** What is taken. */
  readonly from: string;
  /** True where `from` is a pattern for names on the disk. */
  readonly isPattern: boolean;
  readonly to: string;
  /** True where `to` is a pattern for names on the disk. */
  readonly isPatternTo: boolean;
  /**
   * What the target is as it is written: a folder that takes each source under its own name, or the new name itself;
   * `either` where the disk decides; `beside` where each file goes next to its source, without its ending.
   */
  readonly into: 'folder' | 'itself' | 'either' | 'beside';
  /** True where a folder is taken with all below it. */
  readonly isTree: boolean;
  readonly does: 'copies' | 'moves' | 'links';
  /** True where the folders that stand before the name of a source are made in the target too. */
  readonly keepsPath: boolean;
  /** Names of what is left out; see `leavesOut`. */
  readonly leftOut?: readonly string[];
  readonly words: string;
}

/**
 * A folder of which all that lies below is read, or whatever is passed over is left out of it; a file is told as an
 * access. All paths are relative to the first working folder.
 */
export interface ShellTree {
  readonly path: string;
  /** True where the path is a pattern for names on the disk. */
  readonly isPattern: boolean;
  /** Globs over the paths below, as searches take them: what they match is left out, with all in a folder. */
  readonly leftOut?: readonly string[];
  /** Globs for the names of files alone that are left out; one with a slash before it lies in the folder itself. */
  readonly leftOutFiles?: readonly string[];
  /** What `rsync` leaves out; see `leavesOut`. */
  readonly byRsync?: { readonly names: readonly string[]; readonly keepsPath: boolean };
  /** Globs for the files that alone are read: their names, or the ends of their paths. */
  readonly only?: readonly string[];
  /** True where names that begin with a point are passed over. */
  readonly skipsHidden?: true;
  /** True where what a repository ignores is passed over. */
  readonly skipsIgnored?: true;
  /** True where links below are followed. */
  readonly follows?: boolean;
  /** True where it is copied to another place of this machine, which is told as a `ShellPut`. */
  readonly isCopied?: true;
  readonly words: string;
}

/**
 * Why a part of a line is not understood: its grammar (`syntax`); a program that no row describes; a name, a word or a
 * folder that only a run can tell; text in another language or a file that is run; text from elsewhere that a shell
 * runs; a variable that makes programs run something; work on another machine; more than is looked into.
 */
export type NotUnderstoodCode =
  | 'syntax'
  | 'unknown_program'
  | 'unknown_name'
  | 'unknown_word'
  | 'unknown_folder'
  | 'runs_code'
  | 'runs_script'
  | 'piped_into_shell'
  | 'environment'
  | 'remote'
  | 'too_deep'
  | 'too_long';

/** A part of a line that policy has to ask about. */
export interface NotUnderstood {
  readonly code: NotUnderstoodCode;
  readonly text: string;
}

/** What a command line does, as far as it can be told without running it. */
export interface ShellReading {
  /** `system.exec` stands for each part that is not understood, with its text. */
  readonly accesses: readonly ShellAccess[];
  readonly unknown: readonly NotUnderstood[];
  readonly puts: readonly ShellPut[];
  readonly trees: readonly ShellTree[];
  /** Commands that wait for what a person types, and show it what comes of it. */
  readonly talking: readonly string[];
  /** The folders in which git looks for its repository, relative to the first working folder, with its words. */
  readonly repositories: readonly { readonly folder: string; readonly words: string }[];
  /** The folders in which the shell may be when all is done, likewise; undefined for one that nobody can tell. */
  readonly folders: readonly (string | undefined)[];
}
