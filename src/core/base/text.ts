/** The beginning of a text, at most so long, without half of a surrogate pair at its end. */
export function cutAt(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

/** A text on one line: each run of white space is one blank, and none is at its ends. */
export const onOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** A text that is at most so long; where something of it is missing, `…` is its last character. */
export function cutEnd(text: string, length: number): string {
  return text.length > length ? `${cutAt(text, length - 1)}…` : text;
}
