import { wordSet } from '../base/wordSet';
import {
  type Builtin,
  type BuiltinAnswer,
  mayHavePlace,
  optionsOf,
  reckonNames,
  silent,
  talking,
  variableName,
} from './builtin';
import { declaration, unset } from './declarations';
import { anyName, fill, fillOpenly, fillUntold } from './environment';
import { assignedIn } from './expressions';
import { type Field, isOpenField, isTaintedField, opennessOf, plainField } from './field';
import { mapfile, read } from './lineReading';
import { readMode } from './modes';
import { byName } from './programRow';
import { type Io, type Reader, wordsOf } from './reader';

const enter: Builtin = ({ args, operands: [target = plainField('~'), second], reader: { scope } }) => {
  const isBack = args.some(({ text }) => text === '-') || /^[+-]\d/.test(target.text);
  // `cd one other` puts the one in the place of the other in some shells.
  const isKnown = !isBack && !second && target.isKnown && !target.isPattern;
  // Git was asked here for the top folder of its work, and works there on the same; back goes to where this line was.
  const isTop = target.told === '$' && target.text === '$(git rev-parse --show-toplevel)';
  const wasHere = args[0]?.text === '-' && scope.hasMoved && scope.variables.get('OLDPWD') === undefined;
  scope.enter(isKnown ? target.text : undefined, (isTop && !second) || wasHere);
  return isBack ? talking : silent;
};

/** `pushd`: it prints the folders that wait. */
const push: Builtin = (call) => {
  if (call.args.some(({ text }) => /^-\w*n/.test(text))) return talking;
  if (call.operands.length > 0) enter(call);
  else call.reader.scope.enter(undefined);
  return talking;
};

const source: Builtin = ({ operands: [file], reader, words, io }) => {
  if (file?.text === '/dev/stdin' && io.stdin !== undefined) return { output: reader.runText(io.stdin) };
  if (file) reader.touch('fs.read', file, words);
  reader.unknown(file?.text.startsWith('/dev/') ? 'piped_into_shell' : 'runs_script', words);
  return talking;
};

const alias: Builtin = ({ operands, reader, words }) => {
  for (const field of operands) {
    const { text } = field;
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (isTaintedField(field) || (key === undefined && !field.isKnown)) reader.unknown('runs_code', words);
    if (key === undefined || value === undefined) continue;
    reader.scope.aliases.set(key, [value]);
    reader.inside((inner) => inner.runText(value));
  }
  return operands.length > 0 ? silent : talking;
};

/** `set -A name …`: the rest are its elements. */
function setArray([target, ...elements]: readonly Field[], reader: Reader, words: string): BuiltinAnswer {
  const answer = target ? fillAll([target], reader, words, elements) : talking;
  const name = target && variableName(target.text);
  const values = elements.map(({ text }) => text);
  if (name !== undefined) fill(name, values, reader, { ...opennessOf(elements), isArray: true });
  return answer;
}

const set: Builtin = ({ args, reader, words }) => {
  let at = 0;
  let isEnded = false;
  for (; at < args.length && !isEnded; at++) {
    const text = args[at]?.text ?? '';
    if (text === '-' || text === '--') isEnded = true;
    else if (!/^[-+]\w+$/.test(text)) break;
    else if (/^-.*P/.test(text)) reader.unknown('unknown_folder', words);
    // From now on each argument with a sign in it is a variable for its command.
    else if (/^-.*k/.test(text)) reader.unknown('environment', words);
    // In zsh the next argument names an array.
    else if (/A/.test(text)) return setArray(args.slice(at + 1), reader, words);
    // The name of the mode stands in the next argument.
    if (/^[-+]\w*o/.test(text)) {
      const mode = args[++at];
      if (mode) readMode(mode, reader, words);
    }
  }
  const rest = args.slice(at);
  const open = args.some(({ isKnown }) => !isKnown);
  if (rest.length > 0 || args[at - 1]?.text === '--' || open)
    reader.scope.setArguments(
      rest.map(({ text }) => text),
      { isOpen: open || rest.some(isOpenField), isTainted: args.some(isTaintedField) },
    );
  return args.length > 0 ? silent : talking;
};

