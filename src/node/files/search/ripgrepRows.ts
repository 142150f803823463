/** A matching line as ripgrep tells it. */
export interface MatchRow {
  /** From 1. */
  readonly line: number;
  /** Where the first match starts in the line, in bytes from 0. */
  readonly column: number;
  /** Where the line starts in the file, in bytes; a byte order mark is not counted. */
  readonly offset: number;
  /** The start of the line, at least as much of it as `comparedBytes`. */
  readonly start: Buffer;
}

/** The matching lines of one file. */
export interface FileRows {
  /** Relative to where ripgrep runs. */
  readonly path: string;
  readonly rows: readonly MatchRow[];
}

/** So much of each line is handed over, to be compared with what the file holds when it is opened again. */
export const comparedBytes = 100;

/**
 * What makes ripgrep write `path NUL line:column:offset:start of the line`. A name may hold anything but NUL, and of a
 * line only its start comes: lines of a whole megabyte are common in generated files, and cost more to write and read
 * than all the rest of a search.
 */
export const rowArguments: readonly string[] = [
  ...['--with-filename', '--null', '--no-heading', '--line-number', '--column', '--byte-offset', '--color', 'never'],
  ...['--max-columns', String(comparedBytes), '--max-columns-preview'],
];

/**
 * What ripgrep adds, without a NUL, after the matches of a file in which it meets one: whether it is binary is found
 * out by whoever opens it.
 */
const binaryWarning =
  /^[^]*: WARNING: stopped searching binary file after match \(found "\\0" byte around offset \d+\)\r?\n/;

/** Reads such output as it arrives and puts the rows of each file together. */
export class RowReader {
  #pieces: Buffer[] = [];
  #file: { readonly path: string; readonly rows: MatchRow[] } | undefined;

  /** Takes a piece of the output and answers the files that are complete. */
  take(data: Buffer): FileRows[] {
    const end = data.lastIndexOf(10) + 1;
    if (end === 0) {
      this.#pieces.push(data);
      return [];
    }
    const all =
      this.#pieces.length > 0 ? Buffer.concat([...this.#pieces, data.subarray(0, end)]) : data.subarray(0, end);
    this.#pieces = end < data.length ? [data.subarray(end)] : [];
    const files: FileRows[] = [];
    let at = 0;
    while (at < all.length) {
      const nul = all.indexOf(0, at);
      if (nul < 0) break;
      const lineEnd = all.indexOf(10, nul);
      if (lineEnd < 0) break;
      const row = rowOf(all, nul + 1, lineEnd);
      const path = all.toString('utf8', at, nul).replace(binaryWarning, '');
      at = lineEnd + 1;
      if (!row) continue;
      if (this.#file?.path !== path) {
        if (this.#file) files.push(this.#file);
        this.#file = { path, rows: [] };
      }
      this.#file.rows.push(row);
    }
    // A name with a line end in it, or a warning, waits for what follows.
    if (at < all.length) this.#pieces.unshift(all.subarray(at));
    return files;
  }

  /** The last file, once there is no more output. */
  end(): FileRows[] {
    const last = this.#file;
    this.#file = undefined;
    return last ? [last] : [];
  }
}

function rowOf(bytes: Buffer, start: number, end: number): MatchRow | undefined {
  const told = bytes.toString('latin1', start, Math.min(end, start + 64));
  const head = /^(\d+):(\d+):(\d+):/.exec(told);
  if (!head) {
    // Of an empty match at the end of a file whose last line has no end, ripgrep tells no column. A row that fits no
    // line makes whoever reads the file search it anew; so does a text of digits and colons that is taken for a column
    // here.
    const short = /^(\d+):(\d+):/.exec(told);
    return short ? { line: Number(short[1]), column: 0, offset: Number(short[2]), start: Buffer.alloc(0) } : undefined;
  }
  const [whole, line, column, offset] = head;
  // A copy: the start of a line must not keep a whole piece of output in memory.
  const text = Buffer.from(bytes.subarray(start + whole.length, end));
  return { line: Number(line), column: Number(column) - 1, offset: Number(offset), start: text };
}
