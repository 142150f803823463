/** One piece of text put into a file, so that taking it out again gives the file back byte for byte. */
export interface Insertion {
  /** Where it was put, in UTF-16 units of the text before. */
  readonly at: number;
  readonly text: string;
}

export const inserted = (text: string, { at, text: piece }: Insertion): string =>
  text.slice(0, at) + piece + text.slice(at);

/** Takes a piece out of a text that others may have changed since; undefined where it is not there once and whole. */
export function withoutInsertion(text: string, { at, text: piece }: Insertion): string | undefined {
  if (text.startsWith(piece, at) && text.indexOf(piece) === text.lastIndexOf(piece))
    return text.slice(0, at) + text.slice(at + piece.length);
  const found = text.indexOf(piece);
  if (found < 0 || found !== text.lastIndexOf(piece)) return undefined;
  return text.slice(0, found) + text.slice(found + piece.length);
}
