/** A text as an expression that matches it and nothing else. */
export function regexText(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}/-]/g, '\\$&');
}
