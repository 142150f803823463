import { harmless, type ToolDefinition } from '../../core/vocabulary/toolDefinition';
import { defineTool } from '../../core/capability/tool';
import { boolean, builtin, integer, number, object, objects, string, strings } from '../../core/capability/declare';
import { convertTimeInput, getCurrentTimeInput } from './inputs';

const getCurrentTimeDefinition: ToolDefinition = {
  ...harmless,
  name: 'get_current_time',
  title: 'Get current time',
  kind: 'state',
  modelDescription:
    'Get the current date and time (now, today, clock) in a time zone. Use it before you reason about today, deadlines or ages; for other times use convert_time. Returns time, timezone, utc_offset, weekday, iso_week, is_dst.',
  userDescription: 'Tells the date and time in any time zone',
  modelInputs: { timezone: "IANA name or offset; the user's own where left out", format: '' },
  inputSchema: getCurrentTimeInput,
  outputSchema: object({
    time: { type: ['string', 'number'] },
    format: string,
    timezone: string,
    utc_offset: string,
    weekday: string,
    iso_week: string,
    day_of_year: integer,
    is_dst: boolean,
  }),
  repeatable: true,
  icon: 'clock',
  tags: ['time', 'date', 'timezone'],
};

const convertTimeDefinition: ToolDefinition = {
  ...harmless,
  name: 'convert_time',
  title: 'Convert time',
  kind: 'data',
  modelDescription:
    "Convert a date or time between time zones, add a duration, tell the difference (days until, age) of two, or parse words such as 'next monday at 3pm'. Use it for all date arithmetic; for the time now alone use get_current_time. Returns the time with timezone and weekday, exact and calendar difference, and notes on assumptions.",
  userDescription: 'Converts, adds, compares and understands dates and times',
  modelInputs: {
    operation: '',
    time: 'ISO 8601, Unix time, or words; now where left out',
    timezone: 'IANA name or offset',
    timezones: 'Further ones to show it in',
    duration: 'For add: P3DT4H, 3d 4h, -90 minutes',
    other: 'For diff: the second time',
    format: '',
  },
  inputSchema: convertTimeInput,
  outputSchema: object(
    { operation: string, timezone: string },
    { time: { type: ['string', 'number'] }, zones: objects, seconds: number, notes: strings },
  ),
  icon: 'globe',
  tags: ['time', 'date', 'timezone', 'duration', 'calendar'],
};

/** The time now, with conversion between zones beside it. */
export const currentTime = builtin({
  id: 'current_time',
  name: 'Current Time',
  description: 'Tool to get current date and time in various formats and timezones.',
  summary: 'date and time in any zone',
  icon: 'clock',
  category: 'Utilities',
  tools: [
    defineTool(getCurrentTimeDefinition, async () => (await import('./getCurrentTime')).getCurrentTime),
    defineTool(convertTimeDefinition, async () => (await import('./convertTime')).convertTime),
  ],
});
