import { trimmedEnd } from '../base/text';
import {
  parse,
  type CommandExpansionPart,
  type ParameterExpansionPart,
  type ParameterOperation,
  type ParsedScript,
  type Word,
  type WordPart,
} from 'unbash';
import { braceWords } from './braceWords';
import { mayHavePlace } from './builtin';
import { anyName, anyText, fill, fillUntold, readEnvironment, reckonInteger } from './environment';
import { type Field, fieldsOf, opennessOf, type Piece, plainField, splitText } from './field';
import { printsNumber } from './numbers';
import { applied, lengthOf, type OperationOf, type Parameter, sliced } from './parameters';
import type { Reader } from './reader';
import type { Scope } from './scope';
import { onlyValue, sizeOf, type Variable } from './variable';
import {
  bounded,
  documentParts,
  mayBeMany,
  mostWays,
  openOf,
  parted,
  quoted,
  reckonable,
  split,
  splitting,
  unknown,
  untold,
  type Way,
  whole,
} from './wordWays';

/** Reads the script of a substitution: what it prints, where that is known. */
type Run = (script: ParsedScript | undefined, text: string) => string | undefined;

const deepest = 12;
/** Greater numbers name no element that is looked at, and come around to smaller ones in some shells. */
const mostPlaces = 1_000_000;

/** Expands words as the shell does, each to all that it may become. */
export class Expander {
  readonly #scope: Scope;
  readonly #reader: Reader;
  readonly #run: Run;
  #depth = 0;

  constructor(reader: Reader, run: Run) {
    this.#scope = reader.scope;
    this.#reader = reader;
    this.#run = run;
  }

  /** The arguments that a word may become, one list for each way. */
  ways(word: Word): readonly (readonly Field[])[] {
    return this.#wordWays(word, false).map(fieldsOf);
  }

  /** All arguments that a word may become, whichever way. */
  fields(word: Word): readonly Field[] {
    return this.ways(word).flat();
  }

  /** The texts that a word may be where it is not split: behind `=`, `<` and in `case`. */
  texts(word: Word): readonly Field[] {
    return this.#wordWays(word, true).map(whole);
  }

  /** The texts that the body of a here-document may be. */
  textsOf(parts: readonly WordPart[]): readonly Field[] {
    return this.#product(parts, true).map(whole);
  }

