import { type Field, plainField } from './field';
import type { Io, Reader } from './reader';

const input = /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

/** The names in a list that a program is fed; undefined where only a run can tell them. */
export const namesIn = (stdin: string | undefined): readonly Field[] | undefined =>
  stdin
    ?.split(/[\n\0]/)
    .filter((name) => name !== '')
    .map(plainField);

/**
 * The names in the list that an argument names. Undefined where they stand in a file, or where what arrives is not
 * known: then the list itself is told, and that nobody can tell what it names.
 */
export function listedNames(list: Field, reader: Reader, words: string, io?: Io): readonly Field[] | undefined {
  const isInput = list.isKnown && input.test(list.text);
  const names = isInput ? namesIn(io?.stdin) : undefined;
  if (names) return names;
  if (!isInput) reader.touch('fs.read', list, words);
  reader.unknown('unknown_word', words);
  return undefined;
}
