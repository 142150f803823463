import type { AndOr, Pipeline, Statement, Word } from 'unbash';
import { fill, fillOpenly, fillUntold } from './environment';
import type { Expander } from './expand';
import { expressionText } from './expressions';
import { opennessOf, plainField } from './field';
import type { LineFunctions } from './functions';
import { type Io, noInput, type Reader } from './reader';
import { readArithmetic, readTest } from './reckoning';
import { readRedirections } from './redirections';
import type { ScopeChanges, ScopeMark } from './scope';
import type { ShellNode } from './shellNode';
import type { SimpleCommands } from './simpleCommands';
import type { Ways } from './ways';

const deepest = 100;

type NodeOf<Type extends ShellNode['type']> = Extract<ShellNode, { readonly type: Type }>;

/** The shell that runs the statements. */
interface StatementShell {
  readonly reader: Reader;
  readonly expander: Expander;
  readonly ways: Ways;
  readonly commands: SimpleCommands;
  readonly functions: LineFunctions;
  /** True where as many shells run in one another as are looked into. */
  readonly isDeepest: boolean;
  /** Walks on in a shell of its own that begins as a copy of this one. */
  inside<T>(work: (inner: Statements) => T): T;
}

/** Walks over the statements that one shell runs, each on every branch; answers what they print where that is known. */
export class Statements {
  readonly #shell: StatementShell;
  readonly #ways: Ways;
  #nesting = 0;

  constructor(shell: StatementShell) {
    this.#shell = shell;
    this.#ways = shell.ways;
  }

  list(statements: readonly Statement[], io: Io): string | undefined {
    let output: string | undefined = '';
    for (const { command, background } of statements) {
      const printed = background ? this.#shell.inside((inner) => inner.node(command, io)) : this.node(command, io);
      output = output === undefined || printed === undefined ? undefined : output + printed;
    }
    return output;
  }

  node(node: ShellNode, io: Io): string | undefined {
    const { commands, expander, functions, reader } = this.#shell;
    switch (node.type) {
      case 'Command':
        return commands.read(node, io);
      case 'Pipeline':
        return this.#pipeline(node, io);
      case 'AndOr':
        return this.#andOr(node, io);
      case 'CompoundList':
        return this.#deeper(() => this.list(node.commands, io));
      case 'Subshell':
        return this.#below('(', (inner) => inner.list(node.body.commands, io));
      case 'BraceGroup':
        return this.#deeper(() => this.list(node.body.commands, io));
      case 'Redirected': {
        const fed = readRedirections(node.redirects, '', io, reader, expander);
        const printed = this.node(node.command, fed.io);
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
          this.node(node.clause, io);
          this.node(node.body, io);
        });
        return undefined;
      case 'ArithmeticFor':
        if (node.initialize) readArithmetic(expressionText(node.initialize), this.#shell);
        this.#round(() => {
          for (const one of [node.test, node.update]) if (one) readArithmetic(expressionText(one), this.#shell);
          this.node(node.body, io);
        });
        return undefined;
      case 'Case':
        this.#case(node, io);
        return undefined;
      case 'Function':
        functions.define(node, reader.scope, () =>
          this.#below(node.name.value, (inner) => inner.node(node.body, noInput)),
        );
        return '';
      case 'Coproc':
        this.#coproc(node.name);
        this.#shell.inside((inner) => inner.node(node.body, io));
        return undefined;
      case 'TestCommand':
        readTest(node.expression, this.#shell);
        return '';
      case 'ArithmeticCommand':
        readArithmetic(node.body, this.#shell);
        return '';
    }
  }

  /** It gets an array of descriptors. */
  #coproc(name: Word | undefined): void {
    const { expander, reader } = this.#shell;
    const names = name ? expander.texts(name) : [plainField('COPROC')];
    fillUntold(names, reader, `coproc ${name?.text ?? ''}`);
    for (const { text } of names) fill(text, [], reader, { isArray: true, isOpen: true });
  }

