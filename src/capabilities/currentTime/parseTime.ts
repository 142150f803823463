import { toolError, type ToolError } from '../../core/vocabulary/errors';
import { iso8601 } from './timeFormats';
import { parsePhrase, type Phrase } from './phrases';
import { PhraseError } from './phraseWords';
import type { PlainDateTime, TemporalApi, ZonedDateTime } from './temporal';
import { findZone, zoneNamed } from './zones';

export interface ParsedTime {
  readonly time: ZonedDateTime;
  /** What had to be assumed, and how a gap or an overlap of the clock was resolved. */
  readonly notes: readonly string[];
}

export interface TimeContext {
  readonly Temporal: TemporalApi;
  /** Now, in the zone in which a time without an offset stands. */
  readonly now: ZonedDateTime;
  /** The machine's zone, for `local`. */
  readonly local: string;
}

type PlainDate = ReturnType<PlainDateTime['toPlainDate']>;

function invalidTime(text: string, why: string): ToolError {
  return toolError(
    'invalid_time',
    `\`${text.slice(0, 100)}\` is not understood as a time: ${why}; give ISO 8601 such as \`2026-11-21T15:00\`, Unix seconds, \`15:00\`, or words such as \`next monday at 3pm\` or \`in 5 minutes\``,
  );
}

/**
 * Reads a time: ISO 8601, Unix seconds or milliseconds, RFC 2822, a time of day, or an English phrase; a zone may stand
 * behind it.
 */
export function parseTime(text: string, context: TimeContext): ParsedTime {
  const trimmed = text.trim().replace(/\u2212/g, '-');
  if (trimmed.length > 200) throw invalidTime(text, 'it is longer than 200 characters');
  try {
    return parseUnix(trimmed, context) ?? parseIso(trimmed, context) ?? parseWithZone(trimmed, context);
  } catch (error) {
    if (error instanceof PhraseError)
      throw invalidTime(text, error.message === '' ? 'something is missing' : `\`${error.message}\` is unclear`);
    if (error instanceof RangeError) throw invalidTime(text, 'it lies outside of the calendar');
    throw error;
  }
}

function parseUnix(text: string, { Temporal, now }: TimeContext): ParsedTime | undefined {
  const match = /^(@?)(-?\d{1,16})(\.\d{1,9})?$/.exec(text);
  if (!match || (match[1] === '' && (match[2] ?? '').replace('-', '').length < 9)) return undefined;
  const number = Number(`${match[2]}${match[3] ?? ''}`);
  const milliseconds = Math.abs(number) >= 1e11 && match[1] === '' ? number : number * 1000;
  const time = Temporal.Instant.fromEpochMilliseconds(Math.round(milliseconds)).toZonedDateTimeISO(now.timeZoneId);
  return { time, notes: [milliseconds === number ? 'read as Unix milliseconds' : 'read as Unix seconds'] };
}

