import { shortHash } from '../../../core/vocabulary/names';
import { unfitInput } from '../../../core/vocabulary/errors';

/** Where a page ended: how many entries came up to there, and what the last of them was. */
export interface PageEnd {
  readonly count: number;
  /** What names the last entry, so that the next page starts after it even where entries came or went meanwhile. */
  readonly last: string;
}

/** Writes where a page ended, bound to the question that it belongs to. */
export function writeCursor({ count, last }: PageEnd, question: string): string {
  return `${count}.${shortHash(question)}.${last}`;
}

/** Reads a cursor; throws `invalid_input` where it is none, or belongs to another question. */
export function readCursor(cursor: string | undefined, question: string): PageEnd | undefined {
  if (cursor === undefined) return undefined;
  const match = /^(\d{1,9})\.([0-9a-z]+)\.(.+)$/s.exec(cursor);
  if (!match || match[2] !== shortHash(question)) {
    throw unfitInput(
      '/cursor must be the next_cursor of the same call, whole, with the same parameters but limit; leave it out to start again',
    );
  }
  return { count: Number(match[1]), last: match[3] ?? '' };
}

/**
 * What a call asks for, its page apart: the same whichever order its parameters have, and whether a default is spelled
 * out or not.
 */
export function questionOf(input: object, defaults: Readonly<Record<string, unknown>> = {}): string {
  const asked = Object.entries(input).filter(
    ([name, value]) =>
      name !== 'cursor' && name !== 'limit' && value !== undefined && value !== false && value !== defaults[name],
  );
  return JSON.stringify(asked.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The characters that the entries of one page may have where the call names no limit. */
const room = 7_000;

/** As many of the first items as there is room for, at least one. */
export function fitting<T>(items: readonly T[], size: (item: T) => number): readonly T[] {
  let left = room;
  const over = items.findIndex((item, index) => (left -= size(item)) < 0 && index > 0);
  return over < 0 ? items : items.slice(0, over);
}