  /** The texts that a calculation may be once its expansions are done: `$(( $(id) ))`, `$(( a[$(id)] ))`. */
  reckoned(text: string): readonly Field[] {
    if (!/[$`]/.test(text)) return [plainField(text)];
    if (!this.#reader.spend(text.length / 20) || ++this.#depth > deepest) {
      this.#reader.unknown('too_deep', text);
      return [plainField(text)];
    }
    const ways = this.#product(documentParts(text), true);
    this.#depth--;
    return ways.map(reckonable);
  }

  /** The texts that a word may be where the shell reckons with it. */
  reckonedWord(word: Word): readonly Field[] {
    return this.#wordWays(word, true).map(reckonable);
  }

  #wordWays(word: Word, isQuoted: boolean): readonly Way[] {
    const { parts } = word;
    if (!isQuoted && parts?.some(({ type }) => type === 'BraceExpansion')) {
      const texts = braceWords(word.text);
      if (!texts && /^[\d{},.-]*$/.test(word.text)) return [untold(word.text)];
      if (!texts || ++this.#depth > deepest) return [unknown(word.text)];
      // Each is parsed by itself.
      if (!this.#reader.spend(texts.length * 6 + word.text.length / 20)) {
        this.#depth--;
        return [unknown(word.text)];
      }
      const isOther = texts.length > 1 || texts[0] !== word.text;
      const ways = isOther ? texts.map((text) => this.#reread(text)) : [this.#product(parts, false)];
      this.#depth--;
      const joinedWays = ways.map((one) => one.flatMap((way): Way => [...way, { text: '', kind: 'space' }]));
      return [joinedWays.flat()];
    }
    if (!parts) return this.#literal(word.value, word.text);
    return this.#product(parts, isQuoted);
  }

  /** A word that the expansion of braces made. */
  #reread(text: string, isQuoted = false): readonly Way[] {
    const command = parse(`: ${text}`).commands[0]?.command;
    const words = command?.type === 'Command' ? command.suffix : [];
    return words.flatMap((word) => (word.type === 'Word' ? this.#wordWays(word, isQuoted) : []));
  }

  #literal(value: string, written: string): readonly Way[] {
    const [, name = '', rest = ''] = /^~([^/]*)(.*)$/s.exec(written.startsWith('~') ? value : '') ?? [];
    // The folder now, the one before, and those that wait on the stack.
    if (name === '+') return this.#variable('PWD', '~+', true).map((way) => [...way, ...quoted(rest)]);
    return [/^[-+\d]/.test(name) ? unknown(value) : quoted(value)];
  }

  #product(parts: readonly WordPart[], isQuoted: boolean): readonly Way[] {
    let ways: Way[] = [[]];
    let pieces = 0;
    for (const [index, part] of parts.entries()) {
      // Each part copies what stands before it, for each way.
      pieces += ways.length * index;
      if (index % 16 === 15 && !this.#reader.spend(pieces / 200)) return [unknown('')];
      if (index % 16 === 15) pieces = 0;
      // In zsh what stands in brackets behind a variable is its place.
      const [, place] = (splitting.has(parts[index - 1]?.type ?? part.type) && /^\[([^\]]*)\]/.exec(part.text)) || [];
      if (place !== undefined) this.#reader.reckon(this.reckoned(place), part.text);
      const found = this.#part(part, isQuoted, index === 0);
      const isMany = isQuoted && mayBeMany(part, parts[index + 1]);
      const options = isMany ? found.map(parted) : !isQuoted && splitting.has(part.type) ? found.map(split) : found;
      const next: Way[] = [];
      for (const way of ways) for (const option of options) if (next.length < mostWays) next.push([...way, ...option]);
      if (ways.length * options.length > mostWays) next[next.length - 1] = [...(next.at(-1) ?? []), ...unknown('')];
      ways = next;
    }
    return ways;
  }

  #part(part: WordPart, isQuoted: boolean, isFirst: boolean): readonly Way[] {
    switch (part.type) {
      case 'Literal':
        return isFirst && !isQuoted ? this.#literal(part.value, part.text) : [quoted(part.value)];
      case 'SingleQuoted':
        return [quoted(part.value)];
      case 'AnsiCQuoted':
        return [quoted(part.value.split('\0')[0] ?? '')];
      case 'DoubleQuoted':
      case 'LocaleString':
        return this.#product(part.parts, true).map((way): Way => [...quoted(''), ...way]);
      case 'Glob':
        return this.#bracketed(part.text, isQuoted);
      case 'ExtendedGlob':
        if (isQuoted) return [quoted(part.text)];
        this.#reader.reckon([plainField(part.text)], part.text);
        // For zsh what stands in the brackets says which files are meant: `*(D)`.
        return /^[*?]/.test(part.text)
          ? [[{ text: part.text, kind: 'pattern' }, ...unknown('')]]
          : [[{ text: part.text, kind: 'pattern' }]];
      case 'BraceExpansion':
        return [quoted(part.text)];
      case 'SimpleExpansion':
        return this.#variable(part.text.slice(1), part.text, isQuoted);
      case 'ParameterExpansion':
        return this.#parameter(part, isQuoted);
      case 'CommandExpansion':
        return this.#substitution(part, isQuoted);
      case 'ProcessSubstitution':
        this.#run(part.script, part.text);
        return [quoted('/dev/fd/63')];
      case 'ArithmeticExpansion':
        this.#reader.reckon(this.reckoned(part.text.replace(/^\$\(\(|^\$\[|\)\)$|\]$/g, '')), part.text);
        return [untold(part.text)];
    }
  }

  /** A wildcard, and in brackets what its expansions become. */
  #bracketed(text: string, isQuoted: boolean): readonly Way[] {
    const sign = (one: string): Piece => ({ text: one, kind: isQuoted ? 'quoted' : 'pattern' });
    const [, inner] = /^\[(.*[$`].*)\]$/s.exec(text) ?? [];
    if (inner === undefined || !this.#reader.spend(text.length / 20) || ++this.#depth > deepest) return [[sign(text)]];
    const ways = this.#reread(inner, isQuoted);
    this.#depth--;
    return ways.length > 0 ? ways.map((way) => [sign('['), ...way, sign(']')]) : [[sign(text)]];
  }

