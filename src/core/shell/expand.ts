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
      if (!texts || ++this.#depth > deepest) return [[{ text: word.text, kind: 'unknown' }]];
      // Each is parsed by itself.
      if (!this.#spend(texts.length * 6 + word.text.length / 20)) {
        this.#depth--;
        return [[{ text: word.text, kind: 'unknown' }]];
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
    return [{ text: written.startsWith('~') ? this.#tilde(value) : value, kind: 'quoted' }];
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
      if (index % 16 === 15 && !this.#spend(pieces / 200)) return [[{ text: '', kind: 'unknown' }]];
      if (index % 16 === 15) pieces = 0;
      const options = this.#part(part, isQuoted, index === 0);
      const next: Way[] = [];
      for (const way of ways) for (const option of options) if (next.length < mostWays) next.push([...way, ...option]);
      if (ways.length * options.length > mostWays)
        next[next.length - 1] = [...(next.at(-1) ?? []), { text: '', kind: 'unknown' }];
      ways = next;
    }
    return ways;
  }

  #part(part: WordPart, isQuoted: boolean, isFirst: boolean): readonly Way[] {
    switch (part.type) {
      case 'Literal':
        return [isFirst && !isQuoted ? this.#literal(part.value, part.text) : [{ text: part.value, kind: 'quoted' }]];
      case 'SingleQuoted':
        return [[{ text: part.value, kind: 'quoted' }]];
      case 'AnsiCQuoted':
        return [[{ text: part.value.split('\0')[0] ?? '', kind: 'quoted' }]];
      case 'DoubleQuoted':
      case 'LocaleString':
        return this.#product(part.parts, true).map((way): Way => [{ text: '', kind: 'quoted' }, ...way]);
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
        return [[{ text: '/dev/fd/63', kind: 'quoted' }]];
      case 'ArithmeticExpansion':
        this.#arithmetic(part.text);
        return [[{ text: part.text, kind: 'unknown' }]];
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
    if (output === undefined) return [{ text: part.text, kind: 'unknown' }];
    return isQuoted ? [{ text: output, kind: 'quoted' }] : splitText(output, this.#separators());
  }

  #separators(): string {
    return this.#scope.variables.get('IFS')?.values.join('') ?? ' \t\n';
  }

  #variable(name: string, written: string, isQuoted: boolean): readonly Way[] {
    const variable = this.#lookup(name);
    if (variable && !this.#spend(sizeOf(variable) / 150)) return [[{ text: written, kind: 'unknown' }]];
    if (!variable) return [[], [{ text: written, kind: 'unknown' }]];
    const way = (value: string): Way =>
      isQuoted ? [{ text: value, kind: 'quoted' }] : splitText(value, this.#separators());
    if (variable.isArray) {
      const isAll = name === '@' || name === '*' || /\[[@*]\]$/.test(name);
      const values = isAll ? variable.values : variable.values.slice(0, 1);
      const all = values.flatMap((value, index): Way => [
        ...(index === 0 ? [] : [{ text: '', kind: 'space' } as const]),
        ...way(value),
      ]);
      return [all, ...(variable.isOpen ? [[{ text: written, kind: 'unknown' } as const]] : [])];
    }
    return [...variable.values.map(way), ...(variable.isOpen ? [[{ text: written, kind: 'unknown' } as const]] : [])];
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
    const unknown: Way = [{ text: part.text, kind: 'unknown' }];
    if (++this.#depth > deepest) return [unknown];
    try {
      return this.#parameterWays(part, isQuoted, unknown);
    } finally {
      this.#depth--;
    }
  }

  #parameterWays(part: ParameterExpansionPart, isQuoted: boolean, unknown: Way): readonly Way[] {
    const { parameter, operation, index, prefix } = part;
    if (index) this.texts(index);
    const isAll = index !== undefined && /^[@*]$/.test(index.text);
    if (prefix === '!' && operation === undefined && !index) {
      const named = this.#lookup(parameter)?.values ?? [];
      return [...named.flatMap((name) => this.#variable(name, part.text, isQuoted)), unknown].slice(0, mostWays);
    }
    if (prefix === '#') {
      const known = this.#lookup(parameter);
      const lengths = known && !known.isArray && !known.isOpen ? known.values : undefined;
      return lengths ? lengths.map((one): Way => [{ text: String(one.length), kind: 'quoted' }]) : [unknown];
    }
    if (prefix !== undefined) return [unknown];
    if (operation === undefined && (index === undefined || isAll))
      return this.#variable(isAll ? `${parameter}[@]` : parameter, part.text, isQuoted);
    const known = this.#lookup(parameter);
    if (operation === undefined) return this.#element(known, index, unknown, isQuoted);
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
      return [[], unknown];
    }
    if (!this.#spend(sizeOf(known) / 60)) return [unknown];
    const values = known.isArray && parameter !== '@' && !isAll ? known.values.slice(0, 1) : known.values;
    const made = values.map((value) => applied(value, operation, word));
    const ways = made.map((one): Way => {
      if (one === undefined) return unknown;
      return isQuoted ? [{ text: one, kind: 'quoted' }] : splitText(one, this.#separators());
    });
    return [...ways, ...(known.isOpen ? [unknown] : [])].slice(0, mostWays);
  }

  #element(known: Variable | undefined, index: Word | undefined, unknown: Way, isQuoted: boolean): readonly Way[] {
    if (!known) return [[], unknown];
    const at = Number(index?.value);
    const chosen = Number.isInteger(at) && at >= 0 && !known.isOpen ? [known.values[at] ?? ''] : known.values;
    return chosen
      .slice(0, mostWays)
      .map((value): Way => (isQuoted ? [{ text: value, kind: 'quoted' }] : splitText(value, this.#separators())));
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
