import type { JsonObject } from '../../core/base/json';
import type { PlainDateTime, ZonedDateTime } from './temporal';

export const timeFormats = ['iso8601', 'unix', 'unix_ms', 'rfc2822', 'human'] as const;
export type TimeFormat = (typeof timeFormats)[number];

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
export const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
export const two = (value: number): string => String(value).padStart(2, '0');

const weekdayName = (time: PlainDateTime): string => weekdays[time.dayOfWeek - 1] ?? '';
const monthName = (time: PlainDateTime): string => months[time.month - 1] ?? '';

/** ISO 8601 with the offset and without the zone's name in brackets; the fraction only where there is one. */
export function iso8601(time: ZonedDateTime): string {
  return time.toString({ timeZoneName: 'never', smallestUnit: time.millisecond === 0 ? 'second' : 'millisecond' });
}

/** Writes an instant in one of the formats; numbers for the two Unix formats (whole seconds, whole milliseconds). */
export function formatTime(time: ZonedDateTime, format: TimeFormat): string | number {
  switch (format) {
    case 'iso8601':
      return iso8601(time);
    case 'unix':
      return Math.floor(time.epochMilliseconds / 1000);
    case 'unix_ms':
      return time.epochMilliseconds;
    case 'rfc2822': {
      // A zoned time asks its zone anew for each field; this one knows them all.
      const local = time.toPlainDateTime();
      return `${weekdayName(local).slice(0, 3)}, ${two(local.day)} ${monthName(local).slice(0, 3)} ${String(local.year).padStart(4, '0')} ${clock(local)} ${minuteOffset(time).replace(':', '')}`;
    }
    case 'human': {
      const local = time.toPlainDateTime();
      const short = abbreviation(time);
      return `${weekdayName(local)}, ${local.day} ${monthName(local)} ${local.year}, ${clock(local)} (${short.startsWith('UTC') ? '' : `${short}, `}UTC${time.offset})`;
    }
  }
}

const clock = (time: PlainDateTime): string => `${two(time.hour)}:${two(time.minute)}:${two(time.second)}`;

/** RFC 2822 knows offsets in minutes only; local mean time of the 19th century has seconds. */
const minuteOffset = (time: ZonedDateTime): string => time.offset.slice(0, 6);

/** English-speaking regions that name their own zones; the first that has a name instead of an offset gives it. */
const abbreviationLocales = ['en-US', 'en-GB', 'en-AU', 'en-IN', 'en-NZ', 'en-ZA', 'ja-JP'];

/** `CET`, `EST`, `JST`, or `UTC+03:00` where the zone has no name that people use. */
function abbreviation(time: ZonedDateTime): string {
  if (time.timeZoneId === 'UTC') return 'UTC';
  if (/^[+-]/.test(time.timeZoneId)) return `UTC${time.offset}`;
  for (const locale of abbreviationLocales) {
    const parts = new Intl.DateTimeFormat(locale, { timeZone: time.timeZoneId, timeZoneName: 'short' }).formatToParts(
      time.epochMilliseconds,
    );
    const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
    if (/^[A-Z]{2,5}$/.test(name)) return name;
  }
  return `UTC${time.offset}`;
}

/**
 * Tells whether the clocks are put forward at an instant: its offset is ahead of the zone's in January or in July of
 * the same year. Works for both hemispheres, for Ireland (whose law calls the winter the exception) and for Morocco
 * (which puts clocks back in Ramadan).
 */
export function isDst(time: ZonedDateTime): boolean {
  if (/^(?:UTC$|[+-])/.test(time.timeZoneId)) return false;
  const january = time.with({ month: 1, day: 1, hour: 12 });
  const july = time.with({ month: 7, day: 1, hour: 12 });
  return time.offsetNanoseconds > Math.min(january.offsetNanoseconds, july.offsetNanoseconds);
}

/** The next change of the zone's offset, or undefined where none is known. */
function nextChange(time: ZonedDateTime): JsonObject | undefined {
  const next = time.getTimeZoneTransition('next');
  if (!next) return undefined;
  return { at: iso8601(next), from: time.offset, to: next.offset };
}

/** All that is said about one instant in one zone. */
export function timeFacts(time: ZonedDateTime, format: TimeFormat): JsonObject {
  const change = nextChange(time);
  const local = time.toPlainDateTime();
  return {
    time: formatTime(time, format),
    format,
    timezone: time.timeZoneId,
    ...(format === 'iso8601' ? {} : { iso8601: iso8601(time) }),
    ...(format === 'unix' ? {} : { unix: Math.floor(time.epochMilliseconds / 1000) }),
    utc_offset: time.offset,
    abbreviation: abbreviation(time),
    weekday: weekdayName(local),
    iso_week: `${local.yearOfWeek}-W${two(local.weekOfYear ?? 0)}`,
    day_of_year: local.dayOfYear,
    is_dst: isDst(time),
    ...(change ? { next_dst_change: change } : {}),
  };
}
