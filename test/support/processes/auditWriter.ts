import { AuditStore } from '../../../src/node/audit/auditStore';
import { finished } from '../auditEvents';

// A window of its own: writes records and tells its parent of each that was finished. `dir run [count [bytes]]`: so
// many records in segments of so many bytes, without a count until it is killed. Where only the count is given it is
// the number that matters, and nothing is told.
const [dir = '', run = '', limit, segmentBytes] = process.argv.slice(2);
const store = new AuditStore({ dir, maxSegmentBytes: Number(segmentBytes ?? 200_000) });
const last = Number(limit ?? 'Infinity');

async function write(): Promise<void> {
  for (let count = 1; count <= last; count++) {
    store.record(finished({ invocationId: `${run}/${count}`, time: Date.now() }));
    await undefined;
    if (limit === undefined || segmentBytes !== undefined) process.send?.({ run, count });
    if (limit === undefined && count % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  store.dispose();
  process.disconnect?.();
}

void write();
