import type { Field } from './field';

const mostCombinations = 12;

/** The lists of words that a command may be. */
interface Combinations {
  readonly lists: readonly (readonly Field[])[];
  /** False where each word stands there in all of its ways, because there are too many lists. */
  readonly isExact: boolean;
}

/**
 * The lists of words that a command may be, one for each way to read its words; where there are too many of them, the
 * command's name keeps its ways and each other word stands there in all of its own.
 * @param isPlaced true for a command for which it counts which word stands where.
 */
export function combined(words: readonly (readonly (readonly Field[])[])[], isPlaced: boolean): Combinations {
  const count = words.reduce((product, ways) => product * ways.length, 1);
  // The ways of a single word are not multiplied, and are followed where it counts.
  const isSingle = words.filter((ways) => ways.length > 1).length === 1;
  if (count > mostCombinations && !(isSingle && isPlaced)) {
    const [names = [], ...args] = words;
    const all = args.flatMap((ways) => ways.flat());
    return { lists: names.slice(0, mostCombinations).map((name) => [...name, ...all]), isExact: false };
  }
  let lists: Field[][] = [[]];
  for (const ways of words) {
    const [only = []] = ways;
    if (ways.length === 1) for (const list of lists) list.push(...only);
    else lists = lists.flatMap((list) => ways.map((way) => [...list, ...way]));
  }
  return { lists, isExact: true };
}
