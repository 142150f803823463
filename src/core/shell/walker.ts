import {
  parse,
  type AndOr,
  type ArithmeticExpression,
  type Assignment,
  type Command,
  type CommandNode,
  type Function as ShellFunction,
  type ParsedScript,
  type Pipeline,
  type Statement,
  type TestExpression,
  type Word,
} from 'unbash';
import { assign, type AssignedValue } from './assignment';
import { countsPlaces, readBuiltin } from './builtins';
import { combined } from './combined';
import { readProgram } from './commands';
import { Expander } from './expand';
import { reckonedNames, reckonedParts, testedWords } from './expressions';
import { type Field, isOpenField, plainField } from './field';
import type { Ledger } from './ledger';
import { type Io, noInput, type Reader, wordsOf } from './reader';
import { readRedirections } from './redirections';
import { Scope, type ScopeChanges, type ScopeMark } from './scope';
import { type Seen, Sightings } from './sightings';
import { textWords, without } from './textWords';
import { Ways } from './ways';

const deepest = 12;

type Node = CommandNode | Pipeline | AndOr | { readonly type: 'CompoundList'; readonly commands: readonly Statement[] };
type NodeOf<Type extends Node['type']> = Extract<Node, { readonly type: Type }>;

/** What all parts of one line share. */
interface Shared extends Seen {
  readonly called: Set<string>;
  /** What reads the bodies of functions that nothing in the line may call. */
  readonly uncalled: Map<string, () => void>;
  /** Those functions of which the body is being read, which do not call themselves again. */
  readonly reading: Set<string>;
  /** Texts that were read as something that a number or a name runs. */
  readonly reckoned: Set<string>;
  /** What runs when all is done. */
  readonly last: (() => void)[];
  /** Words that are text and name no file, and what they became. */
  readonly texts: Set<Word | Field>;
}

const nothingShared = (): Shared => ({
  line: '',
  called: new Set(),
  uncalled: new Map(),
  reading: new Set(),
  reckoned: new Set(),
  last: [],
  texts: new Set(),
  guessed: new Set(),
  scanned: 0,
});

/** Walks over a parsed line as a shell would run it, every branch, and tells the ledger what happens. */
export class Walker extends Sightings implements Reader {
  readonly #shared: Shared;
  readonly #depth: number;
  readonly #expander: Expander;
  readonly #ways: Ways;

