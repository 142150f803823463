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
