import {
  parse,
  type CommandExpansionPart,
  type ParameterExpansionPart,
  type ParsedScript,
  type Word,
  type WordPart,
} from 'unbash';
import { braceWords } from './braceWords';
import { type Field, fieldsOf, type Piece, splitText } from './field';
import { applied } from './parameters';
import type { Scope, Variable } from './scope';

/** Reads the script of a substitution: what it prints, where that is known. */
type RunScript = (script: ParsedScript | undefined, text: string) => string | undefined;

/** More ways to read one word than this are not followed; the word then counts as unknown. */
const mostWays = 24;
const deepest = 12;

type Way = readonly Piece[];

const quoted = (text: string): Way => [{ text, kind: 'quoted' }];
const unknown = (text: string): Way => [{ text, kind: 'unknown' }];

/** Expands words as the shell does, each to all that it may become. */
export class Expander {
  readonly #scope: Scope;
  readonly #run: RunScript;
  readonly #spend: (work: number) => boolean;
  #depth = 0;

  /** @param spend counts work; false where there has been too much of it. */
  constructor(scope: Scope, run: RunScript, spend: (work: number) => boolean) {
    this.#scope = scope;
    this.#run = run;
    this.#spend = spend;
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

  #wordWays(word: Word, isQuoted: boolean): readonly Way[] {
    const { parts } = word;
    if (!isQuoted && parts?.some(({ type }) => type === 'BraceExpansion')) {
      const texts = braceWords(word.text);
      if (!texts || ++this.#depth > deepest) return [unknown(word.text)];
      // Each is parsed by itself.
      if (!this.#spend(texts.length * 6 + word.text.length / 20)) {
        this.#depth--;
        return [unknown(word.text)];
      }
      const ways = texts.length > 1 ? texts.map((text) => this.#reread(text)) : [this.#product(parts, false)];
      this.#depth--;
      const joinedWays = ways.map((one) => one.flatMap((way): Way => [...way, { text: '', kind: 'space' }]));
      return [joinedWays.flat()];
    }
    if (!parts) return [this.#literal(word.value, word.text)];
    return this.#product(parts, isQuoted);
  }

  /** A word that the expansion of braces made. */
  #reread(text: string): readonly Way[] {
    const command = parse(`: ${text}`).commands[0]?.command;
    const words = command?.type === 'Command' ? command.suffix : [];
    return words.flatMap((word) => (word.type === 'Word' ? this.#wordWays(word, false) : []));
  }

  #literal(value: string, written: string): Way {
    return quoted(written.startsWith('~') ? this.#tilde(value) : value);
  }

  #tilde(text: string): string {
    const [, name = '', rest = ''] = /^~([^/]*)(.*)$/s.exec(text) ?? [];
    if (name === '+') return `${this.#scope.variables.get('PWD')?.values[0] ?? '.'}${rest}`;
    return text;
  }

  #product(parts: readonly WordPart[], isQuoted: boolean): readonly Way[] {
    let ways: Way[] = [[]];
    let pieces = 0;
    for (const [index, part] of parts.entries()) {
      // Each part copies what stands before it, for each way.
      pieces += ways.length * index;
      if (index % 16 === 15 && !this.#spend(pieces / 200)) return [unknown('')];
      if (index % 16 === 15) pieces = 0;
      const options = this.#part(part, isQuoted, index === 0);
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
        return [isFirst && !isQuoted ? this.#literal(part.value, part.text) : quoted(part.value)];
      case 'SingleQuoted':
        return [quoted(part.value)];
      case 'AnsiCQuoted':
        return [quoted(part.value.split('\0')[0] ?? '')];
      case 'DoubleQuoted':
      case 'LocaleString':
        return this.#product(part.parts, true).map((way): Way => [...quoted(''), ...way]);
      case 'Glob':
        return [[{ text: part.text, kind: isQuoted ? 'quoted' : 'pattern' }]];
      case 'ExtendedGlob':
      case 'BraceExpansion':
        return [[{ text: part.text, kind: part.type === 'ExtendedGlob' && !isQuoted ? 'pattern' : 'quoted' }]];
      case 'SimpleExpansion':
        return this.#variable(part.text.slice(1), part.text, isQuoted);
      case 'ParameterExpansion':
        return this.#parameter(part, isQuoted);
      case 'CommandExpansion':
        return [this.#substitution(part, isQuoted)];
      case 'ProcessSubstitution':
        this.#run(part.script, part.text);
        return [quoted('/dev/fd/63')];
      case 'ArithmeticExpansion':
        this.#arithmetic(part.text);
        return [unknown(part.text)];
    }
  }

  /** What stands in a calculation may run something: `$(( $(id) ))`, `$(( a[$(id)] ))`. */
  #arithmetic(text: string): void {
    const inner = text.replace(/^\$\(\(|^\$\[|\)\)$|\]$/g, '');
    if (!/[$`]/.test(inner) || ++this.#depth > deepest) return;
    this.#reread(`"${inner.replaceAll('"', '')}"`);
    this.#depth--;
  }

  #substitution(part: CommandExpansionPart, isQuoted: boolean): Way {
    const output = this.#run(part.script, part.text)?.replace(/\n+$/, '');
    return output === undefined ? unknown(part.text) : this.#expanded(output, isQuoted);
  }

  /** What came out of an expansion: split where no quotes stand around it. */
  #expanded(value: string, isQuoted: boolean): Way {
    if (isQuoted) return quoted(value);
    return splitText(value, this.#scope.variables.get('IFS')?.values.join('') ?? ' \t\n');
  }

  #variable(name: string, written: string, isQuoted: boolean): readonly Way[] {
    const variable = this.#lookup(name);
    if (variable && !this.#spend(sizeOf(variable) / 150)) return [unknown(written)];
    if (!variable) return [[], unknown(written)];
    const way = (value: string): Way => this.#expanded(value, isQuoted);
    const open = variable.isOpen ? [unknown(written)] : [];
    if (!variable.isArray) return [...variable.values.map(way), ...open];
    const isAll = name === '@' || name === '*' || /\[[@*]\]$/.test(name);
    const values = isAll ? variable.values : variable.values.slice(0, 1);
    const all = values.flatMap((value, index): Way => [
      ...(index === 0 ? [] : [{ text: '', kind: 'space' } as const]),
      ...way(value),
    ]);
    return [all, ...open];
  }

  #lookup(name: string): Variable | undefined {
    const position = /^[1-9]\d?$/.test(name) ? Number(name) : undefined;
    if (position === undefined) return this.#scope.variables.get(name.replace(/\[[@*]\]$/, ''));
    const all = this.#scope.variables.get('@');
    if (!all) return undefined;
    const value = all.values[position - 1];
    return { values: value === undefined ? [''] : [value], isArray: false, isOpen: all.isOpen };
  }

  #parameter(part: ParameterExpansionPart, isQuoted: boolean): readonly Way[] {
    if (++this.#depth > deepest) return [unknown(part.text)];
    try {
      return this.#parameterWays(part, isQuoted, unknown(part.text));
    } finally {
      this.#depth--;
    }
  }

  #parameterWays(part: ParameterExpansionPart, isQuoted: boolean, open: Way): readonly Way[] {
    const { parameter, operation, index, prefix } = part;
    if (index) this.texts(index);
    const isAll = index !== undefined && /^[@*]$/.test(index.text);
    if (prefix === '!' && operation === undefined && !index) {
      const named = this.#lookup(parameter)?.values ?? [];
      return [...named.flatMap((name) => this.#variable(name, part.text, isQuoted)), open].slice(0, mostWays);
    }
    if (prefix === '#') {
      const known = this.#lookup(parameter);
      const lengths = known && !known.isArray && !known.isOpen ? known.values : undefined;
      return lengths ? lengths.map((one) => quoted(String(one.length))) : [open];
    }
    if (prefix !== undefined) return [open];
    if (operation === undefined && (index === undefined || isAll))
      return this.#variable(isAll ? `${parameter}[@]` : parameter, part.text, isQuoted);
    const known = this.#lookup(parameter);
    if (operation === undefined) return this.#element(known, index, open, isQuoted);
    const operands = (word: Word): readonly Way[] => this.#wordWays(word, isQuoted);
    if (operation.type === 'Default') {
      const own = this.#variable(parameter, part.text, isQuoted);
      if (/=/.test(operation.operator))
        this.#scope.set(
          parameter,
          this.texts(operation.operand).map(({ text }) => text),
          { adds: true },
        );
      if (/[?]/.test(operation.operator)) return own;
      return [...(/\+/.test(operation.operator) ? [[]] : own), ...operands(operation.operand)].slice(0, mostWays);
    }
    const word = (name: string): string | undefined => {
      const found: unknown = Reflect.get(operation, name);
      const inner = isWord(found) ? this.texts(found) : [];
      return inner.length === 1 && inner[0]?.isKnown ? inner[0].text : undefined;
    };
    if (!known) {
      // Of nothing nothing is left; what is put in its place may still stand in the line.
      for (const name of ['operand', 'pattern', 'replacement', 'offset', 'length']) word(name);
      return [[], open];
    }
    if (!this.#spend(sizeOf(known) / 60)) return [open];
    const values = known.isArray && parameter !== '@' && !isAll ? known.values.slice(0, 1) : known.values;
    const made = values.map((value) => applied(value, operation, word));
    const ways = made.map((one) => (one === undefined ? open : this.#expanded(one, isQuoted)));
    return [...ways, ...(known.isOpen ? [open] : [])].slice(0, mostWays);
  }

  #element(known: Variable | undefined, index: Word | undefined, open: Way, isQuoted: boolean): readonly Way[] {
    if (!known) return [[], open];
    const at = Number(index?.value);
    const chosen = Number.isInteger(at) && at >= 0 && !known.isOpen ? [known.values[at] ?? ''] : known.values;
    return chosen.slice(0, mostWays).map((value) => this.#expanded(value, isQuoted));
  }
}

/** All that a variable may hold, in characters. */
const sizeOf = ({ values }: Variable): number => values.reduce((sum, value) => sum + value.length + 20, 0);

function isWord(value: unknown): value is Word {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Word';
}

function whole(way: Way): Field {
  const isPattern = way.some(({ kind }) => kind === 'pattern');
  return {
    text: way.map(({ text, kind }) => (kind === 'space' ? ' ' : text)).join(''),
    isPattern,
    isKnown: way.every(({ kind }) => kind !== 'unknown'),
  };
}
