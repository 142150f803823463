/** What a statement begins with that always writes. */
const writing: ReadonlySet<string> = new Set([
  'insert',
  'update',
  'delete',
  'replace',
  'create',
  'drop',
  'alter',
  'truncate',
  'merge',
]);

/** Strings, quoted names and comments, whose words are none of the statement. */
const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\$(\w*)\$[\s\S]*?\$\1\$/g;
const comments = /--[^\n]*|\/\*[\s\S]*?\*\//g;

/** What writes behind `WITH`, in its brackets or after them. `INTO` is reserved: nothing that only reads has it. */
const writesWithin = /\binto\b|[()]\s*(?:delete\s+from\b|update\s+["\w])/i;

/**
 * True where the words of a statement tell that it writes: the first after blanks and comments, one behind `WITH`, or
 * that of a statement which `EXPLAIN ANALYZE` runs. What else writes tells by running on a connection that only reads.
 */
export function saysThatItWrites(sql: string): boolean {
  // What is quoted goes first, so that a mark of a comment within it is none.
  const plain = sql
    .replace(new RegExp(`${comments.source}|${quoted.source}`, 'g'), (text) =>
      /^(?:--|\/\*)/.test(text) ? ' ' : '"q"',
    )
    .trimStart();
  const word = /^[a-z]*/i.exec(plain)?.[0].toLowerCase() ?? '';
  if (word === 'with' || word === 'select') return writesWithin.test(plain);
  if (word !== 'explain') return writing.has(word);
  const [options = '', bare] = /^explain\s*(?:\([^()]*\)|((?:\s*\b(?:analyze|verbose)\b)*))/i.exec(plain) ?? [];
  return /\banalyze\b/i.test(bare ?? options) && saysThatItWrites(plain.slice(options.length));
}
