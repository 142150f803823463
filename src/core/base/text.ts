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

/**
 * A text without the signs that end it and are among these. It takes time by what it cuts off; a regular expression
 * such as `/\.+$/` starts anew at each sign of each row, and on a long one that ends nothing it takes the square.
 */
export function trimmedEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
