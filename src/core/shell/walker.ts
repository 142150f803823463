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
  type Redirection,
  type Statement,
  type TestExpression,
  type Word,
} from 'unbash';
import type { SideEffect } from '../vocabulary/access';
import { mentionsIn, TooManyMentions } from '../places/mentions';
import { readUrl } from '../places/urlReadings';
import { readBuiltin } from './builtins';
import { combined } from './combined';
import { readEnvironment, readProgram } from './commands';
import { Expander } from './expand';
import { type Field, isOpenField, plainField } from './field';
import type { Ledger } from './ledger';
import { type Io, noInput, type Reader, type TouchFacts, wordsOf } from './reader';
import { joined, Scope } from './scope';

const deepest = 12;
const longestPath = 1024;
const mostScanned = 40_000;

/** Files that every process has open, and those that hold nothing. */
const inert =
  /^(?:-|\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty|ptmx|fd\/\d+)|\/proc\/self\/fd\/\d+)$/;

type Node = CommandNode | Pipeline | AndOr | { readonly type: 'CompoundList'; readonly commands: readonly Statement[] };

/** What all parts of one line share. */
interface Shared {
  readonly ledger: Ledger;
  /** The line as it is written, whose places are guessed at as a whole. */
  line: string;
  readonly called: Set<string>;
  /** What reads the bodies of functions that nothing in the line may call. */
  readonly uncalled: Map<string, () => void>;
  /** Words that were guessed at before. */
  readonly guessed: Set<string>;
  scanned: number;
}

/** Walks over a parsed line as a shell would run it, every branch, and tells the ledger what happens. */
export class Walker implements Reader {
  readonly scope: Scope;
  readonly #shared: Shared;
  readonly #depth: number;
  readonly #expander: Expander;

