import type { ParameterOperation } from 'unbash';

const longest = 2000;

/** What `${name…}` makes of one value; undefined where only a run can tell. `word` reads an operand. */
export function applied(
  value: string,
  operation: ParameterOperation,
  word: (operand: 'operand' | 'pattern' | 'replacement' | 'offset' | 'length') => string | undefined,
): string | undefined {
  if (value.length > longest) return undefined;
  switch (operation.type) {
    case 'Remove': {
      const pattern = word('operand');
      return pattern === undefined ? undefined : removed(value, operation.operator, pattern);
    }
    case 'Replace': {
      const [pattern, by] = [word('pattern'), word('replacement')];
      return pattern === undefined || by === undefined ? undefined : replaced(value, operation.operator, pattern, by);
    }
    case 'Slice': {
      const offset = Number(word('offset'));
      const length = operation.length ? Number(word('length')) : undefined;
      if (!Number.isInteger(offset) || (length !== undefined && !Number.isInteger(length))) return undefined;
      const from = offset < 0 ? Math.max(0, value.length + offset) : offset;
      if (length === undefined) return value.slice(from);
      return length < 0 ? value.slice(from, value.length + length) : value.slice(from, from + length);
    }
    case 'CaseModification': {
      if (operation.operand) return undefined;
      const change = (text: string): string =>
        operation.operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase();
      return operation.operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
    }
    case 'Transform': {
      const how = word('operand');
      if (how === 'L') return value.toLowerCase();
      if (how === 'U') return value.toUpperCase();
      if (how === 'u') return value.slice(0, 1).toUpperCase() + value.slice(1);
      // What a prompt makes of a text may run something.
      return (how === 'E' || how === 'P') && !/[\\$`]/.test(value) ? value : undefined;
    }
    default:
      return undefined;
  }
}

function removed(value: string, operator: '#' | '##' | '%' | '%%', pattern: string): string | undefined {
  if (/[[\\(]/.test(pattern) || pattern.length > longest) return undefined;
  const lengths = Array.from({ length: value.length + 1 }, (_, index) => index);
  if (operator.length === 2) lengths.reverse();
  if (value.length > 256) return undefined;
  for (const length of lengths) {
    const [cut, rest] = operator.startsWith('#')
      ? [value.slice(0, length), value.slice(length)]
      : [value.slice(value.length - length), value.slice(0, value.length - length)];
    if (fits(pattern, cut)) return rest;
  }
  return value;
}

function replaced(value: string, operator: string, pattern: string, by: string): string | undefined {
  if (/[*?[\\(]/.test(pattern) || pattern === '') return pattern === '' ? value : undefined;
  switch (operator) {
    case '//':
      return value
        .split(pattern)
        .join(by)
        .slice(0, longest * 4);
    case '/#':
      return value.startsWith(pattern) ? by + value.slice(pattern.length) : value;
    case '/%':
      return value.endsWith(pattern) ? value.slice(0, -pattern.length) + by : value;
    default:
      return value.replace(pattern, () => by);
  }
}

/** Tells whether a text fits a pattern of `*` and `?`, in time that grows with both lengths only. */
function fits(pattern: string, text: string): boolean {
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
