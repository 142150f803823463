import { strict as assert } from 'node:assert';
import { currentTime } from '../../../../src/capabilities/currentTime/currentTime';
import { callTool, FakeClock } from '../../../support/toolContext';

/** Saturday 2026-11-21 13:00 in Berlin. */
const call = async (input: Record<string, unknown>, zone = 'Europe/Berlin'): Promise<any> => {
  const result = await callTool(currentTime, 'convert_time', input, { clock: new FakeClock(zone) });
  return result.ok ? result.outcome.payload : result.error;
};

describe('convert_time', () => {
  it('S3.current-time: shows one time in several zones with the difference of their clocks', async () => {
    const answer = await call({
      time: '2026-07-01T15:00',
      timezone: 'Europe/Berlin',
      timezones: ['Asia/Kathmandu', 'America/New_York', 'UTC'],
    });
    assert.deepEqual(
      [answer.time, answer.zones.map((zone: any) => [zone.time, zone.timezone, zone.difference, zone.is_dst])],
      [
        '2026-07-01T15:00:00+02:00',
        [
          ['2026-07-01T18:45:00+05:45', 'Asia/Kathmandu', '+03:45', false],
          ['2026-07-01T09:00:00-04:00', 'America/New_York', '-06:00', true],
          ['2026-07-01T13:00:00+00:00', 'UTC', '-02:00', false],
        ],
      ],
    );
  });

  it('takes now, the own zone and convert where nothing is said', async () => {
    const answer = await call({});
    assert.deepEqual(
      [answer.operation, answer.time, answer.timezone],
      ['convert', '2026-11-21T13:00:00+01:00', 'Europe/Berlin'],
    );
  });

  it('reads ISO 8601 in its forms, Unix times and RFC 2822', async () => {
    const rows: readonly (readonly [string, string])[] = [
      ['2026-03-01', '2026-03-01T00:00:00+01:00'],
      ['2026-03-01T10:20', '2026-03-01T10:20:00+01:00'],
      ['2026-03-01 10:20:30.25', '2026-03-01T10:20:30.250+01:00'],
      ['20260301T102030Z', '2026-03-01T11:20:30+01:00'],
      ['2026-03-01T10:20:30-05:00', '2026-03-01T16:20:30+01:00'],
      ['2026-03-01T10:20+0530', '2026-03-01T05:50:00+01:00'],
      ['2026-03-01T10:20[Asia/Tokyo]', '2026-03-01T10:20:00+09:00'],
      ['2026-03-01T24:00', '2026-03-02T00:00:00+01:00'],
      ['2026-12-31T23:59:60Z', '2027-01-01T00:59:59+01:00'],
      ['2026-W47-6', '2026-11-21T00:00:00+01:00'],
      ['2026-W01', '2025-12-29T00:00:00+01:00'],
      ['2026-325', '2026-11-21T00:00:00+01:00'],
      ['1795262400', '2026-11-21T13:00:00+01:00'],
      ['1795262400000', '2026-11-21T13:00:00+01:00'],
      ['@0', '1970-01-01T01:00:00+01:00'],
      ['-1000000000', '1938-04-24T23:13:20+01:00'],
      ['Sat, 21 Nov 2026 12:00:00 +0000', '2026-11-21T13:00:00+01:00'],
      ['Sat, 21 Nov 2026 12:00:00 GMT', '2026-11-21T13:00:00+01:00'],
      ['15:00', '2026-11-21T15:00:00+01:00'],
      ['15:00 Asia/Tokyo', '2026-11-21T07:00:00+01:00'],
      ['tomorrow at 3pm UTC', '2026-11-22T16:00:00+01:00'],
      ['9am in America/New_York', '2026-11-21T15:00:00+01:00'],
    ];
    const got: [string, unknown][] = [];
    for (const [time] of rows) got.push([time, (await call({ time })).time]);
    assert.deepEqual(got, rows);
  });

  it('writes every format', async () => {
    const got: unknown[] = [];
    for (const format of ['iso8601', 'unix', 'unix_ms', 'rfc2822', 'human']) {
      got.push((await call({ time: '2026-07-01T15:00:00.5', format })).time);
    }
    assert.deepEqual(got, [
      '2026-07-01T15:00:00.500+02:00',
      1782910800,
      1782910800500,
      'Wed, 01 Jul 2026 15:00:00 +0200',
      'Wednesday, 1 July 2026, 15:00:00 (CEST, UTC+02:00)',
    ]);
  });

  it('adds durations: days on the wall clock, hours on the instant', async () => {
    const rows: readonly (readonly [string, string, string])[] = [
      ['2026-03-28T12:00', '1 day', '2026-03-29T12:00:00+02:00'],
      ['2026-03-28T12:00', '24 hours', '2026-03-29T13:00:00+02:00'],
      ['2026-01-31', '1 month', '2026-02-28T00:00:00+01:00'],
      ['2024-02-29', 'P1Y', '2025-02-28T00:00:00+01:00'],
      ['2026-11-21T13:00', 'P3DT4H', '2026-11-24T17:00:00+01:00'],
      ['2026-11-21T13:00', '3d 4h', '2026-11-24T17:00:00+01:00'],
      ['2026-11-21T13:00', '-90 minutes', '2026-11-21T11:30:00+01:00'],
      ['2026-11-21T13:00', '-PT90M', '2026-11-21T11:30:00+01:00'],
      ['2026-11-21T13:00', '1h30m', '2026-11-21T14:30:00+01:00'],
      ['2026-11-21T13:00', '2 weeks and 3 days', '2026-12-08T13:00:00+01:00'],
      ['2026-11-21T13:00', '1.5 days', '2026-11-23T01:00:00+01:00'],
      ['2026-11-21T13:00', 'an hour and a half', '2026-11-21T14:30:00+01:00'],
      ['2026-11-21T13:00', 'a couple of weeks', '2026-12-05T13:00:00+01:00'],
      ['2026-11-21T13:00', 'PT0.5S', '2026-11-21T13:00:00.500+01:00'],
      ['2026-11-21T13:00', 'one fortnight', '2026-12-05T13:00:00+01:00'],
      ['2026-11-21T13:00', '2 quarters', '2027-05-21T13:00:00+02:00'],
    ];
    const got: [string, string, unknown][] = [];
    for (const [time, duration] of rows)
      got.push([time, duration, (await call({ operation: 'add', time, duration })).time]);
    assert.deepEqual(got, rows);
  });

  it('tells the difference exactly and as the calendar counts', async () => {
    assert.deepEqual(await call({ operation: 'diff', time: '2026-03-28T12:00', other: '2026-03-29T12:00' }), {
      operation: 'diff',
      from: '2026-03-28T12:00:00+01:00',
      to: '2026-03-29T12:00:00+02:00',
      timezone: 'Europe/Berlin',
      seconds: 82800,
      exact: 'PT23H',
      calendar: 'P1D',
      days: 1,
      words: '1 day later',
    });
    const age = await call({ operation: 'diff', time: '1990-05-17' });
    const back = await call({ operation: 'diff', time: 'now', other: '1 hour ago' });
    const same = await call({ operation: 'diff', time: 'now', other: 'now' });
    assert.deepEqual(
      [age.calendar, back.words, back.seconds, same.words],
      ['P36Y6M4DT13H', '1 hour earlier', -3600, 'no difference'],
    );
  });

  it('notes what it assumed of both times once', async () => {
    const { notes } = await call({ operation: 'diff', time: '2026-07-01', other: '2026-07-04' });
    assert.deepEqual(notes?.length, 1, String(notes));
  });

  it('states an offset that the clocks of its zone do not have, and a day that its calendar skips', async () => {
    const noted = async (time: string, timezone?: string) => {
      const answer = await call({ operation: 'parse', time, ...(timezone === undefined ? {} : { timezone }) });
      return [answer.time, ...(answer.notes ?? []).map((note: string) => note.split(':')[0])];
    };
    assert.deepEqual(
      [
        await noted('2026-07-01T12:00+01:00[Asia/Tokyo]'),
        await noted('2026-07-01T12:00+09:00[Asia/Tokyo]'),
        await noted('2026-07-01T12:00Z[Asia/Tokyo]'),
        await noted('2026-07-01T12:00+01:00'),
        await noted('2011-12-30', 'Pacific/Apia'),
        await noted('2011-12-30T12:00', 'Pacific/Apia'),
        await noted('2011-12-31', 'Pacific/Apia'),
        await noted('December 30 2011', 'Pacific/Apia'),
      ],
      [
        ['2026-07-01T20:00:00+09:00', 'offset'],
        ['2026-07-01T12:00:00+09:00'],
        ['2026-07-01T21:00:00+09:00'],
        ['2026-07-01T13:00:00+02:00'],
        ['2011-12-31T00:00:00+14:00', 'no time of day was given', 'gap'],
        ['2011-12-31T12:00:00+14:00', 'gap'],
        ['2011-12-31T00:00:00+14:00', 'no time of day was given'],
        ['2011-12-31T00:00:00+14:00', 'no time of day was given', 'gap'],
      ],
    );
  });

  it('states gaps and overlaps of ten zones', async () => {
    const rows: readonly (readonly [string, string, 'gap' | 'overlap', string])[] = [
      ['Europe/Berlin', '2026-03-29T02:30', 'gap', '2026-03-29T03:30:00+02:00'],
      ['Europe/Berlin', '2026-10-25T02:30', 'overlap', '2026-10-25T02:30:00+02:00'],
      ['Europe/London', '2026-03-29T01:30', 'gap', '2026-03-29T02:30:00+01:00'],
      ['Europe/London', '2026-10-25T01:30', 'overlap', '2026-10-25T01:30:00+01:00'],
      ['America/New_York', '2026-03-08T02:30', 'gap', '2026-03-08T03:30:00-04:00'],
      ['America/New_York', '2026-11-01T01:30', 'overlap', '2026-11-01T01:30:00-04:00'],
      ['America/Los_Angeles', '2026-03-08T02:15', 'gap', '2026-03-08T03:15:00-07:00'],
      ['America/Los_Angeles', '2026-11-01T01:15', 'overlap', '2026-11-01T01:15:00-07:00'],
      ['America/St_Johns', '2026-03-08T02:30', 'gap', '2026-03-08T03:30:00-02:30'],
      ['America/St_Johns', '2026-11-01T01:30', 'overlap', '2026-11-01T01:30:00-02:30'],
      ['Australia/Sydney', '2026-10-04T02:30', 'gap', '2026-10-04T03:30:00+11:00'],
      ['Australia/Sydney', '2026-04-05T02:30', 'overlap', '2026-04-05T02:30:00+11:00'],
      ['Australia/Lord_Howe', '2026-10-04T02:15', 'gap', '2026-10-04T02:45:00+11:00'],
      ['Australia/Lord_Howe', '2026-04-05T01:45', 'overlap', '2026-04-05T01:45:00+11:00'],
      ['Pacific/Auckland', '2026-09-27T02:30', 'gap', '2026-09-27T03:30:00+13:00'],
      ['Pacific/Auckland', '2026-04-05T02:30', 'overlap', '2026-04-05T02:30:00+13:00'],
      ['Africa/Casablanca', '2026-03-22T02:30', 'gap', '2026-03-22T03:30:00+01:00'],
      ['Africa/Casablanca', '2026-02-15T02:30', 'overlap', '2026-02-15T02:30:00+01:00'],
      ['Pacific/Apia', '2011-12-30T12:00', 'gap', '2011-12-31T12:00:00+14:00'],
      ['America/Santiago', '2026-04-04T23:30', 'overlap', '2026-04-04T23:30:00-03:00'],
    ];
    const got: unknown[] = [];
    for (const [timezone, time] of rows) {
      const answer = await call({ time, timezone });
      got.push([timezone, time, answer.notes?.[0]?.split(':')[0], answer.time]);
    }
    assert.deepEqual(got, rows);
    assert.equal(new Set(rows.map(([zone]) => zone)).size, 11);
  });

  it('refuses what it does not understand, with what was expected', async () => {
    const inputs: readonly Record<string, unknown>[] = [
      { time: 'gibberish' },
      { time: '2026-02-30' },
      { time: '2026-13-01' },
      { time: '25:00' },
      { time: '13pm' },
      { time: '2026-W54' },
      { time: '2026-366' },
      { time: '' },
      { time: 'next' },
      { time: '5/6/2026' },
      { time: 'x'.repeat(500) },
      { time: '99999999999999999999' },
      { operation: 'add', duration: '3 parsecs' },
      { operation: 'add', duration: '' },
      { operation: 'add', duration: 'P999999999Y' },
      { operation: 'diff', other: 'someday' },
    ];
    const codes: unknown[] = [];
    for (const input of inputs) codes.push((await call(input)).code);
    assert.deepEqual(
      codes,
      inputs.map(() => 'invalid_time'),
    );
    assert.deepEqual(
      [
        (await call({ operation: 'add' })).code,
        (await call({ timezones: ['Nowhere'] })).code,
        (await call({ time: '15:00 Mars/Phobos' })).code,
        (await call({ operation: 'guess' })).code,
      ],
      ['invalid_input', 'unknown_time_zone', 'unknown_time_zone', 'invalid_input'],
    );
  });
});
