import { fitsStars } from '../base/starPattern';
import type { ParameterExpansionPart, ParameterOperation } from 'unbash';
import type { Variable } from './variable';
import { bounded, quoted, type Way } from './wordWays';

export type OperationOf<Type extends ParameterOperation['type']> = Extract<ParameterOperation, { type: Type }>;

/** A variable that a word asks for in braces. */
export interface Parameter {
  readonly part: ParameterExpansionPart;
  /** Undefined where nothing is known of it. */
  readonly known: Variable | undefined;
  /** What stands for the values that are not known. */
  readonly open: Way;
  /** True for all elements of an array, as in `${x[@]}`. */
  readonly isAll: boolean;
  readonly isQuoted: boolean;
}

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
      return sliced([...value], word('offset'), operation.length && (word('length') ?? '?'))?.join('');
    }
    case 'CaseModification': {
      if (operation.operand || !/^[\0-\x7f]*$/.test(value)) return undefined;
      const change = (text: string): string =>
        operation.operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase();
      return operation.operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
    }
    case 'Transform': {
      const how = word('operand');
      if (!/^[\0-\x7f]*$/.test(value)) return undefined;
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

/** The parts of a value, or the elements of an array, from an offset on; undefined where only a run can tell. */
export function sliced<T>(
  all: readonly T[],
  offset: string | undefined,
  length: string | undefined,
  first = 0,
): readonly T[] | undefined {
  const isPlain = (text: string): boolean => /^\s*(?:|-?(?:0|[1-9]\d{0,5}))\s*$/.test(text);
  if (offset === undefined || !isPlain(offset) || (length !== undefined && !isPlain(length))) return undefined;
  const from = Number(offset) < 0 ? all.length + Number(offset) : Number(offset) - first;
  const count = length === undefined ? undefined : Number(length);
  // What begins before the beginning is nothing at all.
  if (from < 0) return Number(offset) < 0 ? [] : undefined;
  if (count === undefined) return all.slice(from);
  if (count >= 0) return all.slice(from, from + count);
  return first > 0 ? undefined : all.slice(from, all.length + count);
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
  // In newer shells `&` stands for what was found.
  if (pattern === '') return value;
  if (/[*?[\\(]/.test(pattern) || /[&\\]/.test(by)) return undefined;
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

/** Tells whether a text fits a pattern of `*` and `?`. */
const fits = (pattern: string, text: string): boolean =>
  fitsStars(
    pattern,
    text,
    (one) => one === '*',
    (one, sign) => one === '?' || one === sign,
  );

/** `${#x}`: how many signs a value has; in bytes or in characters, which differ beyond ASCII. */
export function lengthOf({ part, known, open }: Parameter): readonly Way[] {
  const isPlain = known && !part.index && !known.isArray && !known.isOpen && known.values.every((one) => isAscii(one));
  const lengths = isPlain ? known.values.map((one) => quoted(String(one.length))) : [];
  return isPlain ? bounded(lengths, open) : [open];
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
