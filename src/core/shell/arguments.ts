import { type Field, mayBeOption, plainField } from './field';
import type { OptionRoles, ProgramRow, Role } from './programRow';

/** The arguments of a program, by what they are for. */
export interface ReadArguments {
  readonly operands: readonly Field[];
  /** Values of options that have a role. */
  readonly values: readonly {
    readonly role: Role;
    readonly name: string;
    readonly field: Field;
    /** The argument that it stands in. */
    readonly word: Field;
  }[];
  /** Every option as it stands there: `-r`, `--recursive`, and `-uu` too for a letter that comes again. */
  readonly options: ReadonlySet<string>;
  /** The words of the command that the rest is. */
  readonly command: readonly Field[];
  /** False where an option stands there that the row does not know, of one that knows all that are understood. */
  readonly isUnderstood: boolean;
  /** False where a word that only a run tells may be an option, or bring one; a name on the disk is not among them. */
  readonly isSure: boolean;
}

/** False where an option says what the first argument says elsewhere. */
export const hasFirst = (row: ProgramRow, options: ReadonlySet<string>): boolean =>
  row.noFirst?.split(' ').some((name) => options.has(name)) !== true;

const noOptions: OptionRoles = {};
const rolesKnown = new WeakMap<OptionRoles, ReadonlyMap<string, Role>>();

/** The role of each option of a row. */
export function rolesOf(options = noOptions): ReadonlyMap<string, Role> {
  const known = rolesKnown.get(options);
  if (known) return known;
  const rows = Object.entries(options) as readonly (readonly [Role, string])[];
  const roles = new Map(rows.flatMap(([role, names]) => names.split(' ').map((name) => [name, role] as const)));
  rolesKnown.set(options, roles);
  return roles;
}

/** Takes the arguments of a program apart by its row. */
export const readArguments = (row: ProgramRow, args: readonly Field[]): ReadArguments =>
  new ProgramArgumentReader(row, args).read();

class ProgramArgumentReader {
  readonly #row: ProgramRow;
  readonly #args: readonly Field[];
  readonly #plain: ReadonlySet<string>;
  readonly #numbers: ReadonlySet<string>;
  readonly #optional: ReadonlySet<string>;
  readonly #bare: ReadonlySet<string> | undefined;
  readonly #valued: ReadonlyMap<string, Role>;
  readonly #operands: Field[] = [];
  readonly #values: ReadArguments['values'][number][] = [];
  readonly #options = new Set<string>();
  /** The argument that is read next. */
  #at = 0;
  #isUnderstood = true;
  #isSure = true;

  constructor(row: ProgramRow, args: readonly Field[]) {
    this.#row = row;
    this.#args = args;
    this.#plain = namesOf(row.plain);
    this.#numbers = namesOf(row.numbers);
    this.#optional = namesOf(row.optional);
    this.#bare = row.bare === undefined ? undefined : namesOf(row.bare);
    this.#valued = rolesOf(row.options);
  }

