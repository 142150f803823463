/** Tells whether a text fits a pattern of `*` and `?`, in time that grows with both lengths only. */
export function fits(pattern: string, text: string): boolean {
  let at = 0;
  let inside = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    if (pattern[inside] === '*') {
      star = inside++;
      resume = at;
    } else if (pattern[inside] === '?' || pattern[inside] === text[at]) {
      inside++;
      at++;
    } else if (star >= 0) {
      inside = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[inside] === '*') inside++;
  return inside === pattern.length;
}
