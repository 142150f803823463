import { strict as assert } from 'node:assert';
import type { History } from '../../../../src/core/changes/history';
import { HistoryReader } from '../../../../src/core/changes/historyReader';
import type { ChangeRecord } from '../../../../src/core/ports/changes';
import { RecordOrder } from '../../../../src/node/changes/recordOrder';
import { runs } from '../../../support/counts';
import { random } from '../../../support/histories';

const file = { kind: 'file', hash: 'a', size: 1 } as const;
const by = { tool: 'tool', actor: { type: 'agent', id: 'a' }, profile: 'p', scheme: 'file', root: '/r' } as const;

/** Any record: of a new change or of one that was told already, of its end, of what takes one back. */
function anyRecord(next: (below: number) => number, time: number): ChangeRecord {
  const id = `c${next(12)}`;
  if (next(3) === 0) return { type: 'ended', id, ...(next(6) === 0 ? { failed: true } : {}) };
  if (next(30) === 0) return { type: 'dropped', time, changes: 1 };
  const isDelete = next(8) === 0;
  const reverts = next(2) === 0 ? { reverts: `c${next(12)}` } : {};
  const action = isDelete ? 'delete' : 'write';
  const after = isDelete ? ({ kind: 'nothing' } as const) : file;
  return { type: 'change', id, call: id, time, path: `p${next(2)}`, action, before: file, after, ...by, ...reverts };
}

/** All that a history says, also of which changes nobody needs to look at. */
function said({ changes, byId, dropped, writes }: History): unknown {
  const plain = changes.map(({ takenBackBy, ...one }) => ({ ...one, by: takenBackBy.map(({ id }) => id) }));
  const quiet = changes.map(({ at }) => [
    writes.leavesPlaces(at),
    changes.filter((one) => writes.isOver(at, one.at)).map(({ id }) => id),
    writes.firstOf({ scheme: 'file', root: '/r', path: 'p0' }, at)?.id,
  ]);
  return { plain, quiet, ids: [...byId.keys()], dropped };
}

/** In order, as it would be reckoned from nothing. */
function sorted(segments: readonly (readonly ChangeRecord[])[]): readonly ChangeRecord[] {
  const placed = segments.flatMap((records) => {
    let latest = 0;
    return records.map((record) => {
      if (record.type === 'change') latest = Math.max(latest, record.time);
      return { record, latest };
    });
  });
  return placed.sort((a, b) => a.latest - b.latest).map(({ record }) => record);
}

describe('A history that is read again', () => {
  it('is what it would be, read from nothing, whatever several processes told meanwhile', () => {
    for (let seed = 1; seed <= runs(300, 3000); seed++) {
      const next = random(seed);
      const reader = new HistoryReader();
      const order = new RecordOrder();
      let segments: ChangeRecord[][] = [[]];
      for (let step = 0; step < 12; step++) {
        if (next(5) === 0) segments = [...segments, []];
        if (next(15) === 0) segments = segments.slice(1);
        for (let count = next(5); count > 0; count--)
          segments[next(8) > 0 ? segments.length - 1 : next(segments.length)]?.push(
            anyRecord(next, next(6) > 0 ? step : next(12)),
          );
        const records = order.of(segments);
        assert.deepEqual(records, sorted(segments), `seed ${seed}`);
        const ends = next(4) === 0 ? [{ type: 'ended', id: `c${next(12)}` } as const] : [];
        assert.deepEqual(
          said(reader.read(records, ends)),
          said(new HistoryReader().read([...records, ...ends])),
          `seed ${seed}`,
        );
      }
    }
  });
});
