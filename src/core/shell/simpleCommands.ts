import type { Command, Function as ShellFunction, Word } from 'unbash';
import { assign, type AssignedValue, assignedValue } from './assignment';
import { countsPlaces, readBuiltin } from './builtins';
import { combined } from './combined';
import { readProgram } from './commands';
import type { Expander } from './expand';
import { behindText, type Field, plainField } from './field';
import { type LineFunctions, readCall } from './functions';
import type { Ledger } from './ledger';
import { type Io, type Reader, wordsOf } from './reader';
import { shellWord } from './shellWord';
import { readRedirections } from './redirections';
import { eitherVariable } from './variable';
import type { Ways } from './ways';

/** The shell that runs the commands. */
interface CommandShell {
  readonly reader: Reader;
  readonly ledger: Pick<Ledger, 'step'>;
  readonly expander: Expander;
  readonly ways: Ways;
  readonly functions: LineFunctions;
  /** Words that are text and name no file, and what they became. */
  readonly texts: Set<Word | Field>;
  /** True where as many shells run in one another as are looked into. */
  readonly isDeepest: boolean;
  /** Walks over the body of a function in this shell, one deeper. */
  walk(body: ShellFunction['body'], io: Io): string | undefined;
}

/** Reads commands that are words: assignments, redirections, and what a name with arguments means in one shell. */
export class SimpleCommands {
  readonly #shell: CommandShell;

  constructor(shell: CommandShell) {
    this.#shell = shell;
  }

  /** Reads one as it is written. */
  read(command: Command, io: Io): string | undefined {
    const { ledger, reader, expander, ways } = this.#shell;
    const { scope } = reader;
    if (!ledger.step()) return undefined;
    const values = command.prefix
      .filter((one) => one.type === 'Assignment')
      .map((one) => assignedValue(one, expander, reader));
    const text = [command.name?.text ?? '', ...command.args.map((one) => one.text)].join(' ');
    const fed = readRedirections(command.redirects, text, io, reader, expander);
    if (!command.name) {
      for (const value of values) assign(value, reader);
      scope.arrived = undefined;
      // `$(< file)` prints it; some shells print whatever is fed to no command at all.
      return command.redirects.length > 0 ? undefined : '';
    }
    const name = expander.ways(command.name);
    const { args, arrays } = this.#arguments(command);
    // The words are read before the variables have these values, which hold for this command.
    const mark = scope.now();
    const [separators, attributes] = [scope.variables.get('IFS'), scope.attributes.get('IFS')];
    for (const value of values) {
      assign(value, reader);
      scope.give(value.name, 'x');
    }
    const { lists, isExact } = combined(
      [name, ...args],
      name.some(([first]) => first && countsPlaces(first.text)),
    );
    if (!isExact && lists.some(([first]) => this.#countsPlaces(first))) reader.unknown('unknown_word', text);
    let output: string | undefined;
    const own: Io = io.isPiped || fed.output === 'away' ? { ...fed.io, isPiped: true } : fed.io;
    const dispatch = (way: readonly Field[]) => () => void (output = this.readWords(way, own));
    const [only] = lists;
    if (only && lists.length === 1) dispatch(only)();
    else {
      ways.oneOf(lists.map(dispatch));
      scope.arrived = undefined;
      output = undefined;
    }
    for (const value of arrays) assign(value, reader);
    // Other variables may be such as cannot be set, and then the command does not run everywhere.
    if (values.length > 0 && values.every((value) => value.name === 'IFS') && attributes?.includes('r') !== true) {
      scope.variables.set('IFS', eitherVariable(separators, scope.variables.get('IFS')));
      scope.attributes.set('IFS', attributes);
    } else if (values.length > 0) ways.weaken(mark);
    // What is said of a failure goes another way.
    if (fed.output) return fed.output === 'away' && /^(?:echo|printf|true|:)$/.test(command.name.text) ? '' : undefined;
    return command.redirects.length > 0 && lists.some((way) => way.length === 0) ? undefined : output;
  }

  /** The ways to read each argument, and the arrays that a builtin gets by name: `export A=b`, `declare A=(b c)`. */
  #arguments(command: Command) {
    const { reader, expander, texts } = this.#shell;
    const arrays: AssignedValue[] = [];
    const args = command.args.map((arg): readonly (readonly Field[])[] => {
      if (arg.type === 'Word') {
        const ways = expander.ways(arg);
        if (texts.has(arg)) for (const field of ways.flat()) texts.add(field);
        return ways;
      }
      const value = assignedValue(arg, expander, reader);
      if (value.place !== 'plain') arrays.push(value);
      const sign = value.appends ? '+=' : '=';
      return value.place === 'plain'
        ? value.fields.map((field) => [behindText(`${arg.name}${sign}`, field)])
        : [[plainField(arg.name)]];
    });
    return { args, arrays };
  }

  #countsPlaces(name: Field | undefined): boolean {
    const { functions } = this.#shell.reader.scope;
    return name !== undefined && (countsPlaces(name.text) || functions.get(name.text) !== undefined);
  }

  /** Reads one as the shell has it when its words are expanded; `isProgram` where it is no function. */
  readWords(fields: readonly Field[], io: Io, isProgram = false): string | undefined {
    const { ledger, reader, ways, functions, texts, isDeepest } = this.#shell;
    const [name, ...args] = fields;
    if (!name) return '';
    if (!ledger.step()) return undefined;
    const words = wordsOf(fields);
    const meant = functions.meant(name.text, reader.scope);
    // What another program takes for text a function may read.
    const isOwn = meant !== undefined || reader.scope.aliases.get(name.text) !== undefined;
    for (const field of fields) if (isOwn || !texts.has(field)) reader.suspect(field, words);
    this.#readAliases(name, args);
    if (!meant || !name.isKnown || isProgram) return this.#program(fields, words, io);
    if (isDeepest) return void reader.unknown('too_deep', words);
    functions.called(name.text);
    const { scope } = reader;
    const calls = meant.bodies.map((one) => () => readCall(args, { scope, ways }, () => this.#shell.walk(one, io)));
    const [only] = calls;
    if (only && meant.isSure && calls.length === 1) return only();
    ways.oneOf(meant.isSure ? calls : [...calls, () => this.#program(fields, words, io)]);
    return undefined;
  }

  #readAliases(name: Field, args: readonly Field[]): void {
    const { reader, ways, isDeepest } = this.#shell;
    const { aliases } = reader.scope;
    const texts = aliases.get(name.text);
    if (texts === undefined || isDeepest) return;
    aliases.set(name.text, undefined);
    for (const text of texts)
      ways.doubtful(() => void reader.runText(`${text} ${args.map((one) => shellWord(one.text)).join(' ')}`));
    aliases.set(name.text, texts);
  }

  /** What is no function: a builtin, or a program. */
  #program(fields: readonly Field[], words: string, io: Io): string | undefined {
    const { reader } = this.#shell;
    const [name, ...args] = fields;
    if (!name) return undefined;
    const builtin = name.isKnown ? readBuiltin(name.text, args, reader, words, io) : undefined;
    const output = builtin ? builtin.output : readProgram(fields, reader, io);
    if (!/^(?:cd|chdir|pushd|command|builtin)$/.test(name.text)) reader.scope.arrived = undefined;
    return output;
  }
}
