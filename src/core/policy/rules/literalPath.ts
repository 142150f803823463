/** A path as a pattern of a rule that means nothing but it. */
export function literalPath(path: string): string {
  return path.replace(/[\\*?[\]{}()!+@|^]/g, '\\$&');
}