  constructor(
    scope: Scope,
    ledger: Ledger,
    shared: Shared = { ledger, line: '', called: new Set(), uncalled: new Map(), guessed: new Set(), scanned: 0 },
    depth = 0,
  ) {
    this.scope = scope;
    this.#shared = shared;
    this.#depth = depth;
    this.#expander = new Expander(
      scope,
      (script, text) => this.#inside((inner) => inner.#substituted(script, text)),
      (work) => ledger.spend(work),
    );
  }

  // What programs tell.

  touch(effect: SideEffect, field: Field, words: string, facts: TouchFacts = {}): void {
    const { text, isPattern, isKnown } = field;
    if (text === '' || inert.test(text) || text.length > 4096) return;
    const device = /^\/dev\/(?:tcp|udp)\/([^/]+)\/([^/]+)/.exec(text);
    if (device) return this.connect(`${device[1] ?? ''}:${device[2] ?? ''}`, words);
    const url = /^\s*file:/i.test(text) ? readUrl(text) : undefined;
    const path = url?.type === 'file' ? url.path : text;
    const { suspected, ...more } = facts;
    if (!isKnown && suspected === undefined) this.unknown('unknown_word', words);
    for (const [index, folder] of this.scope.folders.entries()) {
      const resource = joined(folder, path);
      if (resource === undefined && suspected === undefined) this.unknown('unknown_folder', words);
      const doubt = index > 0 ? (suspected ?? 'written') : suspected;
      this.#shared.ledger.add(
        {
          effect,
          resource: resource ?? path,
          ...(more.recursive ? { recursive: true } : {}),
          ...(more.permanent ? { permanent: true } : {}),
          ...(isPattern ? { isPattern: true as const } : {}),
          ...(doubt === undefined ? {} : { suspected: doubt }),
        },
        words,
      );
    }
  }

  contact(text: string, words: string, method = 'GET'): void {
    const written = text.trim();
    const reading = readUrl(written);
    if (reading.type === 'file') return this.touch('fs.read', plainField(reading.path), words);
    const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(written);
    if (reading.type === 'unreadable') this.unknown('unknown_word', words);
    const isUrl = hasScheme || reading.type === 'url';
    this.#shared.ledger.add({ effect: 'network.http', resource: isUrl ? written : `http://${written}`, method }, words);
  }

  connect(host: string, words: string): void {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(host)) return this.contact(host, words);
    const plain = host.replace(/^[^@]*@/, '');
    this.#shared.ledger.add({ effect: 'network.socket', resource: plain }, words);
  }

  unknown(...args: Parameters<Reader['unknown']>): void {
    this.#shared.ledger.unknown(...args);
  }

  /** Reads a whole line as it was given. */
  read(line: string): void {
    this.scan(line, line);
    this.#shared.line = line;
    this.#script(parse(line), line);
    this.#readUncalled();
  }

  scan(text: string, words: string): void {
    this.#shared.scanned += text.length;
    if (!this.#shared.ledger.spend(text.length / 20)) return;
    if (this.#shared.scanned > mostScanned) return this.unknown('too_long', '');
    try {
      for (const mention of mentionsIn(text, 'command')) {
        if (mention.type === 'path') this.#guess(mention.text, words);
        else
          this.#shared.ledger.add(
            { effect: 'network.http', resource: mention.text, suspected: mention.certainty },
            words,
          );
      }
    } catch (error) {
      if (!(error instanceof TooManyMentions)) throw error;
      this.unknown('too_long', '');
    }
  }

  #guess(text: string, words: string): void {
    const field = plainField(text);
    this.touch('fs.read', field, words, { suspected: 'guessed' });
    this.touch('fs.write', field, words, { suspected: 'guessed' });
  }

  runText(text: string, own?: { readonly args: readonly Field[] }): string | undefined {
    if (this.#depth >= deepest) return this.#tooDeep(text);
    this.scan(text, text);
    const inner = new Walker(this.scope, this.#shared.ledger, this.#shared, this.#depth + 1);
    if (own)
      this.scope.setArguments(
        own.args.map((one) => one.text),
        own.args.some(isOpenField),
      );
    return inner.#script(parse(text), text);
  }

  runWords(fields: readonly Field[], io: Io): string | undefined {
    if (this.#depth >= deepest) return this.#tooDeep(wordsOf(fields));
    return new Walker(this.scope, this.#shared.ledger, this.#shared, this.#depth + 1).#dispatch(fields, io);
  }

  apart<T>(work: (inner: Reader) => T): T {
    return this.#inside(work);
  }

  #inside<T>(work: (inner: Walker) => T): T {
    return work(new Walker(new Scope(this.scope), this.#shared.ledger, this.#shared, this.#depth + 1));
  }

  #tooDeep(text: string): undefined {
    this.unknown('too_deep', text);
  }

  // What stands in the line.

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
        const fed = this.#redirects(node.redirects, '', io);
        const printed = this.#node(node.command, fed.io);
        return fed.isAway ? undefined : printed;
      }
      case 'If':
        this.#node(node.clause, io);
        this.#doubtful(() => {
          this.#node(node.then, io);
          for (const { clause, then } of node.elif) {
            this.#node(clause, io);
            this.#node(then, io);
          }
          if (node.else) this.#node(node.else, io);
        });
        return undefined;
      case 'For':
      case 'Select': {
        const fields = node.wordlist?.flatMap((word) => this.#expander.fields(word)) ?? [];
        for (const field of fields) this.#net(field, field.text);
        const isOpen = !node.wordlist || fields.some(isOpenField);
        this.scope.set(
          node.name.value,
          fields.map(({ text }) => text),
          { isOpen },
        );
        this.#loop(() => this.#node(node.body, io));
        return undefined;
      }
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
        for (const field of this.#expander.texts(node.word)) this.#net(field, field.text);
        this.#doubtful(() => {
          for (const item of node.items) {
            for (const pattern of item.pattern) this.#expander.texts(pattern);
            this.#node(item.body, io);
          }
        });
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
      if (!this.#shared.ledger.spend(before.length / 500)) return;
      work();
      if (JSON.stringify([...this.scope.variables.values()]) !== before) work();
    });
  }

  #define(node: ShellFunction): void {
    const name = node.name.value;
    this.scope.functions.set(name, node.body);
    this.#shared.uncalled.set(`${name} ${node.pos}`, () => {
      if (this.#shared.called.has(name)) return;
      this.#inside((inner) => {
        inner.scope.functions.delete(name);
        if (inner.#depth > deepest) inner.#tooDeep(name);
        else inner.#node(node.body, noInput);
      });
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
    if (!this.#shared.ledger.step()) return undefined;
    const assignments = command.prefix.filter((one) => one.type === 'Assignment');
    const values = assignments.map((one) => this.#assigned(one));
    const text = [command.name?.text ?? '', ...command.args.map((one) => one.text)].join(' ');
    const fed = this.#redirects(command.redirects, text, io);
    for (const [index, { name, append }] of assignments.entries()) {
      const { fields, isArray } = values[index] ?? { fields: [], isArray: false };
      this.#assign(name, fields, { isArray, appends: append === true, isPassing: command.name !== undefined });
    }
    if (!command.name) return this.#dispatched(fed, '');
    // A program that has its own arguments by name: `export A=b`.
    const args = command.args.map((arg): readonly (readonly Field[])[] => {
      if (arg.type === 'Word') return this.#expander.ways(arg);
      const { fields, isArray } = this.#assigned(arg);
      this.#assign(arg.name, fields, { isArray, appends: arg.append === true, isPassing: false });
      return fields.map((field) => [{ ...field, text: `${arg.name}=${field.text}` }]);
    });
    const names = combined([this.#expander.ways(command.name), ...args]);
    let output: string | undefined;
    for (const way of names) output = this.#dispatch(way, fed.io);
    return this.#dispatched(fed, names.length === 1 ? output : undefined);
  }

  #dispatched({ isAway }: { readonly isAway: boolean }, output: string | undefined): string | undefined {
    return isAway ? '' : output;
  }

  #assigned(assignment: Assignment): { readonly fields: readonly Field[]; readonly isArray: boolean } {
    const { value, index } = assignment;
    if (index) this.#expander.texts(index);
    if (value.type === 'ArrayValue')
      return { fields: value.elements.flatMap((word) => this.#expander.fields(word)), isArray: true };
    return { fields: this.#expander.texts(value), isArray: index !== undefined };
  }

  #assign(
    name: string,
    fields: readonly Field[],
    { isArray, appends, isPassing }: { isArray: boolean; appends: boolean; isPassing: boolean },
  ): void {
    for (const field of fields) {
      this.#net(field, `${name}=${field.text}`);
      readEnvironment(name, field, this);
    }
    const before = this.scope.variables.get(name);
    const texts = fields.map(({ text }) => text);
    const isOpen = fields.some((field) => !field.isKnown || (isArray && field.isPattern));
    if (isArray) this.scope.set(name, [...(appends ? (before?.values ?? []) : []), ...texts], { isArray, isOpen });
    else if (appends && before) {
      // Every value that it may have grows.
      if (!this.#shared.ledger.spend(before.values.reduce((sum, value) => sum + value.length + 20, 0) / 30)) return;
      const all = before.values.flatMap((value) => texts.map((text) => value + text));
      this.scope.set(
        name,
        all.filter((one) => one.length <= 4096),
        { isOpen: isOpen || before.isOpen, adds: isPassing },
      );
    } else this.scope.set(name, texts, { isOpen, adds: isPassing });
  }

  #redirects(redirects: readonly Redirection[], words: string, io: Io): { readonly io: Io; readonly isAway: boolean } {
    let input = io;
    let isAway = false;
    for (const one of redirects) {
      if (one.type === 'HereDoc') {
        const parts = one.delimiter?.quoted ? undefined : one.body.parts;
        const [text, ...others] = parts ? this.#expander.textsOf(parts) : [plainField(one.body.text)];
        input = text?.isKnown && others.length === 0 ? { isFed: true, stdin: text.text } : { isFed: true };
      } else if (one.type === 'HereString') {
        const [text, ...others] = one.target ? this.#expander.texts(one.target) : [];
        if (text) this.#net(text, words);
        input = text?.isKnown && others.length === 0 ? { isFed: true, stdin: `${text.text}\n` } : { isFed: true };
      } else if (one.target) {
        const copies = /^[<>]&$/.test(one.operator) && /^(?:\d+-?|-)$/.test(one.target.text);
        if (copies) continue;
        const isInput = one.operator === '<' || one.operator === '<&';
        for (const field of this.#fileOf(one.target)) {
          if (isInput || one.operator === '<>') this.touch('fs.read', field, `${words} ${one.operator} ${field.text}`);
          if (!isInput) this.touch('fs.write', field, `${words} ${one.operator} ${field.text}`);
        }
        if (isInput) input = { isFed: true };
        else if (
          one.descriptor === undefined ||
          (one.descriptor.type === 'FileDescriptor' && one.descriptor.value === 1)
        )
          isAway = true;
      }
    }
    return { io: input, isAway };
  }

  #fileOf(word: Word): readonly Field[] {
    // bash expands wildcards behind `<` too, where they stand for one file.
    const whole = this.#expander.texts(word);
    const split = this.#expander.fields(word);
    return [...whole, ...split.filter(({ text, isPattern }) => isPattern || whole.every((one) => one.text !== text))];
  }

  /** Every word is a guess at a file, so that none slips by for what a table does not say. */
  #net({ text, isPattern, isKnown }: Field, words: string): void {
    if (text === '' || text.length > longestPath) {
      if (text !== '') this.scan(text, words);
      return;
    }
    if (!this.#shared.ledger.spend(text.length / 100)) return;
    const key = `${isPattern} ${text} ${this.scope.folders.join('\0')}`;
    if (this.#shared.guessed.has(key)) return;
    this.#shared.guessed.add(key);
    const parts = new Set([text, ...text.split(/[=:,@]/), ...(/^-[a-zA-Z]./.test(text) ? [text.slice(2)] : [])]);
    for (const part of parts) {
      if (part === '' || part.startsWith('-')) continue;
      const field: Field = { text: part, isPattern, isKnown };
      this.touch('fs.read', field, words, { suspected: 'guessed' });
      this.touch('fs.write', field, words, { suspected: 'guessed' });
    }
    if (/[:.\s]/.test(text) && !this.#shared.line.includes(text)) this.scan(text, words);
  }

  #dispatch(fields: readonly Field[], io: Io): string | undefined {
    const [name, ...args] = fields;
    if (!name) return '';
    if (!this.#shared.ledger.step()) return undefined;
    const words = wordsOf(fields);
    for (const field of fields) this.#net(field, words);
    const alias = this.scope.aliases.get(name.text);
    if (alias !== undefined && this.#depth < deepest) {
      this.scope.aliases.delete(name.text);
      this.runText(`${alias} ${args.map(({ text }) => quoted(text)).join(' ')}`);
      this.scope.aliases.set(name.text, alias);
    }
    const body = this.scope.functions.get(name.text);
    if (body && name.isKnown) {
      if (this.#depth >= deepest) return this.#tooDeep(words);
      this.#shared.called.add(name.text);
      const inner = new Walker(this.scope, this.#shared.ledger, this.#shared, this.#depth + 1);
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
    switch (expression.type) {
      case 'TestUnary':
        return this.#testWords([expression.operand]);
      case 'TestBinary':
        return this.#testWords([expression.left, expression.right]);
      case 'TestLogical':
        for (const one of expression.operands) this.#deeper(() => this.#test(one));
        return;
      case 'TestNot':
        return void this.#deeper(() => this.#test(expression.operand));
      case 'TestGroup':
        return void this.#deeper(() => this.#test(expression.expression));
    }
  }

  #testWords(words: readonly Word[]): void {
    for (const word of words) for (const field of this.#expander.texts(word)) this.#net(field, `[[ ${field.text} ]]`);
  }

  #arithmetic(expression: ArithmeticExpression | undefined): void {
    if (!expression) return;
    this.#deeper(() => {
      switch (expression.type) {
        case 'ArithmeticBinary':
          this.#arithmetic(expression.left);
          return this.#arithmetic(expression.right);
        case 'ArithmeticUnary':
          return this.#arithmetic(expression.operand);
        case 'ArithmeticTernary':
          this.#arithmetic(expression.test);
          this.#arithmetic(expression.consequent);
          return this.#arithmetic(expression.alternate);
        case 'ArithmeticGroup':
          return this.#arithmetic(expression.expression);
        case 'ArithmeticCommandExpansion':
          this.#inside((inner) => inner.#substituted(expression.script, expression.text));
          return;
        case 'ArithmeticWord':
          if (expression.parts) this.#expander.textsOf(expression.parts);
      }
    });
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
