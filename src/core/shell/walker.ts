import type { ParsedScript, Word } from 'unbash';
import { anyName, fillReckoned, fillUntold } from './environment';
import { Expander } from './expand';
import { namesIn, runsReckoned } from './expressions';
import { type Field, opennessOf } from './field';
import { LineFunctions } from './functions';
import type { Ledger } from './ledger';
import { noNumbers } from './numbers';
import { type Io, noInput, type Reader, wordsOf } from './reader';
import { Scope } from './scope';
import { type Seen, Sightings } from './sightings';
import { SimpleCommands } from './simpleCommands';
import { Statements } from './statements';
import { LineParser } from './parsedLine';
import { Ways } from './ways';

const deepest = 12;

/** What all shells of one line share. */
interface Shared extends Seen {
  readonly functions: LineFunctions;
  readonly lines: LineParser;
  /** Texts that were read as something that a number or a name runs. */
  readonly reckoned: Set<string>;
  /** What runs when all is done. */
  readonly last: (() => void)[];
  /** Words that are text and name no file, and what they became. */
  readonly texts: Set<Word | Field>;
}

const nothingShared = (): Shared => ({
  line: '',
  functions: new LineFunctions(),
  lines: new LineParser(),
  reckoned: new Set(),
  last: [],
  texts: new Set(),
  guessed: new Set(),
  scanned: 0,
});

/** Walks over what one shell is given, as it would run it, every branch, and tells the ledger what happens. */
export class Walker extends Sightings implements Reader {
  readonly #shared: Shared;
  readonly #depth: number;
  readonly #ways: Ways;
  readonly #commands: SimpleCommands;
  readonly #statements: Statements;

  constructor(scope: Scope, ledger: Ledger, shared = nothingShared(), depth = 0) {
    super(scope, ledger, shared);
    this.#shared = shared;
    this.#depth = depth;
    this.#ways = new Ways(scope, ledger);
    const shell = {
      reader: this,
      ledger,
      ways: this.#ways,
      expander: new Expander(this, (script, text) => this.inside((inner) => inner.#substituted(script, text))),
      functions: shared.functions,
      isDeepest: depth >= deepest,
    };
    this.#commands = new SimpleCommands({
      ...shell,
      texts: shared.texts,
      walk: (body, io) => this.#below().#statements.node(body, io),
    });
    this.#statements = new Statements({
      ...shell,
      commands: this.#commands,
      inside: (work) => this.inside((inner) => work(inner.#statements)),
    });
  }

  /** Reads a whole line as it was given. */
  read(line: string): void {
    const script = this.#parsed(line, true);
    const start = this.scope.now();
    this.#script(script, line);
    if (this.#shared.last.length > 0) this.#ways.weaken(start);
    // What they set off is not left for later once more.
    for (const run of this.#shared.last.splice(0)) run();
    this.#shared.functions.readUncalled();
  }

  /**
   * Guesses at what is written in the line before anything of it is read, even where it cannot be parsed.
   * @param isWhole true for the line that was given, false for text within it.
   */
  #parsed(line: string, isWhole: boolean): ParsedScript {
    let shown = line;
    try {
      const parsed = isWhole ? this.#shared.lines.whole(line) : this.#shared.lines.inner(line);
      for (const word of parsed.texts) this.#shared.texts.add(word);
      ({ shown } = parsed);
      return parsed.script;
    } finally {
      if (isWhole) this.#shared.line = shown;
      this.scan(shown, line);
    }
  }

  runText(text: string, own?: { readonly args: readonly Field[] }): string | undefined {
    if (this.#depth >= deepest) return void this.unknown('too_deep', text);
    // Text within text is parsed anew at each depth.
    if (!this.ledger.spend(6 + text.length / 10)) return undefined;
    const script = this.#parsed(text, false);
    const inner = this.#below();
    if (own)
      this.scope.setArguments(
        own.args.map((one) => one.text),
        opennessOf(own.args),
      );
    return inner.#script(script, text);
  }

  runWords(fields: readonly Field[], io: Io, isProgram = false): string | undefined {
    if (this.#depth >= deepest) return void this.unknown('too_deep', wordsOf(fields));
    return this.#below().#commands.readWords(fields, io, isProgram);
  }

  inside<T>(work: (inner: Walker) => T): T {
    return work(this.#below(new Scope(this.scope)));
  }

  apart<T>(work: (inner: Walker) => T, isCleared = false): T {
    return this.inside((inner) => {
      inner.scope.leave({ isCleared });
      return work(inner);
    });
  }

  atEnd(text: string): void {
    if (this.#shared.last.length < 20) this.#shared.last.push(() => this.inside((inner) => inner.runText(text)));
    else this.unknown('too_long', text);
  }

  spend(work: number): boolean {
    return this.ledger.spend(work);
  }

  reckon(fields: readonly Field[], words: string): void {
    let isTainted = fields.some((field) => field.isTainted);
    // What a name in it holds is reckoned with too, and the names in that.
    const texts = new Set(fields.map(({ text, told }) => told ?? text));
    for (const text of texts) {
      if (!this.spend(0.6 + text.length / 200)) return;
      if (runsReckoned(text)) this.expandAgain(text, words);
      const names = text.includes('$') ? [...namesIn(text), ...noNumbers] : namesIn(text);
      for (const variable of names.flatMap((name) => this.scope.named(name))) {
        for (const value of variable.values) texts.add(value);
        isTainted ||= variable.isTainted;
      }
      fillReckoned(text, this, words);
    }
    if (isTainted) fillUntold([anyName], this, words, 'number');
  }

  expandAgain(text: string, words: string): void {
    if (!/\$[({]|`/.test(text) || this.#shared.reckoned.has(text)) return;
    this.#shared.reckoned.add(text);
    this.unknown('runs_code', words);
    this.inside((inner) => inner.runText(`: <<E\n${text}\nE`));
  }

  #below(scope = this.scope): Walker {
    return new Walker(scope, this.ledger, this.#shared, this.#depth + 1);
  }

  #script(script: ParsedScript, text: string, io: Io = noInput): string | undefined {
    if ((script.errors?.length ?? 0) > 0) this.unknown('syntax', text);
    return this.#statements.list(script.commands, io);
  }

  #substituted(script: ParsedScript | undefined, text: string): string | undefined {
    if (this.#depth >= deepest) return void this.unknown('too_deep', text);
    if (!script) return void this.unknown('syntax', text);
    return this.#script(script, text, { isFed: false, isPiped: true });
  }
}
