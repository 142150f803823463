const backslash = 0x5c;
const quote = 0x22;
const openBrace = 0x7b;
const openBracket = 0x5b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;

/**
 * Tells whether the brackets of a JSON text nest deeper than `limit` levels, in one pass and without building anything.
 * Ask before using what a stranger sent: those who walk the parsed value would overflow the stack at some depth.
 * Brackets inside strings do not count, and the text need not be valid JSON.
 */
export function nestsDeeperThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isInText) {
      if (code === backslash) index++;
      else if (code === quote) isInText = false;
    } else if (code === quote) isInText = true;
    else if (code === openBrace || code === openBracket) {
      if (++depth > limit) return true;
    } else if (code === closeBrace || code === closeBracket) depth--;
  }
  return false;
}