  read(): ReadArguments {
    const { command } = this.#row;
    for (let arg = this.#args[this.#at++]; arg; arg = this.#args[this.#at++]) {
      const { text } = arg;
      if (text === '--') {
        const rest = this.#args.slice(this.#at);
        if (command !== undefined) return this.#ended(rest);
        this.#operands.push(...rest);
        break;
      }
      if (!arg.isKnown && mayBeOption(arg)) this.#isSure = false;
      if (text.startsWith('--')) this.#readLong(arg);
      else if (text.length > 1 && /^[-+]/.test(text) && !(text.startsWith('+') && !this.#plain.has('+O')))
        this.#readShort(arg);
      else if (command !== undefined && this.#operands.length >= command) {
        if (!/^\w+=/.test(text)) return this.#ended(this.#args.slice(this.#at - 1));
        this.#values.push({ role: 'unknown', name: 'environment', field: arg, word: arg });
      } else this.#operands.push(arg);
    }
    return this.#ended([]);
  }

  #ended(command: readonly Field[]): ReadArguments {
    return {
      operands: this.#operands,
      values: this.#values,
      options: this.#options,
      command,
      isUnderstood: this.#isUnderstood,
      isSure: this.#isSure,
    };
  }

  /** What the value of an option is for; undefined for one without. */
  #roleOf(name: string): Role | undefined {
    const isPlain = [this.#plain, this.#numbers, this.#optional].some((names) => holds(names, name));
    const role = this.#valued.get(name) ?? (isPlain ? 'text' : undefined);
    if (role === undefined && this.#bare && !holds(this.#bare, name) && !isAnywhere.test(name))
      this.#isUnderstood = false;
    return role;
  }

  /** True where what stands there is the value of an option: attached to it, or else the next argument. */
  #isTaken(name: string, attached: string | undefined): boolean {
    const isOptional = optionalAnywhere.has(name) || holds(this.#optional, name);
    if (isOptional) return attached !== undefined;
    const value = attached === undefined ? this.#args[this.#at] : plainField(attached);
    return !holds(this.#numbers, name) || value?.isKnown === false || number.test(value?.text ?? '');
  }

  /** Takes what is attached to an option as its value, or else the next argument. */
  #take(role: Role, name: string, attached: string | undefined, from: Field): void {
    const field = attached === undefined ? this.#args[this.#at++] : { ...from, text: attached };
    // Of several words, or none, others are its value; and so of names on the disk, whatever they begin with.
    if (field?.maySplit || (attached === undefined && field?.isPattern)) this.#isSure = false;
    if (field) this.#values.push({ role, name, field, word: attached === undefined ? field : from });
  }

  /** `--output=file` and `--output file`. */
  #readLong(arg: Field): void {
    const { text } = arg;
    const [, written = text, value] = /^(--[^=]+)(?:=(.*))?$/s.exec(text) ?? [];
    const name = fullName(written, this.#row);
    this.#options.add(name).add(written);
    const role = this.#roleOf(name);
    if (role !== undefined && this.#isTaken(name, value)) {
      this.#take(role, name, value, arg);
      // It may be a name of its own, without a value: then the next word is what it would be without it.
      if (name !== written && value === undefined) this.#at--;
    } else if (value !== undefined)
      this.#values.push({ role: 'unknown', name, field: { ...arg, text: value }, word: arg });
  }

  /** `-o file`, `-ofile`, `-name file`, and letters in a row: the first with a value takes all that is behind it. */
  #readShort(arg: Field): void {
    const { text } = arg;
    if (this.#row.singleDash || this.#valued.has(text) || rolesOf(this.#row.flags).has(text)) {
      this.#options.add(text);
      const role = this.#roleOf(text);
      if (role !== undefined && this.#isTaken(text, undefined)) this.#take(role, text, undefined, arg);
      return;
    }
    for (let letter = 1; letter < text.length; letter++) {
      const name = `-${text[letter] ?? ''}`;
      if (this.#options.has(name)) this.#options.add(`${name}${name.slice(1)}`);
      this.#options.add(name);
      const role = this.#roleOf(name);
      const attached = text.slice(letter + 1).replace(/^=(?=.)/, '') || undefined;
      if (role === undefined || !this.#isTaken(name, attached)) continue;
      this.#take(role, name, attached, arg);
      return;
    }
  }
}

const namesOf = (names: string | undefined): ReadonlySet<string> => new Set(names?.split(' '));
/** True for `-n` in `n` or `-n`, and for `--name` in its own spelling. */
const holds = (names: ReadonlySet<string>, name: string): boolean =>
  names.has(name) || (!name.startsWith('--') && names.has(name.slice(1)));

/** Options that only tell of a program, and numbers as options. */
const isAnywhere = /^(?:--help|--version|-\d)$/;
/** `10`, `+5`, `0.5`, `5s`, `10MiB`, `0x1f`. */
const number = /^[-+]?(?:0x[0-9a-f]+|(?:\d+\.?\d*|\.\d+)[a-z]{0,3}%?)$/i;

/** Long options whose value only counts behind `=`. */
const optionalAnywhere = namesOf('--html --checkpoint');

/** Long options without a value that are the beginning of others with one, in programs whose row does not say so. */
const wholeAnywhere = namesOf('--backup --binary --color --crlf --head --list --netrc --strip');

/** GNU programs take the beginning of a long name for the whole. */
function fullName(written: string, row: ProgramRow): string {
  const names = [
    ...[...rolesOf(row.options).keys(), ...rolesOf(row.flags).keys()],
    ...[row.plain, row.numbers, row.optional].flatMap((one) => one?.split(' ') ?? []),
  ];
  if (names.includes(written) || wholeAnywhere.has(written) || row.bare?.split(' ').includes(written)) return written;
  return names.find((name) => name.startsWith('--') && name.startsWith(written)) ?? written;
}

/** The text of an argument without its quotes around: what stands after a sign such as `@`. */
export const behind = (field: Field, length: number): Field => ({ ...field, text: field.text.slice(length) });
