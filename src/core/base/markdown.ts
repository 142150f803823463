/** Escapes text so that markdown shows it as it is, in one line. */
export function plainMarkdown(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/[\\`*_{}[\]()#+\-.!|<>~&$@:]/g, (character) => `\\${character}`);
}

/** Puts text between enough backticks that it cannot end the code span by itself. */
export function codeSpan(text: string): string {
  const line = text.replace(/[\r\n]+/g, ' ');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((match) => match[0].length));
  const fence = '`'.repeat(longest + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** A word that is code although nobody marked it: a pattern with a star, a path with a folder. */
const pattern = /^[^\s`]*\*[^\s`]*$/;

/**
 * A sentence as markdown: what stands in backticks, and words that hold a star, become code; everything else is shown
 * as it is. For our own sentences and those of others alike, because nothing in them can leave its code span.
 */
export function proseMarkdown(text: string): string {
  return (
    text
      .replace(/[\r\n]+/g, ' ')
      .split(/(?<!`)`(?!`)([^`]+)`(?!`)/)
      // Every second piece stood between backticks.
      .map((piece, index) =>
        index % 2 === 0 ? proseWords(piece) : codeSpan(piece.trim() === '' ? piece : piece.trim()),
      )
      .join('')
  );
}

/** A longer word is no pattern that anybody wrote; looking at its ends would take long. */
const longestPattern = 500;

function proseWords(text: string): string {
  return text
    .split(/(\s+)/)
    .map((word) => {
      if (!word.includes('*') || word.length > longestPattern) return plainMarkdown(word);
      const [, before = '', core = '', after = ''] = /^(["'([]*)(.*?)(["')\],.;:?!]*)$/.exec(word) ?? [];
      return pattern.test(core) && core.length > 1
        ? `${plainMarkdown(before)}${codeSpan(core)}${plainMarkdown(after)}`
        : plainMarkdown(word);
    })
    .join('');
}
