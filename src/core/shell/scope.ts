import type { Function as ShellFunction } from 'unbash';
import type { Field } from './field';
import type { ShellContext } from './shellReading';
import { type Mark, StateMap } from './stateMap';
import { eitherVariable, type Openness, type Variable, variableOf } from './variable';

const mostFolders = 8;
const mostArguments = 200;
const longestFolder = 300;

/** Variables that the shell sets by itself. */
const own =
  /^(?:_|RANDOM|SRANDOM|SECONDS|LINENO|OLDPWD|DIRSTACK|BASH\w*|EPOCH\w+|OPTARG|OPTIND|FUNCNAME|PIPESTATUS|HIST\w*|COMP_\w+|READLINE_\w+|E?UID|PPID|GROUPS|match|mbegin|mend|MATCH|reply|pipestatus|status|argv)$/;

/** Those of them that hold words of the line, or of what it reads. */
const ownTexts =
  /^(?:_|BASH_(?:REMATCH|COMMAND|ARGV0?|SOURCE|EXECUTION_STRING)|OPTARG|FUNCNAME|HIST\w*|COMP_\w+|READLINE_\w+|match|MATCH|reply|argv)$/;

/** What is not known and may be text of others. */
const anyText = variableOf([], { isOpen: true });

/** The key of what the variables hold whose names are not told; no name is like it. */
const untold = 'untold names';

/** What `IFS` is where nobody sets it. */
const usualSeparators = variableOf([' \t\n']);

/** What a name of a function may stand for. */
export interface ShellFunctions {
  readonly bodies: readonly ShellFunction['body'][];
  /** False where there may be no such function. */
  readonly isSure: boolean;
  /** True where it is there in the shells that this one starts. */
  readonly isExported: boolean;
}

/** What a variable of a function is outside of it. */
interface Outside {
  readonly variable: Variable | undefined;
  readonly attributes: string | undefined;
}

/** A place in what a scope has gone through. */
export interface ScopeMark {
  readonly variables: Mark;
  readonly functions: Mark;
  readonly aliases: Mark;
  readonly attributes: Mark;
  readonly folders: Scope['folders'];
}

/** What became of a scope on one of several ways. */
export type ScopeChanges = Pick<Scope, 'folders'> & {
  readonly [Part in 'variables' | 'functions' | 'aliases' | 'attributes']: ReturnType<Scope[Part]['rewind']>;
};

const parts = ['variables', 'functions', 'aliases', 'attributes'] as const;

/** What a shell holds while it runs a line: variables, functions, aliases, the working folder. */
export class Scope {
  readonly variables: StateMap<Variable>;
  readonly functions: StateMap<ShellFunctions>;
  readonly aliases: StateMap<readonly string[]>;
  /**
   * Letters by name: `x` is exported, `r` may be read-only, `i` may be a number, `u` may change the text that it is
   * assigned, `A` may take it apart by keys.
   */
  readonly attributes: StateMap<string>;
  /** The folders that it may be in, relative to the first one, the likeliest first; undefined where nobody can tell. */
  folders: readonly (string | undefined)[];
  /** The folders behind a change of folder that has just worked, for what only runs then. */
  arrived: readonly (string | undefined)[] | undefined;
  /** True once it may be in a folder that nobody can tell, and in which git may find another repository than before. */
  isElsewhere = false;
  /** True once it went into another folder. */
  hasMoved = false;
  /** How often what stands next was left out: `return`, `break`, `exit`. */
  jumps = 0;
  /** In a function: what its own variables were outside of it, by their names. */
  locals: Map<string, Outside> | undefined;
  /** True where a wildcard may stand for more than is usual. */
  hasWidePatterns: boolean;
  /** False in a shell that is none of bash and zsh. */
  isBash: boolean;
  /** False in a shell that is known to be another one. */
  mayBeZsh: boolean;
  /** Values that stand as they are written, since only a run can tell them, and whether they may be text of others. */
  readonly #written: Map<string, boolean>;
  /** What is read line by line, where a line was read before. */
  readonly drained: WeakSet<object>;
  readonly #home: string;

