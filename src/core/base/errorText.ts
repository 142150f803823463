/** What anything that was thrown says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The beginning of it, for one line of a list or a log. */
export function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0]?.slice(0, 300) ?? '';
}

/** The same with the places that it came from, where they are known: for a log. */
export function stackOf(error: unknown): string {
  return (error instanceof Error && error.stack) || messageOf(error);
}

/** Anything that was thrown, as an error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