const isoDateTime =
  /^([+-]\d{6}|\d{4})-?(?:(\d{2})-?(\d{2})|W(\d{2})(?:-?([1-7]))?|(\d{3}))(?:[T\s]+(\d{1,2}):?(\d{2})?(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?(?:\[([^\]]{1,100})\])?$/i;

function parseIso(text: string, context: TimeContext): ParsedTime | undefined {
  const match = isoDateTime.exec(text);
  if (!match) return undefined;
  const { now, local } = context;
  const [, year, month, day, week, weekday, ordinal, hour, minute, second, fraction, offset, bracket] = match;
  const date = isoDate({ year, month, day, week, weekday, ordinal }, context);
  const plain = isoDateTimeOn(date, { hour, minute, second, fraction }, context);
  const zone = bracket === undefined ? now.timeZoneId : zoneNamed(bracket, local);
  const read =
    offset !== undefined
      ? atOffset(plain, offset, zone, bracket !== undefined, context)
      : hour === undefined
        ? startOfDay(date, zone, ['no time of day was given: start of the day'])
        : inZone(plain, zone);
  const notes = second === '60' ? ['a leap second is read as the second before it'] : [];
  return { time: read.time, notes: [...notes, ...read.notes] };
}

/** Parts of an ISO time as they are written; undefined what is left out. */
type Written<T extends string> = Readonly<Record<T, string | undefined>>;

/** The day of a calendar date, of a week or of a number in its year. */
function isoDate(
  { year, month, day, week, weekday, ordinal }: Written<'year' | 'month' | 'day' | 'week' | 'weekday' | 'ordinal'>,
  { Temporal }: TimeContext,
): PlainDate {
  const date = Temporal.PlainDate.from(
    { year: Number(year), month: Number(month ?? 1), day: Number(day ?? 1) },
    { overflow: 'reject' },
  );
  if (week !== undefined) return dateOfWeek(date, Number(week), Number(weekday ?? 1));
  if (ordinal === undefined) return date;
  if (Number(ordinal) < 1 || Number(ordinal) > date.daysInYear) throw new RangeError('no such day of the year');
  return date.add({ days: Number(ordinal) - 1 });
}

/** A time of day on its date: 24:00 is the start of the next day, a leap second the second before it. */
function isoDateTimeOn(
  date: PlainDate,
  { hour, minute, second, fraction }: Written<'hour' | 'minute' | 'second' | 'fraction'>,
  { Temporal }: TimeContext,
): PlainDateTime {
  const isMidnight24 = hour === '24' && Number(minute ?? 0) === 0 && Number(second ?? 0) === 0;
  const time = Temporal.PlainTime.from(
    {
      hour: isMidnight24 ? 0 : Number(hour ?? 0),
      minute: Number(minute ?? 0),
      second: second === '60' ? 59 : Number(second ?? 0),
      millisecond: Number((fraction ?? '').padEnd(3, '0').slice(0, 3)),
    },
    { overflow: 'reject' },
  );
  return (isMidnight24 ? date.add({ days: 1 }) : date).toPlainDateTime(time);
}

/**
 * The instant that an offset names, shown in a zone. A zone behind an offset says how the clocks stand there, which is
 * noted where they do not; `Z` names an instant and claims nothing of them.
 */
function atOffset(
  plain: PlainDateTime,
  offset: string,
  zone: string,
  isZoneWritten: boolean,
  { local }: TimeContext,
): ParsedTime {
  const time = plain.toZonedDateTime(findZone(offset, local) ?? 'UTC').withTimeZone(zone);
  const isClaim = isZoneWritten && !/^z$/i.test(offset);
  if (!isClaim || time.toPlainDateTime().equals(plain)) return { time, notes: [] };
  const note = `offset: the clocks in ${zone} do not stand at ${offset} then; the offset is taken, which is ${iso8601(time)} there`;
  return { time, notes: [note] };
}

/** The day of an ISO week; week 1 holds 4 January. `inYear` is any day of that year. */
function dateOfWeek(inYear: PlainDate, week: number, weekday: number): PlainDate {
  const fourth = inYear.with({ month: 1, day: 4 });
  const found = fourth.subtract({ days: fourth.dayOfWeek - 1 }).add({ days: (week - 1) * 7 + weekday - 1 });
  if (week < 1 || found.yearOfWeek !== inYear.year) throw new RangeError('no such week of the year');
  return found;
}

const rfcDay = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,\s*(?=\d)/i;
const zoneBehind =
  /^(.*\S)\s+\(?([A-Za-z]+(?:\/[A-Za-z0-9_+-]+)+|UTC(?:[+-]\d{1,2}(?::?\d{2})?)?|GMT(?:[+-]\d{1,2}(?::?\d{2})?)?|[A-Z]{3,4}|[+-]\d{2}:?\d{2})\)?$/;

function parseWithZone(text: string, context: TimeContext): ParsedTime {
  const plain = text.replace(rfcDay, '');
  const match = zoneBehind.exec(plain);
  if (
    match &&
    !/^(?:MON|TUE|WED|THU|FRI|SAT|SUN|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC|WEEK|YEAR|NOON|JUNE|JULY|DAY|NOW|AGO)$/.test(
      match[2] ?? '',
    )
  ) {
    const zone = zoneNamed(match[2] ?? '', context.local);
    const there = { ...context, now: context.now.withTimeZone(zone) };
    const before = (match[1] ?? '').replace(/\s+in$/, '');
    const parsed = parseIso(before, there) ?? parseWords(before, there);
    return { time: parsed.time.withTimeZone(context.now.timeZoneId), notes: parsed.notes };
  }
  return parseWords(plain, context);
}

function parseWords(text: string, context: TimeContext): ParsedTime {
  return resolve(parsePhrase(text, context.now, context.Temporal), context);
}

function resolve(phrase: Phrase, context: TimeContext): ParsedTime {
  switch (phrase.kind) {
    case 'now':
      return { time: context.now, notes: [] };
    case 'shifted': {
      const base = resolve(phrase.base, context);
      return { time: base.time.add(phrase.shift), notes: base.notes };
    }
    case 'local': {
      if (phrase.time === undefined) return startOfDay(phrase.date, context.now.timeZoneId, phrase.assumed);
      const { time, notes } = inZone(phrase.date.toPlainDateTime(phrase.time), context.now.timeZoneId);
      return { time, notes: [...phrase.assumed, ...notes] };
    }
  }
}

/** The start of a day in a zone; a day that its calendar leaves out is noted. */
function startOfDay(date: PlainDate, zone: string, notes: readonly string[]): ParsedTime {
  const time = date.toZonedDateTime(zone);
  if (time.toPlainDate().equals(date)) return { time, notes };
  const gap = `gap: ${date.toString()} does not exist in ${zone}, the calendar skips it; moved forward to ${iso8601(time)}`;
  return { time, notes: [...notes, gap] };
}

/**
 * Puts a wall-clock time into a zone and says where that is not plain: a time that the clocks skip is moved forward by
 * the length of the gap, and of a time that they show twice the first is taken (RFC 5545, 3.3.5).
 */
function inZone(local: PlainDateTime, zone: string): ParsedTime {
  const earlier = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  const later = local.toZonedDateTime(zone, { disambiguation: 'later' });
  if (earlier.epochMilliseconds === later.epochMilliseconds) return { time: earlier, notes: [] };
  const text = local.toString({ smallestUnit: 'minute' });
  if (earlier.toPlainDateTime().equals(local)) {
    return {
      time: earlier,
      notes: [
        `overlap: ${text} happens twice in ${zone}; ${iso8601(earlier)} is taken, the other is ${iso8601(later)}`,
      ],
    };
  }
  return {
    time: later,
    notes: [`gap: ${text} does not exist in ${zone}, the clocks skip it; moved forward to ${iso8601(later)}`],
  };
}
