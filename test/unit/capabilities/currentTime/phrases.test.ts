import { strict as assert } from 'node:assert';
import { DateTime } from 'luxon';
import { currentTime } from '../../../../src/capabilities/currentTime/currentTime';
import { callTool, FakeClock } from '../../../support/toolContext';

const zone = 'Europe/Berlin';
const clock = new FakeClock(zone);
const now = DateTime.fromMillis(clock.now(), { zone });
const midnight = now.startOf('day');

/** Phrases with the moment that luxon, by its own arithmetic, gives them. */
function phrases(): readonly (readonly [string, DateTime])[] {
  const rows: [string, DateTime][] = [
    ['now', now],
    ['right now', now],
    ['today', midnight],
    ['tomorrow', midnight.plus({ days: 1 })],
    ['yesterday', midnight.minus({ days: 1 })],
    ['the day after tomorrow', midnight.plus({ days: 2 })],
    ['day before yesterday', midnight.minus({ days: 2 })],
    ['noon', midnight.set({ hour: 12 })],
    ['midnight', midnight],
    ['tomorrow at noon', midnight.plus({ days: 1 }).set({ hour: 12 })],
    ['tonight', midnight.set({ hour: 20 })],
    ['tonight at 9pm', midnight.set({ hour: 21 })],
    ['tomorrow morning', midnight.plus({ days: 1 }).set({ hour: 9 })],
    ['yesterday afternoon', midnight.minus({ days: 1 }).set({ hour: 15 })],
    ['this evening', midnight.set({ hour: 19 })],
    ['half past 3', midnight.set({ hour: 3, minute: 30 })],
    ['quarter to five pm', midnight.set({ hour: 16, minute: 45 })],
    ['a quarter past 12', midnight.set({ hour: 12, minute: 15 })],
    ['10 past 4 pm', midnight.set({ hour: 16, minute: 10 })],
    ['twenty to nine', midnight.set({ hour: 8, minute: 40 })],
    ["5 o'clock", midnight.set({ hour: 5 })],
    ['in 3 days at 9am', midnight.plus({ days: 3 }).set({ hour: 9 })],
    ['2 days ago at 17:30', midnight.minus({ days: 2 }).set({ hour: 17, minute: 30 })],
    ['an hour before noon', midnight.set({ hour: 11 })],
    ['2 hours after midnight', midnight.set({ hour: 2 })],
    ['3 days before tomorrow', midnight.minus({ days: 2 })],
    ['a week from tomorrow', midnight.plus({ days: 8 })],
    ['2 weeks after 1 march 2027', DateTime.fromISO('2027-03-15', { zone })],
    ['a fortnight ago', now.minus({ days: 14 })],
    ['half an hour ago', now.minus({ minutes: 30 })],
    ['in half an hour', now.plus({ minutes: 30 })],
    ['in an hour and a half', now.plus({ minutes: 90 })],
    ['in a couple of days', now.plus({ days: 2 })],
    ['in 2 hours and 15 minutes', now.plus({ minutes: 135 })],
    ['1h30m ago', now.minus({ minutes: 90 })],
    ['in 3d 4h', now.plus({ days: 3, hours: 4 })],
    ['next week', midnight.startOf('week').plus({ weeks: 1 })],
    ['last week', midnight.startOf('week').minus({ weeks: 1 })],
    ['next month', midnight.startOf('month').plus({ months: 1 })],
    ['last month', midnight.startOf('month').minus({ months: 1 })],
    ['next year', midnight.startOf('year').plus({ years: 1 })],
    ['this year', midnight.startOf('year')],
    ['next quarter', midnight.startOf('quarter').plus({ months: 3 })],
    ['end of the month', midnight.endOf('month').startOf('day')],
    ['end of month', midnight.endOf('month').startOf('day')],
    ['end of next month', midnight.plus({ months: 1 }).endOf('month').startOf('day')],
    ['start of next year', midnight.startOf('year').plus({ years: 1 })],
    ['beginning of the week', midnight.startOf('week')],
    ['end of week', midnight.endOf('week').startOf('day')],
    ['end of day', midnight.set({ hour: 23, minute: 59, second: 59 })],
    ['end of the year', midnight.endOf('year').startOf('day')],
    ['last day of february', DateTime.fromISO('2026-02-28', { zone })],
    ['last day of february 2028', DateTime.fromISO('2028-02-29', { zone })],
    ['first day of next month', midnight.startOf('month').plus({ months: 1 })],
    ['first monday of march 2027', DateTime.fromISO('2027-03-01', { zone })],
    ['the third thursday of november', DateTime.fromISO('2026-11-19', { zone })],
    ['last friday of next month', DateTime.fromISO('2026-12-25', { zone })],
    ['last monday of may 2027 at 10:00', DateTime.fromISO('2027-05-31T10:00', { zone })],
    ['2nd tuesday of next month', DateTime.fromISO('2026-12-08', { zone })],
    ['monday next week', midnight.startOf('week').plus({ weeks: 1 })],
    ['friday last week', midnight.startOf('week').minus({ weeks: 1 }).plus({ days: 4 })],
    ['21 november 2026', midnight],
    ['november 21, 2026', midnight],
    ['nov 21st 2026 5pm', midnight.set({ hour: 17 })],
    ['the 21st of november', midnight],
    ['21 nov', midnight],
    ['21-nov-2026', midnight],
    ['march 2027', DateTime.fromISO('2027-03-01', { zone })],
    ['21/11/2026', midnight],
    ['11/21/2026', midnight],
    ['21.11.2026 14:00', midnight.set({ hour: 14 })],
    ['2026-12-24 at 6 pm', DateTime.fromISO('2026-12-24T18:00', { zone })],
    ['3:30 p.m. tomorrow', midnight.plus({ days: 1 }).set({ hour: 15, minute: 30 })],
    ['at 12am', midnight],
    ['12pm', midnight.set({ hour: 12 })],
    ['Sept 1', DateTime.fromISO('2026-09-01', { zone })],
    ['Friday, 27 November 2026', DateTime.fromISO('2026-11-27', { zone })],
  ];
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  days.forEach((day, index) => {
    const from = (start: DateTime, step: number): DateTime => {
      let date = start;
      while (date.weekday !== index + 1) date = date.plus({ days: step });
      return date;
    };
    rows.push([day, from(midnight, 1)]);
    rows.push([`next ${day}`, from(midnight.plus({ days: 1 }), 1)]);
    rows.push([`last ${day}`, from(midnight.minus({ days: 1 }), -1)]);
    rows.push([`this ${day}`, midnight.startOf('week').plus({ days: index })]);
    rows.push([`next ${day.slice(0, 3)} at 3pm`, from(midnight.plus({ days: 1 }), 1).set({ hour: 15 })]);
    rows.push([`${day} 09:15`, from(midnight, 1).set({ hour: 9, minute: 15 })]);
  });
  for (const unit of ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const) {
    for (const count of [1, 2, 5, 12, 30]) {
      const plural = count === 1 ? unit : `${unit}s`;
      rows.push([`in ${count} ${plural}`, now.plus({ [unit]: count })]);
      rows.push([`${count} ${plural} ago`, now.minus({ [unit]: count })]);
    }
    rows.push([`${unit === 'hour' ? 'an' : 'a'} ${unit} from now`, now.plus({ [unit]: 1 })]);
    rows.push([`three ${unit}s later`, now.plus({ [unit]: 3 })]);
  }
  return rows;
}

describe('natural phrases', () => {
  it('S3.current-time: 200 phrases mean what an independent implementation computes', async () => {
    const rows = phrases();
    const wrong: string[] = [];
    for (const [time, expected] of rows) {
      const result = await callTool(
        currentTime,
        'convert_time',
        { operation: 'parse', time, format: 'unix_ms' },
        { clock },
      );
      const got = result.ok ? (result.outcome.payload as { time: number }).time : result.error.message;
      if (got !== expected.toMillis())
        wrong.push(
          `${time}: expected ${expected.toISO()}, got ${typeof got === 'number' ? DateTime.fromMillis(got, { zone }).toISO() : got}`,
        );
    }
    assert.deepEqual(wrong, []);
    assert.ok(rows.length >= 200, String(rows.length));
  });
});