  constructor(context: ShellContext | Scope) {
    if (context instanceof Scope) {
      this.variables = new StateMap(context.variables);
      this.functions = new StateMap(context.functions);
      this.aliases = new StateMap(context.aliases);
      this.attributes = new StateMap(context.attributes);
      this.folders = context.folders;
      this.isElsewhere = context.isElsewhere;
      this.hasMoved = context.hasMoved;
      // What is done to them here ends with this scope.
      this.locals = context.locals && new Map(context.locals);
      this.hasWidePatterns = context.hasWidePatterns;
      this.isBash = context.isBash;
      this.mayBeZsh = context.mayBeZsh;
      this.#written = context.#written;
      this.drained = context.drained;
      this.#home = context.#home;
      return;
    }
    this.variables = new StateMap(eitherVariable);
    this.functions = new StateMap(eitherFunctions);
    this.aliases = new StateMap((one, other) => [...new Set([...(one ?? []), ...(other ?? [])])].slice(0, 8));
    this.attributes = new StateMap(eitherAttributes);
    this.folders = [''];
    this.hasWidePatterns = false;
    this.isBash = true;
    this.mayBeZsh = context.mayBeZsh ?? true;
    this.#written = new Map();
    this.drained = new WeakSet();
    this.#home = context.cwd ?? '.';
    for (const [name, value] of [['HOME', '~'], ['PWD', this.#home], ...(context.variables ?? [])] as const) {
      this.variables.set(name, variableOf([value]));
      this.attributes.set(name, 'x');
    }
    this.variables.set('IFS', usualSeparators);
  }

  set(name: string, values: readonly string[], how: Openness & { readonly adds?: boolean } = {}): void {
    const { isArray = false, isOpen = false, isTainted = isOpen, adds = false } = how;
    const attributes = this.attributes.get(name) ?? '';
    if (name === 'GLOBIGNORE') this.hasWidePatterns = true;
    const next = variableOf(values, {
      isArray,
      isOpen: isOpen || own.test(name) || /[iuA]/.test(attributes),
      isTainted: isTainted || attributes.includes('u'),
    });
    const known = this.variables.get(name);
    this.variables.set(name, (adds || attributes.includes('r')) && known ? eitherVariable(known, next) : next);
  }

  /** Remembers which of these values are not known. */
  write(fields: readonly Field[]): void {
    for (const { text, isKnown, isTainted = false } of fields)
      if (!isKnown) this.#written.set(text, isTainted || this.#written.get(text) === true);
  }

  /** Whether a value may be text of others; undefined for one that is known. */
  written(value: string): boolean | undefined {
    return this.#written.get(value);
  }

  /** What a name holds; undefined for what only the environment may have set. */
  variable(name: string): Variable | undefined {
    const own = this.variables.get(name) ?? (ownTexts.test(name) ? anyText : undefined);
    const others = this.variables.get(untold);
    if (!others || !/^[a-zA-Z_$]/.test(name)) return own;
    // Of so many not all are kept.
    let isTainted = others.isTainted || own?.isTainted === true;
    let isMeant = others.isTainted;
    const values = [...(own?.values ?? [])];
    for (const one of others.values) {
      const [, pattern = '', sign, value = ''] = /^([\w$]+)([=~])?([^]*)$/.exec(one) ?? [];
      if (pattern === '' || !mayMean(pattern, name)) continue;
      isMeant = true;
      if (sign === '=') values.push(value);
      isTainted ||= sign === '~' || (sign === '=' && this.#written.get(value) === true);
    }
    return isMeant ? { values, isArray: own?.isArray === true, isOpen: true, isTainted } : own;
  }

  /** What each variable holds that a name may mean, in which `$` stands for a part that is not told. */
  named(name: string): readonly Variable[] {
    const own = [this.variable(name) ?? []].flat();
    if (!name.includes('$')) return own;
    const fits = new RegExp(`^${name.replace(/\$+/g, '\\w*')}$`);
    return [...own, ...[...this.variables.entries()].flatMap(([one, variable]) => (fits.test(one) ? [variable] : []))];
  }

  /** One of the variables that a name may mean gets one of these values, or any, where there are none. */
  setUntold(name: string, fields: readonly Field[] | undefined, isTainted: boolean): void {
    this.write(fields ?? []);
    const values = fields?.map(({ text }) => `${name}=${text}`) ?? [isTainted ? `${name}~` : name];
    const known = this.variables.get(untold);
    const how = { isOpen: true, isTainted: known?.isTainted === true };
    this.variables.set(untold, variableOf([...(known?.values ?? []), ...values], how));
  }

  /** The signs at which words are taken apart, in all that they may be. */
  separators(): Variable {
    return this.variable('IFS') ?? usualSeparators;
  }

  /** Gives a name attributes beside those that it has. */
  give(name: string, letters: string): void {
    this.attributes.set(name, [...new Set(`${this.attributes.get(name) ?? ''}${letters}`)].sort().join(''));
  }

  /** A variable gets a value that is not told here: a number, where it is not tainted. */
  count(name: string, isTainted = false): void {
    const known = this.variables.get(name);
    this.set(name, known?.values ?? [], {
      isArray: known?.isArray ?? false,
      isOpen: true,
      isTainted: isTainted || known?.isTainted === true,
    });
  }

  /**
   * Goes into a folder. The one before stays possible, since there may be no such folder.
   * @param isSame true where git works there on a repository that it worked on before.
   */
  enter(folder: string | undefined, isSame = false): void {
    this.arrived = foldersOf(folder === undefined ? [undefined] : this.folders.map((from) => joined(from, folder)));
    this.hasMoved = true;
    if (!isSame && this.arrived.includes(undefined)) this.isElsewhere = true;
    this.folders = foldersOf([...this.arrived, ...this.folders]);
    const places = this.folders.map((one) => (one === undefined ? undefined : joined(this.#home, one)));
    const known = places.filter((one) => one !== undefined);
    // Without a folder to begin with, `.` names each of them.
    if (this.#home !== '.') this.set('PWD', known, { isOpen: known.length < places.length, isTainted: false });
  }

  /** The elements of an array that stand for what a function or a script was called with. */
  setArguments(all: readonly string[], more: Openness): void {
    const values = all.slice(0, mostArguments);
    const isCut = values.length < all.length;
    const isOpen = more.isOpen === true || isCut;
    const how = { isArray: true, isOpen, isTainted: more.isTainted === true || isCut };
    this.set('@', values, how);
    this.set('*', values, how);
    this.set('#', [String(values.length)], { isOpen, isTainted: false });
  }

  /** Leaves what another program is not given: what is not exported may be set there by the environment alone. */
  leave({ isCleared = false } = {}): void {
    for (const [name, variable] of [...this.variables.entries()])
      if (isCleared || variable.isArray || this.attributes.get(name)?.includes('x') !== true)
        this.variables.set(name, /^[@*#]$/.test(name) ? undefined : eitherVariable(variable, undefined));
    this.variables.set('IFS', usualSeparators);
    for (const [name, one] of [...this.functions.entries()])
      if (!one.isExported || isCleared) this.functions.set(name, undefined);
    for (const [name, letters] of [...this.attributes.entries()])
      this.attributes.set(name, letters.includes('x') && !isCleared ? 'x' : undefined);
    this.locals = undefined;
  }

  now(): ScopeMark {
    const { variables, functions, aliases, attributes, folders } = this;
    return {
      variables: variables.mark(),
      functions: functions.mark(),
      aliases: aliases.mark(),
      attributes: attributes.mark(),
      folders,
    };
  }

  hasChanged(mark: ScopeMark): boolean {
    return this.folders !== mark.folders || parts.some((part) => this[part].mark() > mark[part]);
  }

  /** Makes all that was since then possible now. */
  weaken(mark: ScopeMark): void {
    this.folders = foldersOf([...this.folders, ...mark.folders]);
    for (const part of parts) this[part].weaken(mark[part]);
  }

  /** Puts all back to what it was then; answers what had become of it. */
  rewind(mark: ScopeMark): ScopeChanges {
    const { folders } = this;
    this.folders = mark.folders;
    return {
      folders,
      variables: this.variables.rewind(mark.variables),
      functions: this.functions.rewind(mark.functions),
      aliases: this.aliases.rewind(mark.aliases),
      attributes: this.attributes.rewind(mark.attributes),
    };
  }

  /** Adds what may have become of it on another way since then. */
  merge(changes: ScopeChanges, mark: ScopeMark): void {
    this.folders = foldersOf([...this.folders, ...changes.folders]);
    this.variables.merge(changes.variables, mark.variables);
    this.functions.merge(changes.functions, mark.functions);
    this.aliases.merge(changes.aliases, mark.aliases);
    this.attributes.merge(changes.attributes, mark.attributes);
  }
}

/** True where two names may mean the same variable; `$` stands in each for what is not told of it. */
function mayMean(one: string, other: string): boolean {
  const [begin = '', ...rest] = one.split('$');
  const [otherBegin = '', ...others] = other.split('$');
  if (others.length > 0) return begin.startsWith(otherBegin) || otherBegin.startsWith(begin);
  return rest.length === 0 ? one === other : other.startsWith(begin) && other.endsWith(rest.at(-1) ?? '');
}

function eitherFunctions(one?: ShellFunctions, other?: ShellFunctions): ShellFunctions | undefined {
  if (!one && !other) return undefined;
  return {
    bodies: [...new Set([...(one?.bodies ?? []), ...(other?.bodies ?? [])])],
    isSure: one?.isSure === true && other?.isSure === true,
    isExported: one?.isExported === true || other?.isExported === true,
  };
}

/** What is exported is so on both ways; the other letters say what may be. */
const eitherAttributes = (one = '', other = ''): string =>
  [...new Set(one + other)].filter((letter) => letter !== 'x' || (one.includes('x') && other.includes('x'))).join('');

/** As many folders as are followed: the first one always, and none that is known where others were left out. */
function foldersOf(all: readonly (string | undefined)[]): readonly (string | undefined)[] {
  const folders = [...new Set(all)];
  if (folders.length <= mostFolders) return folders;
  return [...new Set([...folders.slice(0, mostFolders - 2), ...(folders.includes('') ? [''] : []), undefined])];
}

/** A path as seen from the first folder; undefined where the folder that it is relative to is not known. */
export function joined(folder: string | undefined, path: string): string | undefined {
  if (/^(?:[/~\\]|[a-z]:[\\/])/i.test(path)) return path;
  if (folder === undefined || folder.length > longestFolder) return undefined;
  const plain = path.replace(/^(?:\.\/+)+(?=.)/, '');
  if (folder === '' || folder === '.') return plain;
  return plain === '.' ? folder : `${folder.replace(/(?<!\/)\/+$/, '')}/${plain}`;
}
