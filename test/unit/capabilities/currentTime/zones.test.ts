import { strict as assert } from 'node:assert';
import { DateTime, FixedOffsetZone, IANAZone } from 'luxon';
import { formatTime, isDst } from '../../../../src/capabilities/currentTime/timeFormats';
import { loadTemporal } from '../../../../src/capabilities/currentTime/temporal';
import { findZone } from '../../../../src/capabilities/currentTime/zones';
import { runs } from '../../../support/counts';

/** A repeatable sequence of instants from 1970 to 2037, so that a failure can be run again. */
function instants(count: number, seed: number): readonly number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * Date.UTC(2037, 0, 1)) - (state % 1000 === 0 ? 1 : 0);
  });
}

describe('time zones', () => {
  it('S3.current-time: every IANA zone at 100 instants agrees with an independent implementation', async () => {
    const Temporal = await loadTemporal();
    const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
    const wrong: string[] = [];
    zones.forEach((zone, index) => {
      assert.equal(findZone(zone, 'UTC'), zone);
      const peerZone = IANAZone.create(zone);
      for (const instant of instants(runs(5, 100, 1000), index + 1)) {
        const time = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
        const local = time.toPlainDateTime();
        // The peer is asked for its offset once; of its zone by name it would ask it again for each part of the text.
        const peer = DateTime.fromMillis(instant, {
          zone: FixedOffsetZone.instance(peerZone.offset(instant)),
          locale: 'en-US',
        });
        const ours = [
          formatTime(time, 'rfc2822'),
          time.offsetNanoseconds / 6e10,
          local.weekOfYear,
          local.yearOfWeek,
          local.dayOfYear,
        ];
        const theirs = [peer.toRFC2822(), peer.offset, peer.weekNumber, peer.weekYear, peer.ordinal];
        if (String(ours) !== String(theirs))
          wrong.push(`${zone} at ${instant}: ${String(ours)} against ${String(theirs)}`);
      }
    });
    assert.deepEqual(wrong.slice(0, 10), []);
    assert.ok(zones.length > 400, String(zones.length));
  });

  it('calls the months with clocks put forward daylight saving time, in both hemispheres', async () => {
    const Temporal = await loadTemporal();
    const at = (text: string): boolean => isDst(Temporal.ZonedDateTime.from(text));
    assert.deepEqual(
      [
        at('2026-07-01T12:00[Europe/Berlin]'),
        at('2026-01-01T12:00[Europe/Berlin]'),
        at('2026-01-01T12:00[Australia/Sydney]'),
        at('2026-07-01T12:00[Australia/Sydney]'),
        at('2026-07-01T12:00[Europe/Dublin]'),
        at('2026-03-01T12:00[Africa/Casablanca]'),
        at('2026-07-01T12:00[Africa/Casablanca]'),
        at('2026-07-01T12:00[Asia/Tokyo]'),
        at('2026-07-01T12:00[+02:00]'),
      ],
      [true, false, true, false, true, false, false, false, false],
    );
  });
});
