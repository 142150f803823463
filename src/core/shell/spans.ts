/** Where a word stands in its line. */
export interface Span {
  readonly pos: number;
  readonly end: number;
}

/** The line with spaces in the place of some of its words, which may stand in one another. */
export function without(line: string, words: Iterable<Span>): string {
  let rest = '';
  let at = 0;
  for (const { pos, end } of [...words].sort((one, other) => one.pos - other.pos)) {
    if (end <= at) continue;
    rest += line.slice(at, pos) + ' '.repeat(end - Math.max(at, pos));
    at = end;
  }
  return rest + line.slice(at);
}
