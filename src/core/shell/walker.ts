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
} from 'unbash';
import { assign, type AssignedValue } from './assignment';
import { readBuiltin } from './builtins';
import { combined } from './combined';
import { readProgram } from './commands';
import { Expander } from './expand';
import { reckonedParts, testedWords } from './expressions';
import { type Field, isOpenField } from './field';
import type { Ledger } from './ledger';
import { type Io, noInput, type Reader, wordsOf } from './reader';
import { readRedirections } from './redirections';
import { Scope } from './scope';
import { type Seen, Sightings } from './sightings';

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
}

const nothingShared = (): Shared => ({
  line: '',
  called: new Set(),
  uncalled: new Map(),
  reading: new Set(),
  guessed: new Set(),
  scanned: 0,
});

/** Walks over a parsed line as a shell would run it, every branch, and tells the ledger what happens. */
export class Walker extends Sightings implements Reader {
  readonly #shared: Shared;
  readonly #depth: number;
  readonly #expander: Expander;

  constructor(scope: Scope, ledger: Ledger, shared = nothingShared(), depth = 0) {
    super(scope, ledger, shared);
    this.#shared = shared;
    this.#depth = depth;
    this.#expander = new Expander(
      scope,
      (script, text) => this.#inside((inner) => inner.#substituted(script, text)),
      (work) => ledger.spend(work),
    );
  }

  /** Reads a whole line as it was given. */
  read(line: string): void {
    this.scan(line, line);
    this.#shared.line = line;
    this.#script(parse(line), line);
    this.#readUncalled();
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

  runWords(fields: readonly Field[], io: Io): string | undefined {
    if (this.#depth >= deepest) return this.#tooDeep(wordsOf(fields));
    return this.#below().#dispatch(fields, io);
  }

  apart<T>(work: (inner: Reader) => T): T {
    return this.#inside(work);
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
    for (const { command } of statements) {
      const printed = this.#node(command, io);
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
        return fed.isAway ? undefined : printed;
      }
      case 'If':
        this.#if(node, io);
        return undefined;
      case 'For':
      case 'Select':
        this.#for(node, io);
        return undefined;
      case 'While':
        this.#loop(() => {
          this.#node(node.clause, io);
          this.#node(node.body, io);
        });
        return undefined;
      case 'ArithmeticFor':
        for (const one of [node.initialize, node.test, node.update]) this.#arithmetic(one);
        this.#loop(() => this.#node(node.body, io));
        return undefined;
      case 'Case':
        this.#case(node, io);
        return undefined;
      case 'Function':
        this.#define(node);
        return '';
      case 'Coproc':
        this.#inside((inner) => inner.#node(node.body, io));
        return undefined;
      case 'TestCommand':
        this.#test(node.expression);
        return '';
      case 'ArithmeticCommand':
        this.#arithmetic(node.expression);
        return '';
    }
  }

  #if(node: NodeOf<'If'>, io: Io): void {
    this.#node(node.clause, io);
    this.#doubtful(() => {
      this.#node(node.then, io);
      for (const { clause, then } of node.elif) {
        this.#node(clause, io);
        this.#node(then, io);
      }
      if (node.else) this.#node(node.else, io);
    });
  }

  #for(node: NodeOf<'For' | 'Select'>, io: Io): void {
    const fields = node.wordlist?.flatMap((word) => this.#expander.fields(word)) ?? [];
    for (const field of fields) this.suspect(field, field.text);
    const isOpen = !node.wordlist || fields.some(isOpenField);
    this.scope.set(
      node.name.value,
      fields.map(({ text }) => text),
      { isOpen },
    );
    this.#loop(() => this.#node(node.body, io));
  }

  #case(node: NodeOf<'Case'>, io: Io): void {
    for (const field of this.#expander.texts(node.word)) this.suspect(field, field.text);
    this.#doubtful(() => {
      for (const item of node.items) {
        for (const pattern of item.pattern) this.#expander.texts(pattern);
        this.#node(item.body, io);
      }
    });
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

  #doubtful(work: () => void): void {
    const before = this.scope.folders;
    this.scope.doubt++;
    this.#deeper(work);
    this.scope.doubt--;
    this.scope.folders = [...new Set([...this.scope.folders, ...before])].slice(0, 4);
  }

  /** What is set at the end of a round counts at the beginning of the next. */
  #loop(work: () => void): void {
    this.#doubtful(() => {
      const before = JSON.stringify([...this.scope.variables.values()]);
      if (!this.ledger.spend(before.length / 500)) return;
      work();
      if (JSON.stringify([...this.scope.variables.values()]) !== before) work();
    });
  }

  #define(node: ShellFunction): void {
    const name = node.name.value;
    this.scope.functions.set(name, node.body);
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
      printed = commands.length === 1 ? this.#node(command, from) : this.#inside((inner) => inner.#node(command, from));
      if (index < commands.length - 1)
        input = printed === undefined ? { isFed: true } : { isFed: true, stdin: printed };
    }
    return printed;
  }

  #andOr({ commands, operators }: AndOr, io: Io): string | undefined {
    let output: string | undefined = '';
    const before = this.scope.folders;
    for (const [index, command] of commands.entries()) {
      const operator = operators[index - 1];
      // Behind `&&` a change of folder has worked.
      if (operator === '&&') this.scope.folders = this.scope.folders.slice(0, 1);
      if (operator === '||') this.scope.doubt++;
      const printed = this.#node(command, io);
      if (operator === '||') this.scope.doubt--;
      output = output === undefined || printed === undefined || operator === '||' ? undefined : output + printed;
    }
    if (commands.length > 1) this.scope.folders = [...new Set([...this.scope.folders, ...before])].slice(0, 4);
    return output;
  }

  #command(command: Command, io: Io): string | undefined {
    if (!this.ledger.step()) return undefined;
    const values = command.prefix.filter((one) => one.type === 'Assignment').map((one) => this.#assigned(one));
    const text = [command.name?.text ?? '', ...command.args.map((one) => one.text)].join(' ');
    const fed = readRedirections(command.redirects, text, io, this, this.#expander);
    for (const value of values) assign(value, this, { isPassing: command.name !== undefined });
    if (!command.name) return '';
    // A program that has its own arguments by name: `export A=b`.
    const args = command.args.map((arg): readonly (readonly Field[])[] => {
      if (arg.type === 'Word') return this.#expander.ways(arg);
      const value = this.#assigned(arg);
      assign(value, this, { isPassing: false });
      return value.fields.map((field) => [{ ...field, text: `${arg.name}=${field.text}` }]);
    });
    const names = combined([this.#expander.ways(command.name), ...args]);
    let output: string | undefined;
    for (const way of names) output = this.#dispatch(way, fed.io);
    if (fed.isAway) return '';
    return names.length === 1 ? output : undefined;
  }

  #assigned(assignment: Assignment): AssignedValue {
    const { name, value, index } = assignment;
    const appends = assignment.append === true;
    if (index) this.#expander.texts(index);
    if (value.type === 'ArrayValue') {
      const fields = value.elements.flatMap((word) => this.#expander.fields(word));
      return { name, fields, isArray: true, appends };
    }
    return { name, fields: this.#expander.texts(value), isArray: index !== undefined, appends };
  }

  #dispatch(fields: readonly Field[], io: Io): string | undefined {
    const [name, ...args] = fields;
    if (!name) return '';
    if (!this.ledger.step()) return undefined;
    const words = wordsOf(fields);
    for (const field of fields) this.suspect(field, words);
    const alias = this.scope.aliases.get(name.text);
    if (alias !== undefined && this.#depth < deepest) {
      this.scope.aliases.delete(name.text);
      this.runText(`${alias} ${args.map(({ text }) => quoted(text)).join(' ')}`);
      this.scope.aliases.set(name.text, alias);
    }
    const body = this.#shared.reading.has(name.text) ? undefined : this.scope.functions.get(name.text);
    if (body && name.isKnown) {
      if (this.#depth >= deepest) return this.#tooDeep(words);
      this.#shared.called.add(name.text);
      const inner = this.#below();
      this.scope.setArguments(
        args.map(({ text }) => text),
        args.some(isOpenField),
      );
      return inner.#node(body, io);
    }
    const builtin = name.isKnown ? readBuiltin(name.text, args, this, words, io) : undefined;
    return builtin ? builtin.output : readProgram(fields, this, io);
  }

  #test(expression: TestExpression): void {
    for (const word of testedWords(expression))
      for (const field of this.#expander.texts(word)) this.suspect(field, `[[ ${field.text} ]]`);
  }

  #arithmetic(expression: ArithmeticExpression | undefined): void {
    for (const part of expression ? reckonedParts(expression) : []) {
      if (part.type === 'ArithmeticCommandExpansion')
        this.#inside((inner) => inner.#substituted(part.script, part.text));
      else if (part.parts) this.#expander.textsOf(part.parts);
    }
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
