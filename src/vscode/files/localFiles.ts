import type { Sentence } from '../../core/base/sentence';

/**
 * The files of this machine, asked directly: the editor would have to be waited for, at the start and in every call.
 */
export interface LocalFiles {
  /** The names in a folder; undefined where there is none. Fails where it cannot be listed. */
  names(folder: string): Promise<readonly string[] | undefined>;
  /** When a file changed last, and what is another text once it changed again. Fails where there is none. */
  stamp(file: string): Promise<Stamp>;
  read(
    file: string,
    options?: { readonly within: string },
  ):
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'absent' }
    | { readonly type: 'unreadable'; readonly fault: Sentence };
}

interface Stamp {
  /** In milliseconds of the day's clock. */
  readonly at: number;
  readonly text: string;
}

/** A file that changed less than so many milliseconds ago may change again without another time or size. */
export const settledMs = 2500;
