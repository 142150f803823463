/**
 * Compiles a pattern in which `*` stands for any characters and everything else for itself. Names, hosts and addresses
 * hold brackets, dots and slashes, which a glob over paths would take for more; and looking for each piece from the
 * left takes linear time, whatever a stranger wrote.
 */
export function starPattern(pattern: string): (text: string) => boolean {
  const [first = '', ...pieces] = pattern.split('*');
  const last = pieces.pop();
  if (last === undefined) return (text) => text === first;
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    let at = first.length;
    for (const piece of pieces) {
      const found = text.indexOf(piece, at);
      if (found < 0 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}

/**
 * Tells whether a text fits a pattern whose parts stand for one sign each, but for stars, which stand for any number.
 * It goes back to the last star only, so that its time grows with both lengths, whatever a stranger wrote.
 */
export function fitsStars<T>(
  pattern: ArrayLike<T>,
  text: string,
  isStar: (part: T) => boolean,
  fits: (part: T, sign: string) => boolean,
): boolean {
  let inside = 0;
  let at = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    const part = pattern[inside];
    if (part !== undefined && isStar(part)) {
      star = inside++;
      resume = at;
    } else if (part !== undefined && fits(part, text[at] ?? '')) {
      inside++;
      at++;
    } else if (star >= 0) {
      inside = star + 1;
      at = ++resume;
    } else return false;
  }
  for (let part = pattern[inside]; part !== undefined && isStar(part); part = pattern[inside]) inside++;
  return inside === pattern.length;
}