  constructor(scope: Scope, ledger: Ledger, shared = nothingShared(), depth = 0) {
    super(scope, ledger, shared);
    this.#shared = shared;
    this.#depth = depth;
    this.#ways = new Ways(scope, ledger);
    this.#expander = new Expander(scope, {
      run: (script, text) => this.#inside((inner) => inner.#substituted(script, text)),
      reckon: (texts, words) => this.reckon(texts, words),
      expandAgain: (text, words) => this.expandAgain(text, words),
      spend: (work) => ledger.spend(work),
    });
  }

  /** Reads a whole line as it was given. */
  read(line: string): void {
    const script = this.#parsed(line);
    const start = this.scope.now();
    this.#script(script, line);
    if (this.#shared.last.length > 0) this.#ways.weaken(start);
    // What they set off is not left for later once more.
    for (const run of this.#shared.last.splice(0)) run();
    this.#readUncalled();
  }

  /** Guesses at what is written in the line before anything of it is read, even where it cannot be parsed. */
  #parsed(line: string): ParsedScript {
    let shown = line;
    try {
      const script = parse(line);
      const texts = textWords(script, line);
      for (const word of texts) this.#shared.texts.add(word);
      shown = without(line, texts);
      return script;
    } finally {
      this.#shared.line = shown;
      this.scan(shown, line);
    }
  }

  runText(text: string, own?: { readonly args: readonly Field[] }): string | undefined {
    if (this.#depth >= deepest) return this.#tooDeep(text);
    // Text within text is parsed anew at each depth.
    if (!this.ledger.spend(text.length / 10)) return undefined;
    this.scan(text, text);
    const inner = this.#below();
    if (own)
      this.scope.setArguments(
        own.args.map((one) => one.text),
        own.args.some(isOpenField),
      );
    return inner.#script(parse(text), text);
  }

  runWords(fields: readonly Field[], io: Io, isProgram = false): string | undefined {
    if (this.#depth >= deepest) return this.#tooDeep(wordsOf(fields));
    return this.#below().#dispatch(fields, io, isProgram);
  }

  inside<T>(work: (inner: Reader) => T): T {
    return this.#inside(work);
  }

  apart<T>(work: (inner: Reader) => T, isCleared = false): T {
    return this.#inside((inner) => {
      inner.scope.leave({ isCleared });
      return work(inner);
    });
  }

  atEnd(text: string): void {
    if (this.#shared.last.length < 20) this.#shared.last.push(() => this.#inside((inner) => inner.runText(text)));
    else this.unknown('too_long', text);
  }

  spend(work: number): boolean {
    return this.ledger.spend(work);
  }

  reckon(texts: readonly string[], words: string): void {
    for (const text of [...texts.filter((one) => Scope.isHidden(one)), ...this.scope.hidden])
      this.expandAgain(text, words);
  }

  expandAgain(text: string, words: string): void {
    if (!/\$[({]|`/.test(text) || this.#shared.reckoned.has(text)) return;
    this.#shared.reckoned.add(text);
    this.unknown('runs_code', words);
    this.#inside((inner) => inner.runText(`: <<E\n${text}\nE`));
  }

  #inside<T>(work: (inner: Walker) => T): T {
    return work(this.#below(new Scope(this.scope)));
  }

  #below(scope = this.scope): Walker {
    return new Walker(scope, this.ledger, this.#shared, this.#depth + 1);
  }

  #tooDeep(text: string): undefined {
    this.unknown('too_deep', text);
  }

  #script(script: ParsedScript, text: string): string | undefined {
    if ((script.errors?.length ?? 0) > 0) this.unknown('syntax', text);
    return this.#list(script.commands, noInput);
  }

  #substituted(script: ParsedScript | undefined, text: string): string | undefined {
    if (this.#depth >= deepest) return this.#tooDeep(text);
    if (!script) {
      this.unknown('syntax', text);
      return undefined;
    }
    return this.#script(script, text);
  }

  #list(statements: readonly Statement[], io: Io): string | undefined {
    let output: string | undefined = '';
    for (const { command, background } of statements) {
      const printed = background ? this.#inside((inner) => inner.#node(command, io)) : this.#node(command, io);
      output = output === undefined || printed === undefined ? undefined : output + printed;
    }
    return output;
  }

  #node(node: Node, io: Io): string | undefined {
    switch (node.type) {
      case 'Command':
        return this.#command(node, io);
      case 'Pipeline':
        return this.#pipeline(node, io);
      case 'AndOr':
        return this.#andOr(node, io);
      case 'CompoundList':
        return this.#deeper(() => this.#list(node.commands, io));
      case 'Subshell':
        return this.#inside((inner) =>
          inner.#depth > deepest ? inner.#tooDeep('(') : inner.#list(node.body.commands, io),
        );
      case 'BraceGroup':
        return this.#deeper(() => this.#list(node.body.commands, io));
      case 'Redirected': {
        const fed = readRedirections(node.redirects, '', io, this, this.#expander);
        const printed = this.#node(node.command, fed.io);
        return fed.output ? undefined : printed;
      }
      case 'If':
        this.#if(node, io);
        return undefined;
      case 'For':
      case 'Select':
        this.#for(node, io);
        return undefined;
      case 'While':
        this.#round(() => {
          this.#node(node.clause, io);
          this.#node(node.body, io);
        });
        return undefined;
      case 'ArithmeticFor':
        this.#arithmetic(node.initialize);
        this.#round(() => {
          for (const one of [node.test, node.update]) this.#arithmetic(one);
          this.#node(node.body, io);
        });
        return undefined;
      case 'Case':
        this.#case(node, io);
        return undefined;
      case 'Function':
        this.#define(node);
        return '';
      case 'Coproc':
        this.scope.set(node.name?.value ?? 'COPROC', [], { isArray: true, isOpen: true });
        this.#inside((inner) => inner.#node(node.body, io));
        return undefined;
      case 'TestCommand':
        this.#test(node.expression);
        return '';
      case 'ArithmeticCommand':
        this.#arithmetic(node.expression, node.body);
        return '';
    }
  }

  #if(node: NodeOf<'If'>, io: Io): void {
    const ways: { readonly mark: ScopeMark; readonly changes: ScopeChanges }[] = [];
    this.#deeper(() => {
      for (const { clause, then } of [node, ...node.elif]) {
        this.#node(clause, io);
        const mark = this.scope.now();
        this.#node(then, io);
        ways.push({ mark, changes: this.scope.rewind(mark) });
      }
      if (node.else) this.#node(node.else, io);
    });
    for (const { mark, changes } of ways.toReversed()) this.#ways.merge(changes, mark);
  }

  #for(node: NodeOf<'For' | 'Select'>, io: Io): void {
    const fields = node.wordlist?.flatMap((word) => this.#expander.fields(word)) ?? [];
    for (const field of fields) this.suspect(field, field.text);
    const isOpen = !node.wordlist || node.type === 'Select' || fields.some(isOpenField);
    const values = fields.map(({ text }) => text);
    if (node.type === 'Select') this.scope.count('REPLY');
    this.#round(() => {
      if (values.length > 0 || isOpen) this.scope.set(node.name.value, values, { isOpen });
      this.#node(node.body, io);
    });
  }

  #case(node: NodeOf<'Case'>, io: Io): void {
    for (const field of this.#expander.texts(node.word)) this.suspect(field, field.text);
    for (const { pattern } of node.items) for (const one of pattern) this.#expander.texts(one);
    const bodies = node.items.map(
      ({ body }) =>
        () =>
          void this.#node(body, io),
    );
    const isWhole = node.items.some(({ pattern }) => pattern.some(({ text }) => text === '*'));
    // One that goes on into the next may be any part of all.
    if (node.items.some(({ terminator }) => terminator !== undefined && terminator !== ';;'))
      this.#deeper(() => this.#ways.doubtful(() => bodies.forEach((run) => run())));
    else this.#deeper(() => this.#ways.oneOf(isWhole ? bodies : [...bodies, () => undefined]));
  }

  /** What runs again and again. */
  #round(work: () => void): void {
    this.#ways.loop(() => void this.#deeper(work));
  }

  #nesting = 0;
  #deeper<T>(work: () => T | undefined): T | undefined {
    if (++this.#nesting > 100) {
      this.#nesting--;
      return this.#tooDeep('{');
    }
    try {
      return work();
    } finally {
      this.#nesting--;
    }
  }

  #define(node: ShellFunction): void {
    const name = node.name.value;
    this.scope.functions.set(name, { bodies: [node.body], isSure: true, isExported: false });
    this.#shared.uncalled.set(`${name} ${node.pos}`, () => {
      if (this.#shared.called.has(name)) return;
      this.#shared.reading.add(name);
      this.#inside((inner) => {
        if (inner.#depth > deepest) inner.#tooDeep(name);
        else inner.#node(node.body, noInput);
      });
      this.#shared.reading.delete(name);
    });
  }

  /** A function that nothing calls may be called by something else, so its body is read at the end. */
  #readUncalled(): void {
    for (const [key, read] of this.#shared.uncalled) {
      this.#shared.uncalled.delete(key);
      read();
    }
  }

  #pipeline({ commands }: Pipeline, io: Io): string | undefined {
    let input = io;
    let printed: string | undefined;
    for (const [index, command] of commands.entries()) {
      const from = input;
      const isLast = index === commands.length - 1;
      if (commands.length === 1) printed = this.#node(command, from);
      // In some shells the last one is read by the shell itself.
      else if (isLast) this.#ways.doubtful(() => void (printed = this.#node(command, from)));
      else printed = this.#inside((inner) => inner.#node(command, from));
      if (!isLast) input = printed === undefined ? { isFed: true } : { isFed: true, stdin: printed };
    }
    return printed;
  }

  /** Behind `&&` runs only what may follow, behind `||` only what may be needed. */
  #andOr({ commands, operators }: AndOr, io: Io): string | undefined {
    const { scope } = this;
    const seen = new Set<string | undefined>();
    let output: string | undefined = '';
    let since = scope.now();
    for (const [index, command] of commands.entries()) {
      const operator = operators[index - 1];
      const isSure = operator === '&&' && !operators.slice(0, index).includes('||');
      const hasArrived = isSure && commands[index - 1]?.type === 'Command';
      for (const folder of scope.folders) seen.add(folder);
      if (hasArrived && scope.arrived) scope.folders = scope.arrived;
      scope.arrived = undefined;
      if (operator === '||') {
        const done = scope.rewind(since);
        this.#ways.weaken({ ...since, folders: [...seen] });
        output = this.#added(output, this.#node(command, io));
        this.#ways.merge(done, since);
        since = scope.now();
      } else if (index > 0) output = this.#added(output, this.#node(command, io));
      else {
        output = this.#node(command, io);
        since = scope.now();
      }
    }
    const { arrived } = scope;
    this.#ways.weaken({ ...since, folders: [...seen, ...since.folders] });
    scope.arrived = operators.includes('||') ? undefined : arrived;
    return output;
  }

  /** What is printed by something that may not run. */
  #added(output: string | undefined, printed: string | undefined): string | undefined {
    return printed === '' ? output : undefined;
  }

  #command(command: Command, io: Io): string | undefined {
    if (!this.ledger.step()) return undefined;
    const values = command.prefix.filter((one) => one.type === 'Assignment').map((one) => this.#assigned(one));
    const text = [command.name?.text ?? '', ...command.args.map((one) => one.text)].join(' ');
    const fed = readRedirections(command.redirects, text, io, this, this.#expander);
    if (!command.name) {
      for (const value of values) assign(value, this);
      this.scope.arrived = undefined;
      // `$(< file)` prints it; some shells print whatever is fed to no command at all.
      return command.redirects.length > 0 ? undefined : '';
    }
    const name = this.#expander.ways(command.name);
    const arrays: AssignedValue[] = [];
    // A builtin that has its own arguments by name: `export A=b`.
    const args = command.args.map((arg): readonly (readonly Field[])[] => {
      if (arg.type === 'Word') {
        const ways = this.#expander.ways(arg);
        if (this.#shared.texts.has(arg)) for (const field of ways.flat()) this.#shared.texts.add(field);
        return ways;
      }
      const value = this.#assigned(arg);
      if (value.place !== 'plain') arrays.push(value);
      const sign = value.appends ? '+=' : '=';
      return value.place === 'plain'
        ? value.fields.map((field) => [{ ...field, text: `${arg.name}${sign}${field.text}` }])
        : [[plainField(arg.name)]];
    });
    // The words are read before the variables have these values, which hold for this command.
    const mark = this.scope.now();
    for (const value of values) {
      assign(value, this);
      this.scope.give(value.name, 'x');
    }
    const { lists, isExact } = combined([name, ...args]);
    if (!isExact && lists.some(([first]) => this.#countsPlaces(first))) this.unknown('unknown_word', text);
    let output: string | undefined;
    const dispatch = (way: readonly Field[]) => () => void (output = this.#dispatch(way, fed.io));
    const [only] = lists;
    if (only && lists.length === 1) dispatch(only)();
    else {
      this.#ways.oneOf(lists.map(dispatch));
      this.scope.arrived = undefined;
      output = undefined;
    }
    for (const value of arrays) assign(value, this);
    if (values.length > 0) this.#ways.weaken(mark);
    // What is said of a failure goes another way.
    if (fed.output) return fed.output === 'away' && /^(?:echo|printf|true|:)$/.test(command.name.text) ? '' : undefined;
    return command.redirects.length > 0 && lists.some((way) => way.length === 0) ? undefined : output;
  }

  #countsPlaces(name: Field | undefined): boolean {
    return name !== undefined && (countsPlaces(name.text) || this.scope.functions.get(name.text) !== undefined);
  }

  #assigned(assignment: Assignment): AssignedValue {
    const { name, value, index } = assignment;
    const appends = assignment.append === true;
    if (index)
      this.reckon(
        this.#expander.texts(index).map(({ text }) => `${name}[${text}]`),
        assignment.text,
      );
    if (value.type === 'ArrayValue') {
      const ways = value.elements.map((word) => this.#expander.ways(word));
      const isKeyed = value.elements.some(({ text }) => keyed.test(text));
      if (isKeyed)
        this.reckon(
          ways.flat(2).map(({ text }) => name + text),
          assignment.text,
        );
      const isExact = !isKeyed && ways.every((one) => one.length === 1);
      const fields = ways.flat(2).map((field) => ({ ...field, text: field.text.replace(keyed, '') }));
      return { name, fields: isKeyed ? fields : ways.flat(2), place: isExact ? 'all' : 'allOpen', appends };
    }
    return {
      name,
      fields: this.#expander.texts(value),
      place: index === undefined ? 'plain' : { index: index.text },
      appends,
    };
  }

  #dispatch(fields: readonly Field[], io: Io, isProgram = false): string | undefined {
    const [name, ...args] = fields;
    if (!name) return '';
    if (!this.ledger.step()) return undefined;
    const words = wordsOf(fields);
    for (const field of fields) if (!this.#shared.texts.has(field)) this.suspect(field, words);
    const aliases = this.scope.aliases.get(name.text);
    if (aliases !== undefined && this.#depth < deepest) {
      this.scope.aliases.set(name.text, undefined);
      for (const alias of aliases)
        this.#ways.doubtful(() => void this.runText(`${alias} ${args.map(({ text }) => quoted(text)).join(' ')}`));
      this.scope.aliases.set(name.text, aliases);
    }
    const functions = this.#shared.reading.has(name.text) ? undefined : this.scope.functions.get(name.text);
    if (functions && name.isKnown && !isProgram) {
      if (this.#depth >= deepest) return this.#tooDeep(words);
      this.#shared.called.add(name.text);
      const [body] = functions.bodies;
      if (body && functions.isSure && functions.bodies.length === 1) return this.#call(body, args, io);
      const calls = functions.bodies.map((one) => () => void this.#call(one, args, io));
      this.#ways.oneOf(functions.isSure ? calls : [...calls, () => void this.#programOf(fields, words, io)]);
      return undefined;
    }
    return this.#programOf(fields, words, io);
  }

  #programOf(fields: readonly Field[], words: string, io: Io): string | undefined {
    const [name, ...args] = fields;
    if (!name) return undefined;
    const builtin = name.isKnown ? readBuiltin(name.text, args, this, words, io) : undefined;
    const output = builtin ? builtin.output : readProgram(fields, this, io);
    if (!/^(?:cd|chdir|pushd|command|builtin)$/.test(name.text)) this.scope.arrived = undefined;
    return output;
  }

  /** A function has its own arguments and its own variables, which end with it. */
  #call(body: ShellFunction['body'], args: readonly Field[], io: Io): string | undefined {
    const { scope } = this;
    const [mark, locals, jumps] = [scope.now(), scope.locals, scope.jumps];
    const outside = ['@', '*', '#'].map((name) => [name, scope.variables.get(name)] as const);
    scope.locals = new Map();
    scope.setArguments(
      args.map(({ text }) => text),
      args.some(isOpenField),
    );
    const output = this.#below().#node(body, io);
    // It may have ended at any of the places where it can be left.
    if (scope.jumps > jumps) this.#ways.weaken(mark);
    for (const [name, variable] of outside) scope.variables.set(name, variable);
    for (const [name, { variable, attributes }] of scope.locals) {
      scope.variables.set(name, variable);
      if (attributes?.includes('x') !== true) scope.attributes.set(name, scope.attributes.get(name)?.replace('x', ''));
    }
    scope.locals = locals;
    scope.arrived = undefined;
    return output;
  }

  #test(expression: TestExpression): void {
    for (const { word, isReckoned } of testedWords(expression)) {
      const fields = this.#expander.texts(word);
      for (const field of fields) this.suspect(field, `[[ ${field.text} ]]`);
      if (isReckoned)
        this.reckon(
          fields.map(({ text }) => text),
          `[[ ${word.text} ]]`,
        );
    }
  }

  #arithmetic(expression: ArithmeticExpression | undefined, words = '(( ))'): void {
    if (!expression) return;
    const texts: string[] = [];
    for (const part of reckonedParts(expression)) {
      if (part.type === 'ArithmeticCommandExpansion')
        texts.push(this.#inside((inner) => inner.#substituted(part.script, part.text)) ?? '');
      else if (part.parts) texts.push(...this.#expander.textsOf(part.parts).map(({ text }) => text));
      else texts.push(part.value);
    }
    this.reckon(texts, words);
    for (const name of reckonedNames(expression)) this.scope.count(name);
  }
}

/** The place of an element of an array: `[1]=`. */
const keyed = /^\[[^\]]*\]\+?=/;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