  #substitution(part: CommandExpansionPart, isQuoted: boolean): readonly Way[] {
    const output = trimmedEnd(this.#run(part.script, part.text) ?? '\0', '\n');
    if (!output.includes('\0')) return this.#expanded(output, isQuoted, part.text);
    return [(printsNumber(part.script, this.#scope) ? untold : unknown)(part.text)];
  }

  /** What came out of an expansion: split where no quotes stand around it. */
  #expanded(value: string, isQuoted: boolean, written: string): readonly Way[] {
    const isTainted = this.#scope.written(value);
    if (isTainted !== undefined) return [(isTainted ? unknown : untold)(value)];
    if (isQuoted) return [quoted(value)];
    const separators = this.#scope.separators();
    const ways = separators.values.map((one) => splitText(value, one));
    return separators.isOpen ? [...ways, unknown(written)] : ways;
  }

  /** The sign that parts what `"$*"` puts together; undefined where it may be one of several. */
  #separator(): string | undefined {
    return onlyValue(this.#scope.separators())?.slice(0, 1);
  }

  #variable(name: string, written: string, isQuoted: boolean): readonly Way[] {
    const variable = this.#lookup(name);
    if (variable && !this.#reader.spend(sizeOf(variable) / 150)) return [unknown(written)];
    if (!variable) return [[], untold(written)];
    const open = variable.isOpen ? [openOf(variable, written)] : [];
    const all = this.#all(variable, name, isQuoted, written);
    return bounded(all ? [...all, ...open] : [unknown(written)], unknown(written));
  }

  /** The ways to read all values of a variable, or all elements of an array; undefined where they are not known. */
  #all(variable: Variable, name: string, isQuoted: boolean, written: string): readonly Way[] | undefined {
    const one = (value: string): readonly Way[] => this.#expanded(value, isQuoted, written);
    if (!variable.isArray) return variable.values.flatMap(one);
    const isEach = name === '@' || name.endsWith('[@]');
    const isTogether = name === '*' || name.endsWith('[*]');
    if (!isEach && !isTogether) return (variable.isOpen ? variable.values : [variable.values[0] ?? '']).flatMap(one);
    const sign = isTogether ? this.#separator() : ' ';
    if (sign === undefined) return undefined;
    if (isTogether && isQuoted) return [quoted(variable.values.join(sign))];
    let ways: Piece[][] = [[]];
    for (const [index, value] of variable.values.entries()) {
      const next = one(value);
      const gap: Way = index === 0 ? [] : [{ text: '', kind: 'space' }];
      const only = next.length === 1 ? next[0] : undefined;
      // Most are read in one way only.
      if (only) for (const way of ways) way.push(...gap, ...only);
      else ways = ways.flatMap((way) => next.map((more) => [...way, ...gap, ...more])).slice(0, mostWays);
    }
    return ways;
  }

  #lookup(name: string): Variable | undefined {
    const position = /^[1-9]\d*$/.test(name) ? Number(name) : undefined;
    if (position === undefined) return this.#scope.variable(name.replace(/\[[@*]\]$/, ''));
    const all = this.#scope.variables.get('@');
    if (!all) return undefined;
    const { isTainted } = all;
    if (all.isOpen || position > mostPlaces)
      return { values: ['', ...all.values], isArray: false, isOpen: true, isTainted };
    return { values: [all.values[position - 1] ?? ''], isArray: false, isOpen: false, isTainted: false };
  }

