import { strict as assert } from 'node:assert';
import { currentTime } from '../../../../src/capabilities/currentTime/currentTime';
import { callTool, FakeClock } from '../../../support/toolContext';

const now = async (input: Record<string, unknown>, zone = 'Europe/Berlin') => {
  const result = await callTool(currentTime, 'get_current_time', input, { clock: new FakeClock(zone) });
  return result.ok ? result.outcome.payload : result.error;
};

describe('get_current_time', () => {
  it('S3.current-time: tells everything about now in the time zone that was asked for', async () => {
    assert.deepEqual(await now({ timezone: 'America/New_York' }), {
      time: '2026-11-21T07:00:00-05:00',
      format: 'iso8601',
      timezone: 'America/New_York',
      unix: 1795262400,
      utc_offset: '-05:00',
      abbreviation: 'EST',
      weekday: 'Saturday',
      iso_week: '2026-W47',
      day_of_year: 325,
      is_dst: false,
      next_dst_change: { at: '2027-03-14T03:00:00-04:00', from: '-05:00', to: '-04:00' },
    });
  });

  it('S3.current-time: takes the machine’s zone and ISO 8601 where nothing is said', async () => {
    const payload = (await now({})) as Record<string, unknown>;
    assert.deepEqual([payload['time'], payload['timezone']], ['2026-11-21T13:00:00+01:00', 'Europe/Berlin']);
  });

  it('S3.current-time: writes Unix seconds and words', async () => {
    const unix = (await now({ timezone: 'UTC', format: 'unix' })) as Record<string, unknown>;
    const human = (await now({ timezone: 'Asia/Kolkata', format: 'human' })) as Record<string, unknown>;
    assert.deepEqual(
      [unix['time'], unix['iso8601'], human['time']],
      [1795262400, '2026-11-21T12:00:00+00:00', 'Saturday, 21 November 2026, 17:30:00 (IST, UTC+05:30)'],
    );
  });

  it('takes offsets, any case and spaces for underscores, and keeps the name that was asked for', async () => {
    const zones: unknown[] = [];
    for (const timezone of [
      'utc',
      'Z',
      '+05:30',
      'UTC-3',
      'america/new york',
      'Asia/Kolkata',
      'asia/ho_chi_minh',
      'local',
      '',
    ]) {
      zones.push(((await now({ timezone })) as Record<string, unknown>)['timezone']);
    }
    assert.deepEqual(zones, [
      'UTC',
      'UTC',
      '+05:30',
      '-03:00',
      'America/New_York',
      'Asia/Kolkata',
      'Asia/Ho_Chi_Minh',
      'Europe/Berlin',
      'Europe/Berlin',
    ]);
  });

  it('S3.current-time: refuses an unknown zone and suggests the one that was meant', async () => {
    const suggestions: unknown[] = [];
    for (const timezone of ['Europe/Berln', 'Tokyo', 'PST', 'New York', 'Mars/Phobos', '\u0000', 'IST']) {
      const error = (await now({ timezone })) as { code: string; details: { suggestions: string[] } };
      suggestions.push([error.code, error.details.suggestions[0]]);
    }
    assert.deepEqual(suggestions, [
      ['unknown_time_zone', 'Europe/Berlin'],
      ['unknown_time_zone', 'Asia/Tokyo'],
      ['unknown_time_zone', 'America/Los_Angeles'],
      ['unknown_time_zone', 'America/New_York'],
      ['unknown_time_zone', undefined],
      ['unknown_time_zone', undefined],
      ['unknown_time_zone', 'Asia/Kolkata'],
    ]);
  });

  it('S3.current-time: refuses a format that does not exist and properties that nobody knows', async () => {
    const codes: unknown[] = [];
    for (const input of [{ format: 'iso' }, { timezone: 5 }, { zone: 'UTC' }]) {
      codes.push(((await now(input)) as { code: string }).code);
    }
    assert.deepEqual(codes, ['invalid_input', 'invalid_input', 'invalid_input']);
  });
});
