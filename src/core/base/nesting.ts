const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const slash = 0x2f;
const backslash = 0x5c;
const quote = 0x22;
const openBrace = 0x7b;
const openBracket = 0x5b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;

/**
 * Where the brackets of a JSON text nest deeper than `limit` levels, in one pass and without building anything;
 * undefined where they do not. Ask before using what a stranger sent: those who parse it, or walk the parsed value,
 * would overflow the stack at some depth. Brackets inside strings do not count, and the text need not be valid JSON: a
 * bracket that closes nothing of its kind is passed over, as a parser does that goes on after a mistake.
 * @param hasComments whether comments are read as such, and a string ends with its line at the latest.
 */
export function tooDeepAt(text: string, limit: number, hasComments = false): number | undefined {
  if (text.length <= limit) return undefined;
  /** What closes each bracket that is open. */
  const open: number[] = [];
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInText) {
      if (code === backslash) at++;
      else if (code === quote || (hasComments && isLineEnd(code))) isInText = false;
    } else if (code === quote) isInText = true;
    else if (code === openBrace || code === openBracket) {
      if (open.push(code === openBrace ? closeBrace : closeBracket) > limit) return at;
    } else if (code === closeBrace || code === closeBracket) {
      if (open.at(-1) === code) open.pop();
    } else if (code === slash && hasComments) at = commentEnd(text, at);
  }
  return undefined;
}

const isLineEnd = (code: number): boolean => code === lineFeed || code === carriageReturn;

/** The last place of a comment that begins at a slash; the slash itself where none does. */
function commentEnd(text: string, at: number): number {
  if (text.startsWith('/*', at)) {
    const end = text.indexOf('*/', at + 2);
    return end < 0 ? text.length : end + 1;
  }
  if (!text.startsWith('//', at)) return at;
  let end = at + 2;
  while (end < text.length && !isLineEnd(text.charCodeAt(end))) end++;
  return end;
}
