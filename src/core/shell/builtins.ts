import { type Field, isOpenField, plainField } from './field';
import { byName } from './programRow';
import { type Io, type Reader, wordsOf } from './reader';

/** What a builtin of the shell printed; undefined as a whole where a name is none that is known here. */
interface BuiltinAnswer {
  readonly output: string | undefined;
}

interface BuiltinCall {
  readonly args: readonly Field[];
  /** The arguments that are no options. */
  readonly operands: readonly Field[];
  readonly reader: Reader;
  readonly words: string;
  readonly io: Io;
}

type Builtin = (call: BuiltinCall) => BuiltinAnswer | undefined;

const silent: BuiltinAnswer = { output: '' };

const enter: Builtin = ({ args, operands: [target = plainField('~')], reader: { scope } }) => {
  const isBack = args.some(({ text }) => text === '-') || /^[+-]\d/.test(target.text);
  scope.enter(isBack || !target.isKnown || target.isPattern ? undefined : target.text);
  scope.set('PWD', [target.text], { isOpen: !target.isKnown, adds: true });
  return silent;
};

const source: Builtin = ({ operands: [file], reader, words, io }) => {
  if (file?.text === '/dev/stdin' && io.stdin !== undefined) return { output: reader.runText(io.stdin) };
  if (file) reader.touch('fs.read', file, words);
  reader.unknown(file?.text.startsWith('/dev/') ? 'piped_into_shell' : 'runs_script', words);
  return { output: undefined };
};

const alias: Builtin = ({ operands, reader }) => {
  for (const { text } of operands) {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (key === undefined || value === undefined) continue;
    reader.scope.aliases.set(key, value);
    reader.apart((inner) => inner.runText(value));
  }
  return silent;
};

const set: Builtin = ({ args, operands, reader }) => {
  if (args.some(({ text }) => text === '--') || operands.length > 0)
    reader.scope.setArguments(
      operands.map(({ text }) => text),
      operands.some(isOpenField),
    );
  return silent;
};

const variableNames = (operands: readonly Field[], ifNone: string): readonly string[] => {
  const names = operands.map(({ text }) => text).filter((text) => /^[a-zA-Z_]\w*$/.test(text));
  return names.length > 0 ? names : [ifNone];
};

const filled = (lines: readonly string[]): readonly string[] => lines.filter((line) => line !== '');

const read: Builtin = ({ args, operands, reader: { scope }, io: { stdin } }) => {
  const isArray = args.some(({ text }) => /^-\w*a/.test(text));
  const lines = filled(stdin?.split(isArray ? /\s+/ : '\n') ?? []);
  const values = isArray ? lines : [...lines, ...lines.flatMap((line) => line.split(/\s+/))];
  for (const name of variableNames(operands, 'REPLY'))
    scope.set(name, values, { isOpen: stdin === undefined, isArray });
  return silent;
};

const mapfile: Builtin = ({ operands, reader: { scope }, io: { stdin } }) => {
  const lines = filled(stdin?.split('\n') ?? []);
  for (const name of variableNames(operands, 'MAPFILE'))
    scope.set(name, lines, { isOpen: stdin === undefined, isArray: true });
  // What else it does (a callback for each line) is read as a program's.
  return undefined;
};

const printf: Builtin = ({ args: [option, name, ...format], reader, io }) => {
  if (option?.text !== '-v' || !name) return undefined;
  const output = reader.apart((inner) => inner.runWords([plainField('printf'), ...format], io));
  reader.scope.set(name.text, output === undefined ? [] : [output], { isOpen: output === undefined });
  return silent;
};

const hash: Builtin = ({ args, operands, reader, words }) => {
  // From now on the name means that file.
  if (!args.some(({ text }) => /^-\w*p/.test(text))) return undefined;
  for (const file of operands) reader.touch('fs.read', file, words);
  reader.unknown('runs_script', words);
  return silent;
};

const builtins = byName<Builtin>({
  'cd chdir pushd': enter,
  popd: ({ reader }) => {
    reader.scope.enter(undefined);
    return silent;
  },
  eval: ({ args, reader }) => ({ output: reader.runText(wordsOf(args)) }),
  '. source': source,
  alias,
  set,
  read,
  'mapfile readarray': mapfile,
  printf,
  hash,
  unset: ({ operands, reader }) => {
    for (const { text } of operands) reader.scope.variables.delete(text);
    return silent;
  },
  shift: ({ reader: { scope } }) => {
    const all = scope.variables.get('@');
    if (all) scope.setArguments(all.values.slice(1), all.isOpen);
    return silent;
  },
});

/** Runs the builtins that change what the shell holds, or that run text. */
export function readBuiltin(
  name: string,
  args: readonly Field[],
  reader: Reader,
  words: string,
  io: Io,
): BuiltinAnswer | undefined {
  const operands = args.filter(({ text }) => !/^-[a-zA-Z]+$|^--$/.test(text));
  return builtins.get(name)?.({ args, operands, reader, words, io });
}
