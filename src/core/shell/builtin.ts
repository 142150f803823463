import type { Field } from './field';
import type { Io, Reader } from './reader';
import { fillsTable } from './runningVariables';

/** What a builtin of the shell printed; undefined as a whole where a name is none that is known here. */
export interface BuiltinAnswer {
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

export type Builtin = (call: BuiltinCall) => BuiltinAnswer | undefined;

export const silent: BuiltinAnswer = { output: '' };

/** It prints what is not told here. */
export const talking: BuiltinAnswer = { output: undefined };

const optionWord = /^[-+][a-zA-Z]+$|^--$/;

/** The letters of the options before the first argument that is none, and what stands behind them. */
export function optionsOf(args: readonly Field[]): { readonly letters: string; readonly rest: readonly Field[] } {
  const end = args.findIndex(({ text }) => !optionWord.test(text) || text === '--');
  const options = args.slice(0, end < 0 ? args.length : end);
  const rest = end < 0 ? [] : args.slice(args[end]?.text === '--' ? end + 1 : end);
  const letters = options.map(({ text }) => (text.startsWith('-') ? text.slice(1) : ''));
  return { letters: letters.join(''), rest };
}

/** The name of a variable that an operand is or begins with. */
export const variableName = (text: string): string | undefined => /^[a-zA-Z_]\w*/.exec(text)?.[0];

/** True for a name of which a part may be the place in an array. */
export const mayHavePlace = ({ text, isTainted }: Field): boolean => isTainted === true || /^[a-zA-Z_]\w*\[/.test(text);

/** A name that holds more than that may run what stands in its brackets. */
export function reckonNames(operands: readonly Field[], reader: Reader, words: string): void {
  const placed = operands.filter(({ text }) => /^[a-zA-Z_]\w*\[/.test(text));
  if (placed.length > 0) reader.reckon(placed, words);
  if (placed.some(({ text }) => fillsTable(variableName(text) ?? '', text))) reader.unknown('environment', words);
}
