import { wordSet } from '../../core/base/wordSet';

/** What a statement begins with that always writes. */
const writing = wordSet('insert update delete replace create drop alter truncate merge');

/** What begins a comment, a string, a quoted name, or a text between tags such as `$body$`. */
const marks = /--|\/\*|['"`]|\$\w*\$/g;

/**
 * The words of a statement alone: a blank for each comment, `"q"` for all that is quoted. What is never closed counts
 * as words. The time grows with the text alone.
 */
function plainWords(sql: string): string {
  const unclosed = new Set<string>();
  let plain = '';
  let from = 0;
  for (const { 0: mark, index } of sql.matchAll(marks)) {
    // It stands within what came before.
    if (index < from) continue;
    const isComment = mark === '--' || mark === '/*';
    const kind = mark.charAt(0);
    if (!isComment && unclosed.has(kind)) continue;
    const ending = mark === '--' ? '\n' : mark === '/*' ? '*/' : mark;
    const end = sql.indexOf(ending, index + mark.length);
    plain += sql.slice(from, index);
    from = index;
    if (end < 0 && isComment) return plain;
    if (end < 0) unclosed.add(kind);
    else {
      plain += isComment ? ' ' : '"q"';
      from = end + ending.length;
    }
  }
  return plain + sql.slice(from);
}

/** What writes behind `WITH`, in its brackets or after them. `INTO` is reserved: nothing that only reads has it. */
const writesWithin = /\binto\b|[()]\s*(?:delete\s+from\b|update\s+["\w])/i;

/** What `EXPLAIN` is told before its statement. */
const explaining = /^explain\s*(?:\([^()]*\)|((?:\s*\b(?:analyze|verbose)\b)*))\s*/i;

/**
 * True where the words of a statement tell that it writes: the first after blanks and comments, one behind `WITH`, or
 * that of a statement which `EXPLAIN ANALYZE` runs. What else writes tells by running on a connection that only reads.
 */
export function saysThatItWrites(sql: string): boolean {
  const plain = plainWords(sql).trimStart();
  const [options, bare] = explaining.exec(plain) ?? [];
  if (options === undefined) return beginsWriting(plain);
  return /\banalyze\b/i.test(bare ?? options) && beginsWriting(plain.slice(options.length));
}

function beginsWriting(plain: string): boolean {
  const word = /^[a-z]*/i.exec(plain)?.[0].toLowerCase() ?? '';
  return word === 'with' || word === 'select' ? writesWithin.test(plain) : writing.has(word);
}
