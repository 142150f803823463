/** Splits a command line at blanks outside quotes; no shell is involved. */
export function splitCommand(text: string): readonly string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, word]) => double?.replace(/\\(.)/g, '$1') ?? single ?? word ?? '',
  );
}

/** Pairs as a person types them into one line, or which of them cannot be read. */
export type ReadPairs =
  | { readonly pairs: Readonly<Record<string, string>>; readonly fault?: undefined }
  | { readonly fault: string; readonly pairs?: undefined };

/**
 * Reads `NAME=value OTHER="two words"`: what stands in one line for an environment. A value runs to the next blank
 * outside quotes.
 */
export function readEnvironment(text: string): ReadPairs {
  const pairs: Record<string, string> = {};
  const at = /\s*([A-Za-z_]\w*)=(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S*))(?=\s|$)/y;
  const whole = text.trim();
  while (at.lastIndex < whole.length) {
    const from = at.lastIndex;
    const match = at.exec(whole);
    if (!match) return { fault: whole.slice(from).trim() };
    const [, name = '', double, single, word] = match;
    pairs[name] = double?.replace(/\\(.)/g, '$1') ?? single ?? word ?? '';
  }
  return { pairs };
}

/** Reads `Authorization: Bearer x; X-Other: y`: what stands in one line for headers. Values end at a semicolon. */
export function readHeaders(text: string): ReadPairs {
  const pairs: Record<string, string> = {};
  for (const part of text.split(';')) {
    if (part.trim() === '') continue;
    const match = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(\S.*)?$/.exec(part.trimEnd());
    if (!match) return { fault: part.trim() };
    pairs[match[1] ?? ''] = match[2] ?? '';
  }
  return { pairs };
}
