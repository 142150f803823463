/**
 * What an argument is for: a file that is read, written, changed, deleted or run; a folder that is listed or read with
 * all below it, worked in (`folder`) or given to a container (`mount`); a pattern for the files that are read in those
 * folders (`chosen`) or that are passed over (`leftOut`); a file that names them (`list`); a folder that is used where
 * all else stays where it is (`place`); a URL or a host; a line for a shell, or one behind `|` or `!` where else a file
 * is written (`writeOrRun`); code of another language; text without effect.
 */
export type Role =
  | 'read'
  | 'readTree'
  | 'write'
  | 'change'
  | 'delete'
  | 'deleteTree'
  | 'move'
  | 'chmod'
  | 'url'
  | 'host'
  | 'copy'
  | 'shell'
  | 'code'
  | 'script'
  | 'writeOrRun'
  | 'folder'
  | 'place'
  | 'chosen'
  | 'leftOut'
  | 'list'
  | 'mount'
  | 'data'
  | 'unknown'
  | 'text';

/** Options by what they are for, parted by spaces. */
export type OptionRoles = Readonly<Partial<Record<Role, string>>>;

/** How a program goes below its folders. */
export interface TreeRow {
  /** Options of which one has to stand there; it always does where they are left out. */
  readonly by?: string;
  /** Options with which it only tells names. */
  readonly tells?: string;
  /** Set where it passes over names that begin with a point, but with one of these options. */
  readonly seesHidden?: string;
  /** Set where it passes over what a repository ignores, but with one of these options. */
  readonly seesIgnored?: string;
  /** Set where `-t` and `--type` choose files by their type; with `names` an option of the type's name does too. */
  readonly types?: 'values' | 'names';
  /** Options with which it follows links, `always` where it does without one. */
  readonly follows?: string;
  /** How it reads the patterns of what is left out; `names` are those of files and folders at any depth. */
  readonly as: 'names' | 'grep' | 'rg' | 'ack' | 'tar' | 'zip' | 'rsync';
}

/** What one well-known program does with its arguments. */
export interface ProgramRow {
  /** Of all arguments that are no options. */
  readonly operands?: Role;
  readonly first?: Role;
  readonly last?: Role;
  /** Of the working folder, where no argument names another. */
  readonly alone?: Role;
  /** Options that take a value without effect: letters and long names, parted by spaces. */
  readonly plain?: string;
  /** Options whose value is a number: another next argument is none, for not everywhere do they take one. */
  readonly numbers?: string;
  /** Options whose value only counts where it is attached: `-i{}`, `--replace={}`. */
  readonly optional?: string;
  /** Options without a value, set where the row has all that are understood; another one may change what happens. */
  readonly bare?: string;
  /** Options that take a value with an effect. */
  readonly options?: OptionRoles;
  /** Options that change what the arguments are for. */
  readonly flags?: OptionRoles;
  /** Set where the content of all below its folders is read or copied. */
  readonly tree?: TreeRow;
  /** Options after which there is no first argument of its own kind: `grep -e pattern`. */
  readonly noFirst?: string;
  /** Set where the rest is a command, after so many arguments of its own. */
  readonly command?: number;
  /** What arguments of its own before that command look like, where others may be the command itself. */
  readonly own?: RegExp;
  /** Set where that command is put together to one line for a shell, but with these options. */
  readonly line?: string;
  /** The arguments, with a space between them, with which it only tells something, whatever else the row says. */
  readonly tells?: RegExp;
  /** True where it runs what the folder or the machine holds, whatever its arguments. */
  readonly runs?: true;
  /** True where an option that changes the folder counts for the arguments alone, not for other options. */
  readonly entersLate?: true;
  /** True where `-name value` is one option and not letters. */
  readonly singleDash?: true;
}

/** A table by single names, of one whose rows hold for several names, parted by spaces. */
export const byName = <Row>(rows: Readonly<Record<string, Row>>): ReadonlyMap<string, Row> =>
  new Map(Object.entries(rows).flatMap(([names, row]) => names.split(' ').map((name) => [name, row] as const)));
