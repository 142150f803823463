/** The words of a text, with one space between them. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));
