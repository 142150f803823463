import { timeFormats } from './timeFormats';
import { choice, type InputOf, options, text } from '../shared/parameters';

const zoneHint = 'IANA name such as `Europe/Berlin`, `UTC`, or an offset such as `+05:30`';

export const getCurrentTimeInput = options({
  timezone: text(`${zoneHint}; the user's own where it is left out`, 100, 0),
  format: choice('How `time` is written: ISO 8601, Unix seconds, or words', ['iso8601', 'unix', 'human'], 'iso8601'),
});
export type GetCurrentTimeInput = InputOf<typeof getCurrentTimeInput>;

export const convertTimeInput = options({
  operation: choice('diff goes from time to other', ['convert', 'add', 'diff', 'parse'], 'convert'),
  time: {
    type: 'string',
    maxLength: 1000,
    default: 'now',
    description:
      'ISO 8601, Unix seconds or milliseconds, `15:00`, or words such as `next monday at 3pm`; a zone may follow',
  },
  timezone: text(
    `Where a time without offset stands and the result is shown: ${zoneHint}; the user's own where it is left out`,
    100,
    0,
  ),
  timezones: {
    type: 'array',
    maxItems: 20,
    items: { type: 'string', maxLength: 100 },
    description: 'Further time zones to show the result in',
  },
  duration: text('For add: `P3DT4H`, `3d 4h`, `-90 minutes`', 1000, 0),
  other: text('For diff: the second time; now where it is left out', 1000, 0),
  format: choice('How times are written', timeFormats, 'iso8601'),
});
export type ConvertTimeInput = InputOf<typeof convertTimeInput>;
