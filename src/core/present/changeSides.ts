import { broken, mostInEditor } from './approvalRows';
import { visible } from '../base/visible';

/** A text before and after a change. */
interface ChangeSides {
  readonly before: string;
  readonly after: string;
}

interface SidesOptions {
  /** The unified diff of the two. */
  readonly diff: string;
  /** True where the editor takes lines for equal that differ in the blanks at their ends alone. */
  readonly ignoresBlanks: boolean;
}

/**
 * The two sides of a change for an editor that compares them, so that everything that differs is seen: invisible
 * characters are written out, line ends too where they are not all alike, blanks at the ends of lines where they alone
 * change, and a line that the editor would not draw to its end is broken.
 */
export function shownSides({ before, after }: ChangeSides, { diff, ignoresBlanks }: SidesOptions): ChangeSides {
  const ends = !haveLikeLineEnds(before, after);
  const blanks = ignoresBlanks ? changedInBlanks(diff) : new Set<string>();
  const shown = (text: string): string =>
    visible(ends ? text.replaceAll('\r', '⟨U+000D⟩') : text)
      .split('\n')
      .flatMap((line) => broken(blanks.has(line.trim()) ? withBlanks(line) : line, mostInEditor))
      .join('\n');
  return { before: shown(before), after: shown(after) };
}

function haveLikeLineEnds(...texts: readonly string[]): boolean {
  const [has, lacks] = [texts.some((text) => text.includes('\r')), texts.some((text) => /(?:^|[^\r])\n/.test(text))];
  return !has || (!lacks && texts.every((text) => !/\r(?!\n)/.test(text)));
}

/** What the lines say whose blanks at the ends are changed and nothing else. */
function changedInBlanks(diff: string): ReadonlySet<string> {
  const lines = diff.split('\n').slice(2);
  const said = (sign: string): ReadonlySet<string> =>
    new Set(lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1).trim()));
  const removed = said('-');
  return new Set([...said('+')].filter((text) => removed.has(text)));
}

function withBlanks(line: string): string {
  const drawn = (blanks: string): string => blanks.replaceAll('\t', '→').replaceAll(' ', '·');
  return line.replace(/^[ \t]+/, drawn).replace(/[ \t]+(?=\r?$)/, drawn);
}
