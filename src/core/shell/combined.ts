import type { Field } from './field';

const mostCombinations = 12;

/**
 * The lists of words that a command may be, one for each way to read its words; where there are too many of them, the
 * command's name keeps its ways and each other word stands there in all of its own.
 */
export function combined(words: readonly (readonly (readonly Field[])[])[]): readonly (readonly Field[])[] {
  const count = words.reduce((product, ways) => product * ways.length, 1);
  if (count > mostCombinations) {
    const [names = [], ...args] = words;
    const all = args.flatMap((ways) => ways.flat());
    return names.slice(0, mostCombinations).map((name) => [...name, ...all]);
  }
  let lists: Field[][] = [[]];
  for (const ways of words) {
    const [only = []] = ways;
    if (ways.length === 1) for (const list of lists) list.push(...only);
    else lists = lists.flatMap((list) => ways.map((way) => [...list, ...way]));
  }
  return lists;
}
