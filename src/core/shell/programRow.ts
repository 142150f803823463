/**
 * What an argument is for: a file that is read, written, changed, deleted or run; a folder that is listed or read with
 * all below it, worked in (`folder`) or given to a container (`mount`); a pattern for the files that are read in those
 * folders (`chosen`); a URL or a host; a line for a shell, code of
 * another language; text without effect.
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
  | 'folder'
  | 'chosen'
  | 'mount'
  | 'data'
  | 'unknown'
  | 'text';

/** Options by what they are for, parted by spaces. */
export type OptionRoles = Readonly<Partial<Record<Role, string>>>;

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
  /** Options that take a value with an effect. */
  readonly options?: OptionRoles;
  /** Options that change what the arguments are for. */
  readonly flags?: OptionRoles;
  /** Options after which there is no first argument of its own kind: `grep -e pattern`. */
  readonly noFirst?: string;
  /** Set where the rest is a command, after so many arguments of its own. */
  readonly command?: number;
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
