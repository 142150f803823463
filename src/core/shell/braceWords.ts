const mostWords = 64;
const deepest = 8;
const longest = 1000;

/**
 * Expands the braces of a word as it is written, quotes and all, as bash does before anything else: `.e{nv,x}`.
 * Undefined where that gives more words than are looked at, or numbers that are not exact here.
 */
export function braceWords(word: string, depth = 0): readonly string[] | undefined {
  if (depth > deepest || word.length > longest) return undefined;
  for (let at = word.indexOf('{'); at >= 0; at = next(word, at + 1)) {
    if (isQuoted(word, at) || word[at - 1] === '$') continue;
    const group = groupAt(word, at);
    const parts = group && (group.parts.length > 1 ? group.parts : range(group.parts[0] ?? ''));
    if (!group || !parts) continue;
    if (parts === 'inexact' || parts.length > mostWords) return undefined;
    const out: string[] = [];
    for (const part of parts) {
      const inner = braceWords(word.slice(0, at) + part + word.slice(group.end + 1), depth + 1);
      if (!inner || out.length + inner.length > mostWords) return undefined;
      out.push(...inner);
    }
    return out;
  }
  return [word];
}

const next = (word: string, from: number): number => word.indexOf('{', from);

function isQuoted(word: string, at: number): boolean {
  let quote = '';
  for (let i = 0; i < at; i++) {
    const char = word[i] ?? '';
    if (char === '\\' && quote !== "'") {
      i++;
      if (i === at) return true;
    } else if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === quote) quote = '';
  }
  return quote !== '';
}

/** The parts of a group between its commas, and where it ends. */
function groupAt(word: string, start: number): { readonly parts: readonly string[]; readonly end: number } | undefined {
  const parts: string[] = [];
  let from = start + 1;
  let open = 0;
  let quote = '';
  for (let at = start + 1; at < word.length; at++) {
    const char = word[at] ?? '';
    if (char === '\\' && quote !== "'") at++;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '{' || char === '(') open++;
    else if (char === ')') open--;
    else if (char === ',' && open === 0) {
      parts.push(word.slice(from, at));
      from = at + 1;
    } else if (char === '}' && open-- === 0) return { parts: [...parts, word.slice(from, at)], end: at };
  }
  return undefined;
}

function range(text: string): readonly string[] | 'inexact' | undefined {
  const [, from, to, by] = /^(-?\d+|[a-z])\.\.(-?\d+|[a-z])(?:\.\.(-?\d+))?$/i.exec(text) ?? [];
  if (from === undefined || to === undefined || /\d/.test(from) !== /\d/.test(to)) return undefined;
  const isNumber = /\d/.test(from);
  // As many digits as the longer one has, where either begins with a zero.
  const width = [from, to].some((one) => /^-?0\d/.test(one)) ? Math.max(from.length, to.length) : 0;
  const start = isNumber ? Number(from) : from.charCodeAt(0);
  const end = isNumber ? Number(to) : to.charCodeAt(0);
  const step = Math.max(1, Math.abs(Number(by ?? 1))) * (start <= end ? 1 : -1);
  if (![start, end, step, end - start].every((one) => Number.isSafeInteger(one))) return 'inexact';
  const count = Math.min(Math.floor(Math.abs(end - start) / Math.abs(step)) + 1, mostWords + 1);
  return Array.from({ length: count }, (_, index) => {
    const value = start + index * step;
    if (!isNumber) return String.fromCharCode(value);
    return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');
  });
}
