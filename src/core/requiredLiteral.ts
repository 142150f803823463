/**
 * Finds a text that every match of an RE2 expression must hold, so that files without it need not be searched; undefined where none is sure.
 * Only plain characters at the top level count: not those in groups, sets, alternatives, or before `?`, `*` and `{`.
 */
export function requiredLiteral(pattern: string): string | undefined {
  if (/\(\?[a-zA-Z]*[imsU]|\\[QEpPxC0-9]/.test(pattern)) return undefined;
  let depth = 0;
  let best = '';
  let run = '';
  const end = (): void => {
    if (run.length > best.length) best = run;
    run = '';
  };
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? '';
    if (char === '|' && depth === 0) return undefined;
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
  return best.length >= 2 && /^[\x20-\x7e]+$/.test(best) ? best : undefined;
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