  #if(node: NodeOf<'If'>, io: Io): void {
    const { scope } = this.#shell.reader;
    const ways: { readonly mark: ScopeMark; readonly changes: ScopeChanges }[] = [];
    this.#deeper(() => {
      for (const { clause, then } of [node, ...node.elif]) {
        this.node(clause, io);
        const mark = scope.now();
        this.node(then, io);
        ways.push({ mark, changes: scope.rewind(mark) });
      }
      if (node.else) this.node(node.else, io);
    });
    for (const { mark, changes } of ways.toReversed()) this.#ways.merge(changes, mark);
  }

  #for(node: NodeOf<'For' | 'Select'>, io: Io): void {
    const { expander, reader } = this.#shell;
    const fields = node.wordlist?.flatMap((word) => expander.fields(word)) ?? [];
    for (const field of fields) reader.suspect(field, field.text);
    reader.scope.write(fields);
    const given = node.wordlist ? undefined : reader.scope.variables.get('@');
    const values = given?.values ?? fields.map(({ text }) => text);
    const told = given ?? opennessOf(fields);
    const isOpen = told.isOpen || node.type === 'Select' || (!node.wordlist && !given);
    if (node.type === 'Select') fillOpenly('REPLY', reader, true);
    this.#round(() => {
      if (values.length > 0 || isOpen) fill(node.name.value, values, reader, { isOpen, isTainted: told.isTainted });
      this.node(node.body, io);
    });
  }

  #case(node: NodeOf<'Case'>, io: Io): void {
    const { expander, reader } = this.#shell;
    for (const field of expander.texts(node.word)) reader.suspect(field, field.text);
    for (const { pattern } of node.items) for (const one of pattern) expander.texts(one);
    const bodies = node.items.map(
      ({ body }) =>
        () =>
          void this.node(body, io),
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

  #deeper<T>(work: () => T | undefined): T | undefined {
    if (++this.#nesting > deepest) {
      this.#nesting--;
      return void this.#shell.reader.unknown('too_deep', '{');
    }
    try {
      return work();
    } finally {
      this.#nesting--;
    }
  }

  /** Walks on in a shell of its own; `text` stands for what is too deep for that. */
  #below<T>(text: string, work: (inner: Statements) => T): T | undefined {
    if (this.#shell.isDeepest) return void this.#shell.reader.unknown('too_deep', text);
    return this.#shell.inside(work);
  }

  #pipeline({ commands }: Pipeline, io: Io): string | undefined {
    const shown: Pick<Io, 'isPiped'> = io.isPiped ? { isPiped: true } : {};
    let input = io;
    let printed: string | undefined;
    for (const [index, command] of commands.entries()) {
      const isLast = index === commands.length - 1;
      const from: Io = isLast ? { ...input, ...shown } : { ...input, isPiped: true };
      if (commands.length === 1) printed = this.node(command, from);
      // In some shells the last one is read by the shell itself.
      else if (isLast) this.#ways.doubtful(() => void (printed = this.node(command, from)));
      else printed = this.#shell.inside((inner) => inner.node(command, from));
      if (!isLast) input = printed === undefined ? { isFed: true } : { isFed: true, stdin: printed };
    }
    return printed;
  }

  /** Behind `&&` runs only what may follow, behind `||` only what may be needed. */
  #andOr({ commands, operators }: AndOr, io: Io): string | undefined {
    const { scope } = this.#shell.reader;
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
        output = added(output, this.node(command, io));
        this.#ways.merge(done, since);
        since = scope.now();
      } else if (index > 0) output = added(output, this.node(command, io));
      else {
        output = this.node(command, io);
        since = scope.now();
      }
    }
    const { arrived } = scope;
    this.#ways.weaken({ ...since, folders: [...seen, ...since.folders] });
    scope.arrived = operators.includes('||') ? undefined : arrived;
    return output;
  }
}

/** What is printed where the second may not run. */
const added = (output: string | undefined, printed: string | undefined): string | undefined =>
  printed === '' ? output : undefined;