  #parameter(part: ParameterExpansionPart, isQuoted: boolean): readonly Way[] {
    if (++this.#depth > deepest) return [unknown(part.text)];
    try {
      return this.#parameterWays(part, isQuoted);
    } finally {
      this.#depth--;
    }
  }

  #parameterWays(part: ParameterExpansionPart, isQuoted: boolean): readonly Way[] {
    const { parameter, operation, index, prefix, text } = part;
    const known = this.#lookup(parameter);
    const open = openOf(prefix === '#' ? undefined : known, text);
    const isAll = index !== undefined && /^[@*]$/.test(index.text);
    if (index && !isAll) this.#reckonWord(index, text);
    const asked: Parameter = { part, known, open, isAll, isQuoted };
    if (prefix !== undefined) return prefix === '#' ? lengthOf(asked) : this.#indirect(asked);
    if (operation === undefined) return this.#value(asked);
    // Some shells give a variable a value in other forms too: `${x::=a}`, `${(P)x:=a}`, `${(l:x=1:)y}`.
    if (/^\$\{\w+::=/.test(text)) fill(parameter, [], this.#reader, { isOpen: true });
    else if (/^\$\{(?:\w+\[[^\]]*\]::|\(.*)=/s.test(text)) fillUntold([anyName], this.#reader, text);
    return operation.type === 'Default' ? this.#orDefault(asked, operation) : this.#changed(asked, operation);
  }

  /** `${x}`, `${x[1]}` and `${x[@]}`. */
  #value({ part: { parameter, index, text }, known, open, isAll, isQuoted }: Parameter): readonly Way[] {
    if (index && !isAll) return this.#element(known, index, open, isQuoted, text);
    return this.#variable(index ? `${parameter}[${index.text}]` : parameter, text, isQuoted);
  }

  /** `${x:-a}`, `${x:=a}`, `${x:+a}` and `${x:?a}`. */
  #orDefault(asked: Parameter, { operator, operand }: OperationOf<'Default'>): readonly Way[] {
    const { part, known, open, isQuoted } = asked;
    const { parameter, index, text } = part;
    const own = index ? this.#element(known, index, open, isQuoted, text) : this.#variable(parameter, text, isQuoted);
    if (operator.includes('=')) {
      this.#default(parameter, this.texts(operand), known === undefined || index !== undefined);
    }
    if (operator.includes('?')) return own;
    const first = operator.includes('+') ? [[]] : own;
    return bounded([...first, ...this.#wordWays(operand, isQuoted)], open);
  }

  /** What an operation makes of the values of a variable: `${x%a}`, `${x/a/b}`, `${x:1:2}`, `${x^^}`, `${x@P}`. */
  #changed(asked: Parameter, operation: Exclude<ParameterOperation, OperationOf<'Default'>>): readonly Way[] {
    const { part, known, open, isAll, isQuoted } = asked;
    const { parameter, index, text } = part;
    const word = (name: string): string | undefined => this.#operand(Reflect.get(operation, name));
    if (operation.type === 'Slice')
      for (const one of [operation.offset, operation.length]) if (one) this.#reckonWord(one, text);
    if (!known) {
      // Of nothing nothing is left; what is put in its place may still stand in the line.
      for (const name of ['operand', 'pattern', 'replacement', 'offset', 'length']) word(name);
      return [[], operation.type === 'Replace' ? unknown(text) : open];
    }
    if (operation.type === 'Transform') for (const value of known.values) this.#reader.expandAgain(value, text);
    // What becomes of a text that is known may be any part of it.
    const changed = unknown(text);
    if (!this.#reader.spend(sizeOf(known) / 60)) return [changed];
    const isEach = known.isArray && (/^[@*]$/.test(parameter) || isAll);
    if (!isEach && (index || known.isArray)) return [changed];
    const each = (values: readonly string[]): readonly Way[] =>
      this.#all({ ...known, values }, `[${index?.text ?? parameter}]`, isQuoted, text) ?? [changed];
    if (operation.type === 'Slice' && isEach) {
      const first = index ? 0 : 1;
      const offset = word('offset');
      const length = operation.length && (word('length') ?? '?');
      const values = known.isOpen ? undefined : sliced(known.values, offset, length, first);
      return values && (first === 0 || Number(offset) !== 0) ? each(values) : [changed];
    }
    const made = known.values.map((value) => applied(value, operation, word));
    if (isEach) return known.isOpen || made.includes(undefined) ? [changed] : each(made.map((one) => one ?? ''));
    const ways = made.flatMap((one) => (one === undefined ? [changed] : this.#expanded(one, isQuoted, text)));
    return bounded([...ways, ...(known.isOpen ? [open] : [])], open);
  }

  /** `${!x}`: what stands behind the name that a variable holds. */
  #indirect({ part, known, open, isAll, isQuoted }: Parameter): readonly Way[] {
    const { operation, index, text } = part;
    if (part.prefix === '!' && !isAll) {
      const names = (known?.values ?? []).map(plainField);
      this.#reader.reckon([...names, ...(known?.isTainted ? [anyText] : [])].filter(mayHavePlace), text);
      if (operation === undefined && !index)
        return bounded([...names.flatMap((name) => this.#variable(name.text, text, isQuoted)), open], open);
    }
    const words = operation ? Object.values(operation).filter(isWord) : [];
    const given = words.map((word) => this.texts(word));
    if (operation?.type !== 'Default' || !operation.operator.includes('=')) return [open];
    const named = index ? undefined : known;
    if (!named || named.isOpen) fillUntold([anyName], this.#reader, text);
    for (const name of named?.values ?? []) this.#default(name, given.flat(), true);
    return [open];
  }

  /** Gives a variable a value where it has none. */
  #default(name: string, fields: readonly Field[], isOpen: boolean): void {
    for (const field of fields) readEnvironment(name, field, this.#reader);
    reckonInteger(name, fields, this.#reader);
    this.#scope.write(fields);
    const texts = fields.map(({ text }) => text);
    this.#scope.set(name, texts, { ...opennessOf(fields), adds: true, ...(isOpen ? { isOpen } : {}) });
  }

  #reckonWord(word: Word, written: string): void {
    this.#reader.reckon(
      this.reckonedWord(word).map((field) => ({ ...field, text: `0[${field.text}]` })),
      written,
    );
  }

  /** The text of an operand, where it is one, and where no quotes say that a wildcard in it is none. */
  #operand(word: unknown): string | undefined {
    const [field, ...others] = isWord(word) ? this.texts(word) : [];
    if (!isWord(word) || !field?.isKnown || others.length > 0) return undefined;
    return /["'\\]/.test(word.text) && /[*?[(\\]/.test(field.text) ? undefined : field.text;
  }

  #element(
    known: Variable | undefined,
    index: Word | undefined,
    open: Way,
    isQuoted: boolean,
    written: string,
  ): readonly Way[] {
    if (!known) return [[], open];
    const at = /^-?(?:0|[1-9]\d*)$/.test(index?.value ?? '') ? Number(index?.value) : undefined;
    const isExact = at !== undefined && Math.abs(at) <= mostPlaces && !known.isOpen && known.isArray;
    const chosen = isExact ? [known.values.at(at) ?? ''] : known.values;
    const ways = chosen.flatMap((value) => this.#expanded(value, isQuoted, written));
    return bounded(isExact ? ways : [[], ...ways, open], open);
  }
}

function isWord(value: unknown): value is Word {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Word';
}
