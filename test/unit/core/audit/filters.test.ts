import { strict as assert } from 'node:assert';
import { worded } from '../../../../src/core/base/sentence';
import { parseFilter, parseTime } from '../../../../src/core/audit/query';

describe('the filters of the audit, as people write them', () => {
  it('reads times with a space, small letters and a zone without a colon', () => {
    const local = new Date('2026-11-21T15:00').toISOString();
    for (const [written, time] of [
      ['2026-11-21 15:00', local],
      ['2026-11-21T15:00', local],
      ['2026-11-21T15:00+0100', '2026-11-21T14:00:00.000Z'],
      ['2026-11-21 15:00:00 -01:30', '2026-11-21T16:30:00.000Z'],
      ['2026-11-21t15:00:00z', '2026-11-21T15:00:00.000Z'],
      ['2026-02-30 15:00', undefined],
      ['2026-11-21T15:00+9900', undefined],
    ] as const)
      assert.equal(parseTime(written, 0), time, written);
  });

  it('reads filters as people type them and says what is wrong with others', () => {
    const now = Date.UTC(2026, 10, 21, 12);
    const notDays = ['2026-02-29', '2026-02-30', '2026-06-31T10:00Z', '2026-13-01', '2026-11-00', '2026-11-20 (x)'];
    const wrongTimes = ['yesterday', `${'9'.repeat(300)}w`, '2026-11-20T25:00Z', ...notDays];
    const wrongTime = (value: string) => ({
      ok: false,
      problem: `since must be a date such as 2026-11-21 or 2026-11-21T12:00:00Z, or a span such as 2h or 7d (got \`${value}\`)`,
    });
    assert.deepEqual(
      [
        parseFilter({ since: '2h', until: '2026-11-22', tool: 'a, b', risk: 'high+', outcome: 'ok' }, now),
        parseFilter({ since: '1w', until: '1.5h' }, now),
        ...[...wrongTimes.map((since) => ({ since })), { risk: 'huge' }].map((raw) => {
          const parsed = parseFilter(raw, now);
          return parsed.ok ? parsed : { ok: false, problem: worded(parsed.problem) };
        }),
      ],
      [
        {
          ok: true,
          filter: {
            since: '2026-11-21T10:00:00.000Z',
            until: '2026-11-22T00:00:00.000Z',
            tool: ['a', 'b'],
            risk: ['high', 'critical'],
            outcome: ['success'],
          },
        },
        { ok: true, filter: { since: '2026-11-14T12:00:00.000Z', until: '2026-11-21T10:30:00.000Z' } },
        ...wrongTimes.map(wrongTime),
        { ok: false, problem: 'risk must be low, medium, high, critical, or one of them with + (got `huge`)' },
      ],
    );
  });
});
