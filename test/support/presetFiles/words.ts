/** One entry a line: a table of names that can be read and added to. */
export const words = (text: string): readonly string[] => text.trim().split(/\s*\n\s*/);
