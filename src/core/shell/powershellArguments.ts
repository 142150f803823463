import { type Cmdlet, isUnixOption, parameterOf } from './cmdlets';
import type { Field } from './field';
import type { Statement, WordToken } from './powershellTokens';
import type { Role } from './programRow';

/** What an argument is for, and the parameters that it may be the value of. */
interface Use {
  readonly role: Role;
  readonly names: readonly string[];
}

/** An argument of a command. */
export interface Given extends Use {
  readonly field: Field;
  readonly word: WordToken;
}

export interface Arguments {
  readonly found: readonly Given[];
  readonly isRecursive: boolean;
  /** True where a parameter is not known, or there are more arguments than places for them. */
  readonly isUnclear: boolean;
}

/** A parameter, with every dash that PowerShell takes for one, and what may be attached to it. */
const parameter = /^[-\u2013-\u2015](\p{L}[^:]*)(?::(.*))?$/su;
const recursive = /^(?:recurse|s|r|rf|fr)$/;
/** Commands that cmd.exe has too, with switches like `/s`. */
const hasSlashSwitches = /^(?:cd|chdir|del|erase|rd|rmdir|dir|copy|move)$/;

/** Tells the words behind a command apart: parameters, their values, and arguments without a name. */
export function argumentsOf(base: string, cmdlet: Cmdlet, args: Statement['words']): Arguments {
  const reader = new CmdletArgumentReader(base, cmdlet, placesLeft(base, cmdlet, args));
  for (const [index, word] of args.entries()) if (word !== ',') reader.read(word, args[index - 1] === ',');
  return reader.arguments();
}

class CmdletArgumentReader {
  readonly #base: string;
  readonly #cmdlet: Cmdlet;
  /** The places that arguments without a name take, in their order. */
  readonly #places: readonly string[];
  readonly #found: Given[] = [];
  #position = 0;
  #isRecursive = false;
  #isUnclear = false;
  /** The parameter that waits for its value. */
  #open: Use | undefined;
  /** What the last argument was for: what a comma follows is one of several values of the same parameter. */
  #before: Use | undefined;

  constructor(base: string, cmdlet: Cmdlet, places: readonly string[]) {
    this.#base = base;
    this.#cmdlet = cmdlet;
    this.#places = places;
  }

  read(word: WordToken, isBehindComma: boolean): void {
    const { field } = word;
    const [, written, attached = ''] = (!word.isQuoted && parameter.exec(field.text)) || [];
    if (written !== undefined) this.#readParameter(written, attached, word);
    else if (isBehindComma && this.#before) this.#add(this.#before, field, word);
    else if (this.#open) this.#add(this.#open, field, word);
    else if (/^\/[a-z]$/i.test(field.text) && hasSlashSwitches.test(this.#base)) this.#readSlashSwitch(word);
    else this.#readUnnamed(word);
  }

  arguments(): Arguments {
    const isUnclear = this.#isUnclear || this.#open !== undefined;
    return { found: this.#found, isRecursive: this.#isRecursive, isUnclear };
  }

  #add(use: Use, field: Field, word: WordToken): void {
    this.#found.push({ ...use, field: slashed(field), word });
    this.#before = use;
    this.#open = undefined;
  }

  /** What the next argument without a name is for. */
  #next(): Use {
    return placeOf(this.#cmdlet, this.#places[Math.min(this.#position, this.#places.length - 1)] ?? '');
  }

  #readParameter(written: string, attached: string, word: WordToken): void {
    const named = parameterOf(this.#cmdlet, written);
    // What follows the options of a program is an argument by itself.
    const isUnix = named?.role !== 'switch' && attached === '' && isUnixOption(this.#base, written);
    const known = isUnix ? undefined : named;
    this.#isUnclear ||= (isUnix ? named?.role !== this.#next().role : !known) || this.#open !== undefined;
    this.#open = undefined;
    if (known?.role === 'switch') this.#isRecursive ||= known.names.some((one) => recursive.test(one));
    else if (known && attached === '') this.#open = { role: known.role, names: known.names };
    else if (known) this.#add({ role: known.role, names: known.names }, { ...word.field, text: attached }, word);
    else if (attached !== '') this.#add({ role: 'unknown', names: [] }, { ...word.field, text: attached }, word);
  }

  /** A switch of cmd.exe; for PowerShell it is a place. */
  #readSlashSwitch(word: WordToken): void {
    this.#isRecursive ||= /^\/s$/i.test(word.field.text);
    if (!/^(?:cd|chdir|dir)$/.test(this.#base))
      this.#add(placeOf(this.#cmdlet, this.#places[0] ?? ''), word.field, word);
  }

  #readUnnamed(word: WordToken): void {
    const next = this.#next();
    this.#isUnclear ||= this.#position >= this.#places.length && this.#places.length > 1;
    this.#position++;
    this.#add(next, word.field, word);
  }
}

/** The places of arguments without a name that no argument with one has taken, at least the last. */
function placesLeft(base: string, cmdlet: Cmdlet, args: Statement['words']): readonly string[] {
  const places = cmdlet.positions.split(' ');
  if (places.length === 1) return places;
  const taken = new Set(
    args.flatMap((word) => {
      const written = word === ',' || word.isQuoted ? undefined : parameter.exec(word.field.text)?.[1];
      const known = written === undefined ? undefined : parameterOf(cmdlet, written);
      return known?.role === 'switch' || isUnixOption(base, written ?? '') ? [] : (known?.names ?? []);
    }),
  );
  if (['literalpath', 'pspath', 'lp'].some((name) => taken.has(name))) taken.add('path');
  const left = places.filter((place) => !taken.has(place));
  return left.length > 0 ? left : places.slice(-1);
}

function placeOf(cmdlet: Cmdlet, name: string): Use {
  const role = parameterOf(cmdlet, name)?.role;
  return { role: role === undefined || role === 'switch' ? 'text' : role, names: [name] };
}

export const slashed = (field: Field): Field => ({ ...field, text: field.text.replaceAll('\\', '/') });
