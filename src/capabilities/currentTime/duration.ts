import { toolError, type ToolError } from '../../core/vocabulary/errors';

type Unit = 'years' | 'months' | 'weeks' | 'days' | 'hours' | 'minutes' | 'seconds' | 'milliseconds';

export type DurationParts = Readonly<Partial<Record<Unit, number>>>;

const spelled: readonly [Unit | 'fortnights' | 'quarters' | 'decades', string][] = [
  ['years', 'y yr yrs year years'],
  ['months', 'mo mos mon month months'],
  ['weeks', 'w wk wks week weeks'],
  ['days', 'd day days'],
  ['hours', 'h hr hrs hour hours'],
  ['minutes', 'm min mins minute minutes'],
  ['seconds', 's sec secs second seconds'],
  ['milliseconds', 'ms msec millisecond milliseconds'],
  ['fortnights', 'fortnight fortnights'],
  ['quarters', 'quarter quarters'],
  ['decades', 'decade decades'],
];
const units = new Map(spelled.flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit] as const)));

const spelledNumbers =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty';
const numberWords: ReadonlyMap<string, number> = new Map<string, number>([
  ...spelledNumbers.split(' ').map((word, index): [string, number] => [word, index]),
  ['a', 1],
  ['an', 1],
  ['couple', 2],
  ['half', 0.5],
  ['thirty', 30],
  ['forty', 40],
  ['fifty', 50],
  ['sixty', 60],
  ['ninety', 90],
]);

/** A count as digits or as a word, `a` and `half` among them; undefined where the word is none. */
export function countOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(word)) return Number(word);
  return numberWords.get(word);
}

export function invalidDuration(text: string, why = 'it is not understood'): ToolError {
  return toolError(
    'invalid_time',
    `\`${text.slice(0, 100)}\` is no duration: ${why}; give ISO 8601 such as \`P3DT4H\`, or words such as \`3d 4h\` or \`-90 minutes\``,
  );
}

/** The same duration backwards. */
export const negateDuration = (parts: DurationParts): DurationParts =>
  Object.fromEntries(Object.entries(parts).map(([unit, value]) => [unit, -value]));

/**
 * Adds so many of a unit; a fraction of a week, day, hour or minute becomes smaller units, that of a month or year is
 * refused.
 */
function addPart(parts: DurationParts, count: number, word: string): DurationParts | undefined {
  const unit = units.get(word);
  switch (unit) {
    case undefined:
      return undefined;
    case 'fortnights':
      return addPart(parts, count * 2, 'weeks');
    case 'quarters':
      return addPart(parts, count * 3, 'months');
    case 'decades':
      return addPart(parts, count * 10, 'years');
    default:
      return spread(parts, count, unit);
  }
}

const smaller: Partial<Record<Unit, readonly [Unit, number]>> = {
  weeks: ['days', 7],
  days: ['hours', 24],
  hours: ['minutes', 60],
  minutes: ['seconds', 60],
  seconds: ['milliseconds', 1000],
  years: ['months', 12],
};

function spread(parts: DurationParts, count: number, unit: Unit): DurationParts | undefined {
  const whole = Math.trunc(count);
  const rest = Math.round((count - whole) * 1e9) / 1e9;
  const next = smaller[unit];
  const added = { ...parts, [unit]: (parts[unit] ?? 0) + whole };
  if (rest === 0) return added;
  if (!next) return unit === 'milliseconds' ? added : undefined;
  return spread(added, rest * next[1], next[0]);
}

/**
 * Reads counts and units from words, `and` and commas between them; returns what was read and how many words it took.
 */
export function readDuration(
  words: readonly string[],
  from = 0,
): { readonly parts: DurationParts; readonly next: number } | undefined {
  let at = from;
  let parts: DurationParts | undefined;
  for (;;) {
    let start = at;
    if (parts && (words[start] === 'and' || words[start] === ',')) start++;
    const amount = amountAt(words, start);
    if (!amount) break;
    const { count } = amount;
    start = amount.next;
    if (words[start] === 'half' && count === 1 && parts && at > from) {
      const unit: string | undefined = words[at - 1];
      const halved: DurationParts | undefined = unit === undefined ? undefined : addPart(parts, 0.5, unit);
      if (!halved) break;
      parts = halved;
      at = start + 1;
      continue;
    }
    const unit = words[start];
    const added: DurationParts | undefined = unit === undefined ? undefined : addPart(parts ?? {}, count, unit);
    if (!added) break;
    parts = added;
    at = start + 1;
  }
  return parts && { parts, next: at };
}

/** `half an hour`, `a couple of days`, `an hour and a half` are read as they are spoken. */
function amountAt(
  words: readonly string[],
  from: number,
): { readonly count: number; readonly next: number } | undefined {
  let next = from;
  let count = countOf(words[next]);
  if (count === undefined) return undefined;
  next++;
  if (words[next] === 'couple' && count === 1) {
    count = 2;
    next++;
  }
  if (count === 2 && words[next] === 'of') next++;
  if (count === 0.5 && (words[next] === 'a' || words[next] === 'an')) next++;
  return { count, next };
}

const isoPattern =
  /^([+-]?)P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?=.)(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;

/**
 * Reads an ISO 8601 duration or words such as `3d 4h`, `1h30m`, `-90 minutes`, `2 weeks and 3 days`. Throws
 * `invalid_time`.
 */
export function parseDuration(text: string): DurationParts {
  const trimmed = text
    .trim()
    .toLowerCase()
    .replace(/\u2212/g, '-');
  if (trimmed.length > 100) throw invalidDuration(text, 'it is longer than 100 characters');
  const iso = isoPattern.exec(trimmed);
  if (iso) {
    const names = ['y', 'mo', 'w', 'd', 'h', 'm', 's'];
    let parts: DurationParts = {};
    names.forEach((unit, index) => {
      const value = iso[index + 2];
      if (value !== undefined) parts = addPart(parts, Number(value), unit) ?? parts;
    });
    return iso[1] === '-' ? negateDuration(parts) : parts;
  }
  const negative = trimmed.startsWith('-');
  const words = trimmed.replace(/^[+-]\s*/, '').match(/\d+(?:\.\d+)?|[a-z]+|[^\sa-z\d]/g) ?? [];
  const read = readDuration(words);
  if (!read || read.next !== words.length) {
    const rest = words[read?.next ?? 0];
    throw invalidDuration(text, rest === undefined ? 'it is empty' : `\`${rest}\` is not understood`);
  }
  return negative ? negateDuration(read.parts) : read.parts;
}