const shift: Builtin = ({ args, reader, words }) => {
  const [count] = args;
  const { scope } = reader;
  reader.reckon(args, words);
  const all = scope.variables.get('@');
  const by = count === undefined ? 1 : /^\d{1,4}$/.test(count.text) && count.isKnown ? Number(count.text) : undefined;
  if (all && by === undefined) scope.setArguments(all.values, { ...all, isOpen: true });
  // Where there are too few, none is taken away.
  else if (all && by !== undefined && (by <= all.values.length || all.isOpen))
    scope.setArguments(all.values.slice(by), all);
  return silent;
};

/** What `printf` takes for a number, with which some shells reckon. */
function numbersIn(format: string, args: readonly Field[]): readonly Field[] {
  const places = [...format.matchAll(/%(?:%|([-+ #0']*)(\*|\d*)(?:\.(\*|\d*))?[hlLjzt]*([a-zA-Z]))/g)].flatMap(
    ([, , width, precision, letter = '']) => [
      ...[width, precision].flatMap((one) => (one === '*' ? [true] : [])),
      ...(letter === '' ? [] : [/[diouxXeEfFgGaA]/.test(letter)]),
    ],
  );
  return args.filter((_, index) => places[index % places.length]);
}

const printf: Builtin = ({ args, reader, words, io }) => {
  const [option, name, ...format] = args;
  if (!option?.text.startsWith('-v')) {
    const [first, ...given] = args.filter(({ text }) => text !== '--');
    reader.reckon(numbersIn(first?.text ?? '', given), words);
    return undefined;
  }
  const [target, ...rest] =
    option.text === '-v'
      ? [name, ...format]
      : [{ ...option, text: option.text.slice(2) }, ...(name ? [name] : []), ...format];
  if (!target) return silent;
  const output = reader.inside((inner) => inner.runWords([plainField('printf'), ...rest], io));
  fillUntold([target], reader, words, output === undefined ? 'text' : [plainField(output)]);
  const key = variableName(target.text);
  if (key === undefined) return silent;
  reckonNames([target], reader, words);
  if (key === target.text) fill(key, output === undefined ? [] : [output], reader, { isOpen: output === undefined });
  else fillOpenly(key, reader, true);
  return silent;
};

const hash: Builtin = ({ args, operands, reader, words }) => {
  // From now on the name means that file, or that folder.
  // In zsh `name=file` does so too.
  if (!args.some(({ text }) => /^-\w*[pd]|=/.test(text))) return undefined;
  for (const file of operands) reader.touch('fs.read', file, words);
  reader.unknown('runs_script', words);
  return silent;
};

/** `let`: each argument is a calculation. */
const calculate: Builtin = ({ args, reader, words }) => {
  reader.reckon(
    args.map((arg) => (isTaintedField(arg) ? { ...arg, isTainted: true } : arg)),
    words,
  );
  const isTold = args.every(({ text, isKnown }) => isKnown || assignedIn(text).length > 0);
  if (!isTold) fillUntold([anyName], reader, words);
  return silent;
};

/** `[`: what stands there as the index of an array is reckoned with, and may run something. */
const test: Builtin = ({ args, reader, words }) => {
  if (args.some(({ text, told = text }) => /\[.*[$`]/s.test(told))) reader.unknown('runs_code', words);
  const behind = (option: RegExp): readonly Field[] =>
    args.filter((_, index) => option.test(args[index - 1]?.text ?? ''));
  reader.reckon([...behind(/^-t$/), ...behind(/^-[vR]$/).filter(mayHavePlace)], words);
  return undefined;
};

/** `compgen`: it runs what its words hold, or a command. */
const complete: Builtin = ({ args, reader, words }) => {
  for (const [index, { text }] of args.entries()) {
    const value = args[index + 1];
    if (!/^-\w*[CFW]$/.test(text) || !value) continue;
    reader.unknown('runs_code', words);
    if (text.endsWith('W')) reader.expandAgain(value.text, words);
    else reader.inside((inner) => inner.runText(value.text));
  }
  return talking;
};

/** Some builtins give variables a value that is not told here. */
const fillAll = (names: readonly Field[], reader: Reader, words: string, values?: readonly Field[]): BuiltinAnswer => {
  reckonNames(names, reader, words);
  fillUntold(names, reader, words, values ?? 'number');
  for (const name of names.flatMap(({ text }) => variableName(text) ?? [])) fillOpenly(name, reader);
  return silent;
};

/** `getopts`: it gives a name the letter of the next option, and `OPTARG` what belongs to it. */
const options: Builtin = ({ args, reader, words }) => {
  const [, name, ...given] = args.filter(({ text }) => text !== '--');
  const own = given.length > 0 ? undefined : reader.scope.variables.get('@');
  const texts = own?.values ?? given.map(({ text }) => text);
  // It is a word by itself, or stands behind the letters of others.
  const values = texts.flatMap((text) => Array.from({ length: Math.min(text.length, 8) }, (_, at) => text.slice(at)));
  fill('OPTARG', values, reader, { ...(own ?? opennessOf(given)), isArray: false, isOpen: true });
  return fillAll(name ? [name] : [], reader, words);
};

/** `wait`: with `-p` it tells of what it waited for. */
const wait: Builtin = ({ args, reader, words }) => {
  const named = args.flatMap((arg, index) => {
    const [, attached] = /^-[fn]*p(.*)$/s.exec(arg.text) ?? [];
    return attached === '' ? (args[index + 1] ?? []) : attached === undefined ? [] : { ...arg, text: attached };
  });
  return fillAll(named, reader, words);
};

/** `return` and its like: some shells reckon with the number. */
const leave: Builtin = ({ args, reader, words }) => {
  reader.reckon(args, words);
  reader.scope.jumps++;
  return talking;
};

/** `trap`: its text runs at the end, or at any time. */
const trap: Builtin = ({ args, reader, words }) => {
  const { letters, rest } = optionsOf(args);
  const [action, ...signals] = rest;
  if (/[pl]/.test(letters) || !action || signals.length === 0) return talking;
  if (/^-?$/.test(action.text)) return silent;
  if (!action.isKnown) reader.unknown('unknown_word', words);
  const mark = reader.scope.now();
  reader.runText(action.text);
  const isHarmless = signals.every(({ text }) => /^(?:0|EXIT)$/i.test(text));
  if (!isHarmless && reader.scope.hasChanged(mark)) reader.unknown('runs_code', words);
  reader.scope.rewind(mark);
  reader.atEnd(action.text);
  return silent;
};

const builtins = byName<Builtin>({
  'cd chdir': enter,
  pushd: push,
  popd: ({ reader }) => {
    reader.scope.enter(undefined);
    return talking;
  },
  eval: ({ args, reader, words }) => {
    // What others wrote is read as a line once more.
    if (args.some(isTaintedField)) reader.unknown('runs_code', words);
    return { output: reader.runText(wordsOf(args[0]?.text === '--' ? args.slice(1) : args)) };
  },
  '. source': source,
  alias,
  set,
  shopt: ({ operands, reader, words }) => {
    for (const mode of operands) readMode(mode, reader, words);
    return talking;
  },
  read,
  'mapfile readarray': mapfile,
  printf,
  hash,
  unset,
  shift,
  trap,
  let: calculate,
  'test [': test,
  'compgen complete': complete,
  getopts: options,
  wait,
  'return break continue exit logout': leave,
  declare: declaration('declare'),
  typeset: declaration('typeset'),
  local: declaration('local'),
  integer: declaration('integer'),
  export: declaration('export'),
  readonly: declaration('readonly'),
});

/** Those that change what the shell holds by each of their arguments. */
const placed = wordSet('set shift read declare typeset local export readonly cd pushd printf mapfile readarray eval');

/** True for a builtin for which it counts which argument stands where. */
export const countsPlaces = (name: string): boolean => placed.has(name);

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
