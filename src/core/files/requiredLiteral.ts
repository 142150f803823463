/**
 * Finds texts that every match of an RE2 expression must hold, one after the other, so that files and lines without
 * them need not be searched; none where none is sure. Only plain characters at the top level count: not those in
 * groups, sets, alternatives, or before `?`, `*` and `{`.
 */
export function requiredLiterals(pattern: string): readonly string[] {
  if (/\(\?[a-zA-Z]*[imsU]|\\[QEpPxC0-9]/.test(pattern)) return [];
  let depth = 0;
  const found: string[] = [];
  let run = '';
  const end = (): void => {
    if (run.length >= 2 && /^[\x20-\x7e]+$/.test(run)) found.push(run);
    run = '';
  };
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? '';
    if (char === '|' && depth === 0) return [];
    if (char === '[') {
      end();
      at = endOfSet(pattern, at);
    } else if (char === '(') {
      end();
      depth++;
    } else if (char === ')') {
      end();
      depth--;
    } else if (char === '?' || char === '*' || char === '{') {
      // The character before may be missing.
      run = run.slice(0, -1);
      end();
      if (char === '{') at = Math.max(at, pattern.indexOf('}', at));
    } else if (char === '+' || char === '.' || char === '^' || char === '$') end();
    else if (char === '\\') {
      const next = pattern[++at] ?? '';
      if (/[A-Za-z0-9]/.test(next)) end();
      else if (depth === 0) run += next;
    } else if (depth === 0) run += char;
  }
  end();
  return found;
}

function endOfSet(pattern: string, start: number): number {
  let at = start + 1;
  if (pattern[at] === '^') at++;
  if (pattern[at] === ']') at++;
  for (; at < pattern.length && pattern[at] !== ']'; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === '[' && pattern[at + 1] === ':') at = Math.max(at, pattern.indexOf(':]', at) + 1);
  }
  return at;
}
