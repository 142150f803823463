import type { JsonObject } from '../../core/base/json';
import { unfitInput } from '../../core/vocabulary/errors';
import { invalidDuration, parseDuration } from './duration';
import { formatTime, timeFacts, type TimeFormat, two } from './timeFormats';
import { type ParsedTime, parseTime, type TimeContext } from './parseTime';
import { type Duration, loadTemporal, type ZonedDateTime } from './temporal';
import { findZone, resolveZone } from './zones';
import { noAccesses, type ToolHandler } from '../../core/capability/tool';
import type { ConvertTimeInput } from './inputs';

export const convertTime: ToolHandler<ConvertTimeInput> = {
  accesses: noAccesses,
  async run(input, { ports }) {
    const local = findZone(ports.clock.timeZone(), 'UTC') ?? 'UTC';
    const zone = resolveZone(input.timezone, local);
    const zones = (input.timezones ?? []).map((name) => resolveZone(name, local));
    const Temporal = await loadTemporal();
    const now = Temporal.Instant.fromEpochMilliseconds(Math.trunc(ports.clock.now())).toZonedDateTimeISO(zone);
    const context: TimeContext = { Temporal, now, local };
    const start = parseTime(input.time, context);
    return { payload: { operation: input.operation, ...answer(input, start, zones, context) } };
  },
};

function answer(
  input: ConvertTimeInput,
  start: ParsedTime,
  zones: readonly string[],
  context: TimeContext,
): JsonObject {
  switch (input.operation) {
    case 'convert':
    case 'parse':
      return described(start, zones, input.format);
    case 'add': {
      if (input.duration === undefined) throw missing('add', 'duration', '`P3DT4H` or `3d 4h`');
      return {
        from: formatTime(start.time, input.format),
        ...described(added(start, input.duration), zones, input.format),
      };
    }
    case 'diff':
      return difference(start, parseTime(input.other ?? 'now', context), input.format);
  }
}

const missing = (operation: string, name: string, example: string): Error =>
  unfitInput(`/${name} is required for the operation ${operation}, such as ${example}`);

/**
 * Calendar units move the wall clock, hours and smaller ones the instant, as people mean it across a change of the
 * clocks.
 */
function added({ time, notes }: ParsedTime, duration: string): ParsedTime {
  try {
    return { time: time.add(parseDuration(duration)), notes };
  } catch (error) {
    if (error instanceof RangeError)
      throw invalidDuration(duration, 'it leads outside of the calendar, or mixes signs');
    throw error;
  }
}

function described({ time, notes }: ParsedTime, zones: readonly string[], format: TimeFormat): JsonObject {
  return {
    ...timeFacts(time, format),
    ...(zones.length === 0 ? {} : { zones: zones.map((zone) => inOtherZone(time, zone, format)) }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

function inOtherZone(time: ZonedDateTime, zone: string, format: TimeFormat): JsonObject {
  const there = time.withTimeZone(zone);
  return { ...timeFacts(there, format), difference: offsetText(there.offsetNanoseconds - time.offsetNanoseconds) };
}

/** `+05:45`: how far the clocks there are ahead. */
function offsetText(nanoseconds: number): string {
  const minutes = Math.round(Math.abs(nanoseconds) / 6e10);
  return `${nanoseconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/**
 * From one time to the other: exactly, and as the calendar of the first one's zone counts. Negative where the other is
 * earlier.
 */
function difference(start: ParsedTime, other: ParsedTime, format: TimeFormat): JsonObject {
  const end = other.time.withTimeZone(start.time.timeZoneId);
  const calendar = start.time.until(end, { largestUnit: 'years' });
  const milliseconds = end.epochMilliseconds - start.time.epochMilliseconds;
  const notes = [...new Set([...start.notes, ...other.notes])];
  return {
    from: formatTime(start.time, format),
    to: formatTime(end, format),
    timezone: start.time.timeZoneId,
    seconds: milliseconds / 1000,
    exact: start.time.until(end, { largestUnit: 'hours' }).toString(),
    calendar: calendar.toString(),
    days: start.time.toPlainDate().until(end.toPlainDate(), { largestUnit: 'days' }).days,
    words: durationWords(calendar),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

function durationWords(duration: Duration): string {
  const parts = (['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'] as const).flatMap((unit) => {
    const count = Math.abs(duration[unit]);
    return count === 0 ? [] : [`${count} ${count === 1 ? unit.slice(0, -1) : unit}`];
  });
  if (parts.length === 0) return 'no difference';
  return `${parts.join(' ')} ${duration.sign < 0 ? 'earlier' : 'later'}`;
}
