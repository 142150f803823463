/** What a statement begins with that always writes; any other tells by running on a connection that only reads. */
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

/** True where the first word of a statement, after blanks and comments, is one that writes. */
export function beginsWriting(sql: string): boolean {
  let at = 0;
  for (;;) {
    while (/\s/.test(sql.charAt(at))) at++;
    if (sql.startsWith('--', at)) at = endOf(sql, '\n', at + 2);
    else if (sql.startsWith('/*', at)) at = endOf(sql, '*/', at + 2);
    else return writing.has(/^[a-z]*/i.exec(sql.slice(at, at + 20))?.[0].toLowerCase() ?? '');
  }
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}
