import { assignedIn } from './expressions';
import { type Field, isOpenField, plainField } from './field';
import type { Reader } from './reader';
import {
  areMere,
  fillsTable,
  holdsCommand,
  isRunning,
  makesRun,
  mayBeSmall,
  roleOfVariable,
  someNumber,
} from './runningVariables';
import type { Openness } from './variable';

/** Tells of a variable that a program gets, where it makes that program run something, or names a host or a file. */
export function readEnvironment(name: string, value: Field, reader: Reader): void {
  readRole(name, value, reader);
  if (!makesRun(name, value, reader.scope.mayBeZsh)) return;
  reader.unknown('environment', `${name}=${value.text}`);
  if (holdsCommand(name)) reader.apart((inner) => inner.runText(value.text.replace(/^\|/, '')));
  else if (name.endsWith('ENV')) reader.touch('fs.read', value, `${name}=${value.text}`);
}

/** Tells of what programs take from a variable as they would from an argument. */
function readRole(name: string, value: Field, reader: Reader): void {
  const role = value.text === '' ? undefined : roleOfVariable(name);
  if (role === undefined) return;
  const words = `${name}=${value.text}`;
  if (isOpenField(value)) return reader.unknown('environment', words);
  if (role === 'host') reader.connect(value.text, words);
  else if (role === 'write') reader.touch('fs.write', value, words);
  else if (!areMere(value.text)) reader.unknown('environment', words);
}

/** Gives a variable what a builtin or a loop puts in, and tells of it as an assignment would. */
export function fill(name: string, values: readonly string[], reader: Reader, how: Openness = {}): void {
  for (const value of values.length > 0 ? values : ['']) readEnvironment(name, plainField(value), reader);
  if (how.isOpen === true) tellOpen(name, reader);
  if (how.isArray && fillsTable(name, undefined, values)) reader.unknown('environment', `${name}=`);
  const { isTainted = how.isOpen === true } = how;
  reckonInteger(name, [...values.map(plainField), ...(isTainted ? [anyText] : [])], reader);
  reader.scope.set(name, values, how);
}

/** Tells of what runs where a variable is a number, since the shell reckons with whatever it is given. */
export function reckonInteger(name: string, fields: readonly Field[], reader: Reader): void {
  if (reader.scope.attributes.get(name)?.includes('i') || ownIntegers.test(name))
    reader.reckon(fields, `${name}=${fields.map(({ text }) => text).join(' ')}`);
}

/** A builtin gives a variable a value that is not told here: a number, or a text. */
export function fillOpenly(name: string, reader: Reader, isText = false): void {
  tellOpen(name, reader);
  if (isText) reckonInteger(name, [anyText], reader);
  reader.scope.count(name, isText);
}

/** A variable gets a number that is not told here: a descriptor, or what is reckoned. */
export function fillNumber(name: string, reader: Reader): void {
  readEnvironment(name, plainField(someNumber), reader);
  reader.scope.count(name);
}

/** The variables that get a number where a shell reckons with a text. */
export function fillReckoned(text: string, reader: Reader, words: string): void {
  for (const name of assignedIn(text))
    if (name.includes('$')) fillUntold([{ ...anyName, text: name }], reader, words, 'number');
    else fillNumber(name, reader);
}

/** Takes a variable away, which is for programs as if it were empty. */
export const empty = (name: string, reader: Reader): void => readEnvironment(name, plainField(''), reader);

/** A name of which nothing is told. */
export const anyName: Field = { text: '$', isPattern: false, isKnown: false };
/** A text that others may have written. */
export const anyText: Field = { ...anyName, isTainted: true };

/** Variables that are numbers by themselves, in bash or in zsh. */
const ownIntegers =
  /^(?:S?RANDOM|OPTIND|HIST(?:CMD|SIZE)|SAVEHIST|SECONDS|E?[UG]ID|COLUMNS|LINES|LISTMAX|SHLVL|MAILCHECK|FUNCNEST|KEYTIMEOUT|ERRNO|TRY_BLOCK_\w+)$/;

/**
 * Where not all words name a variable that is told here, whoever gets them may fill one that makes programs run.
 * @param gets its values, or what they are; where one stands behind the name, that counts.
 */
export function fillUntold(
  names: readonly Field[],
  reader: Reader,
  words: string,
  gets: readonly Field[] | 'number' | 'text' = 'text',
): void {
  const { mayBeZsh } = reader.scope;
  const untold = names.filter((name) => !namesOne(name, mayBeZsh));
  for (const name of untold) {
    const { isTainted, maySplit, told = name.text } = name;
    const [, begin = '', sign, value = ''] = /^([\w$]*)(?:\[[^=]*\])?(\+?=)?([^]*)$/.exec(told) ?? [];
    const given = { text: value, isPattern: false, isKnown: !value.includes('$'), ...(isTainted ? { isTainted } : {}) };
    const isOne = !name.isPattern && !(isTainted && maySplit);
    const isText = !isOne || sign === '+=' || (isTainted && !sign);
    const got = isText ? 'text' : sign ? [given] : gets;
    reader.scope.setUntold(isOne ? begin : '$', typeof got === 'string' ? undefined : got, got === 'text');
  }
  if (untold.some((name) => name.maySplit || mayBeRunning(name, mayBeZsh))) reader.unknown('environment', words);
}

/** What begins with a small letter is no name that programs know, but for `npm_config`; zsh knows some words. */
function mayBeRunning({ text, isTainted }: Field, mayBeZsh: boolean): boolean {
  const [begin = ''] = /^\w*/.exec(text) ?? [];
  if (mayBeZsh && isTainted && mayBeSmall(begin)) return true;
  return !/^[a-z]/.test(begin) || 'npm_config'.startsWith(begin) || begin.startsWith('npm_config');
}

/**
 * True for a name that stands there, though its value or the place in it may not: `a=$x`, `a[$i]`. Without quotes the
 * place is a pattern for names on the disk, and text of others may be several words.
 */
function namesOne(field: Field, mayBeZsh: boolean): boolean {
  const { isKnown, isPattern, maySplit, isTainted, told: text = field.text } = field;
  if (isKnown && !isPattern) return true;
  if (maySplit && isTainted) return false;
  const [, name, place] = /^([a-zA-Z_]\w*)(\[|\+?=)/.exec(text) ?? [];
  if (name === undefined) return false;
  const [, letters, rest = ''] = /^\[([\w$]*)\](\w*)$/.exec(text.slice(name.length)) ?? [];
  if (!isPattern || place !== '[') return true;
  return letters !== undefined && ![...letters].some((letter) => isRunning(name + letter + rest, mayBeZsh));
}

function tellOpen(name: string, reader: Reader): void {
  if (isRunning(name, reader.scope.mayBeZsh) || roleOfVariable(name)) reader.unknown('environment', `${name}=`);
}
