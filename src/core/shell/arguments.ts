import type { Field } from './field';
import type { OptionRoles, ProgramRow, Role } from './programRow';

/** The arguments of a program, by what they are for. */
export interface ReadArguments {
  readonly operands: readonly Field[];
  /** Values of options that have a role. */
  readonly values: readonly { readonly role: Role; readonly name: string; readonly field: Field }[];
  /** Every option as it stands there: `-r`, `--recursive`. */
  readonly options: ReadonlySet<string>;
  /** The words of the command that the rest is. */
  readonly command: readonly Field[];
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
export function readArguments(row: ProgramRow, args: readonly Field[]): ReadArguments {
  const operands: Field[] = [];
  const values: ReadArguments['values'][number][] = [];
  const options = new Set<string>();
  const plain = new Set(row.plain?.split(' '));
  const [valued, flags] = [rolesOf(row.options), rolesOf(row.flags)];
  const roleOf = (name: string): Role | undefined =>
    valued.get(name) ?? (plain.has(name) || plain.has(name.replace(/^--?/, '')) ? 'text' : undefined);
  let at = 0;
  const take = (role: Role, name: string, attached: string | undefined, from: Field): void => {
    const field = attached === undefined ? args[at++] : { ...from, text: attached };
    if (field) values.push({ role, name, field });
  };
  while (at < args.length) {
    const arg = args[at++];
    if (!arg) break;
    const { text } = arg;
    if (text === '--') {
      const rest = args.slice(at);
      if (row.command === undefined) operands.push(...rest);
      else return { operands, values, options, command: rest };
      break;
    }
    if (text.startsWith('--')) {
      const [, written = text, value] = /^(--[^=]+)(?:=(.*))?$/s.exec(text) ?? [];
      const name = fullName(written, row);
      options.add(name);
      const role = roleOf(name);
      if (role !== undefined && !(value === undefined && isOptional.has(name))) take(role, name, value, arg);
      else if (value !== undefined) values.push({ role: 'unknown', name, field: { ...arg, text: value } });
    } else if (text.length > 1 && /^[-+]/.test(text) && !(text.startsWith('+') && !plain.has('+O'))) {
      const whole = row.singleDash || valued.has(text) || flags.has(text);
      if (whole) {
        options.add(text);
        const role = roleOf(text);
        if (role !== undefined) take(role, text, undefined, arg);
        continue;
      }
      for (let letter = 1; letter < text.length; letter++) {
        const name = `-${text[letter] ?? ''}`;
        options.add(name);
        const role = roleOf(name);
        if (role === undefined) continue;
        take(role, name, text.slice(letter + 1).replace(/^=(?=.)/, '') || undefined, arg);
        break;
      }
    } else if (row.command !== undefined && operands.length >= row.command) {
      if (!/^\w+=/.test(text)) return { operands, values, options, command: args.slice(at - 1) };
      values.push({ role: 'unknown', name: 'environment', field: arg });
    } else operands.push(arg);
  }
  return { operands, values, options, command: [] };
}

/** Long options whose value only counts behind `=`. */
const isOptional: ReadonlySet<string> = new Set(['--color', '--replace', '--html', '--max-lines', '--checkpoint']);

/** GNU programs take the beginning of a long name for the whole. */
function fullName(written: string, row: ProgramRow): string {
  const names = [...rolesOf(row.options).keys(), ...rolesOf(row.flags).keys(), ...(row.plain?.split(' ') ?? [])];
  if (names.includes(written)) return written;
  return names.find((name) => name.startsWith('--') && name.startsWith(written)) ?? written;
}

/** The text of an argument without its quotes around: what stands after a sign such as `@`. */
export const behind = (field: Field, length: number): Field => ({ ...field, text: field.text.slice(length) });
