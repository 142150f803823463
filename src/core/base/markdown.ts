import { trimmedEnd } from './text';
import { visible } from './visible';

// All of these write out what cannot be seen, so that nobody has to think of it; what was made visible before stays so.

const inOneLine = (text: string): string => visible(text).replace(/[\r\n]+/g, ' ');

/** Escapes text so that markdown shows it as it is, in one line, where a line begins and within a table's cell too. */
export function plainMarkdown(text: string): string {
  return (
    inOneLine(text)
      // Four blanks or a tab at a line's start make a block of code, in which escapes are shown.
      .replace(/^\s+/, ' ')
      .replace(/[\\`*_{}[\]()#+\-.!|<>~&$@:]|(?<=^ ?)=/g, (character) => `\\${character}`)
  );
}

/** A name in bold. Blanks at its ends would leave the stars as they are. */
export function boldMarkdown(text: string): string {
  const name = plainMarkdown(inOneLine(text).trim());
  return name === '' ? '' : `**${name}**`;
}

/** Puts text between enough backticks that it cannot end the code span by itself. Not for a table: see `codeCell`. */
export function codeSpan(text: string): string {
  // There is no code span of nothing: two backticks would be shown.
  const line = text === '' ? ' ' : inOneLine(text);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Text as code in a table's cell. One with a bar is shown without a span: the bar would end the cell within it too. */
export function codeCell(text: string): string {
  return text.includes('|') ? plainMarkdown(text) : codeSpan(text);
}

/** A table of cells that are markdown, with an empty line behind it; nothing where it has no rows. */
export function tableMarkdown(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  return [...[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`), ''];
}

/**
 * A sentence as markdown: what stands in backticks, and words that hold a star, become code; everything else is shown
 * as it is. For our own sentences and those of others alike, because nothing in them can leave its code span.
 * @param code how code is written: `codeCell` within a table.
 */
export function proseMarkdown(text: string, code = codeSpan): string {
  return (
    inOneLine(text)
      .split(/(?<!`)`(?!`)([^`]+)`(?!`)/)
      // Every second piece stood between backticks.
      .map((piece, index) =>
        index % 2 === 0 ? proseWords(piece, code) : code(piece.trim() === '' ? piece : piece.trim()),
      )
      .join('')
  );
}

/** Words outside of backticks; one with a star is code although nobody marked it. */
function proseWords(text: string, code: (text: string) => string): string {
  return text
    .split(/(\s+)/)
    .map((word) => {
      if (!word.includes('*') || word.includes('`')) return plainMarkdown(word);
      const [before] = /^["'([]*/.exec(word) ?? [''];
      const core = trimmedEnd(word.slice(before.length), '"\')],.;:?!');
      const after = word.slice(before.length + core.length);
      return core.length > 1 ? `${plainMarkdown(before)}${code(core)}${plainMarkdown(after)}` : plainMarkdown(word);
    })
    .join('');
}
