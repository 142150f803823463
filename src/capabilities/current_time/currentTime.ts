import type { Capability } from '../../core/capability';
import { defineTool, type ToolDefinition } from '../../core/tool';
import type { GetCurrentTimeInput } from './getCurrentTime';

const shared = {
  permissions: { user: 'allowed', agent: 'allowed' },
  scopes: [],
  riskLevel: 'low',
  sideEffects: [],
  costClass: 'free',
  idempotency: 'idempotent',
  reversible: true,
  timeoutMs: 5000,
} as const satisfies Partial<ToolDefinition>;

const zoneHint = 'IANA name such as `Europe/Berlin`, `UTC`, or an offset such as `+05:30`';

const getCurrentTimeDefinition: ToolDefinition = {
  ...shared,
  name: 'get_current_time',
  title: 'Get current time',
  kind: 'state',
  modelDescription:
    'Get the current date and time (now, today, clock, timestamp) in a time zone. Use it before you reason about today, deadlines or ages; to compute with other times use convert_time. Returns time in the format asked for, timezone, utc_offset, abbreviation, weekday, iso_week, day_of_year, is_dst and next_dst_change.',
  userDescription: 'Tells the date and time in any time zone',
  inputSchema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      timezone: { type: 'string', maxLength: 100, description: `${zoneHint}; the user's own where it is left out` },
      format: {
        type: 'string',
        enum: ['iso8601', 'unix', 'human'],
        default: 'iso8601',
        description: 'How `time` is written: ISO 8601, Unix seconds, or words',
      },
    },
  },
  outputSchema: {
    type: 'object',
    properties: { time: { type: ['string', 'number'] }, timezone: { type: 'string' }, utc_offset: { type: 'string' } },
    required: ['time', 'format', 'timezone', 'utc_offset', 'weekday', 'iso_week', 'day_of_year', 'is_dst'],
  },
  repeatable: true,
  icon: 'clock',
  tags: ['time', 'date', 'timezone'],
};

/** Seed 3's CurrentTime, with conversion beside it. */
export const currentTime: Capability = {
  id: 'current_time',
  version: '1.0.0',
  name: 'Current Time',
  description: 'Tool to get current date and time in various formats and timezones.',
  status: 'available',
  source: { type: 'builtin' },
  icon: 'clock',
  category: 'Utilities',
  tools: [defineTool<GetCurrentTimeInput>(getCurrentTimeDefinition, async () => (await import('./getCurrentTime')).getCurrentTime)],
};
