import { AuditStore } from '../../src/node/audit/auditStore';
import { finished } from './auditEvents';

// A window of its own: writes records and tells its parent of each that was finished. `dir run [count]`; without a
// count until it is killed.
const [dir = '', run = '', limit] = process.argv.slice(2);
const store = new AuditStore({ dir, maxSegmentBytes: 200_000 });
const last = limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);

async function write(): Promise<void> {
  for (let count = 1; count <= last; count++) {
    store.record(finished({ invocationId: `${run}/${count}`, time: Date.now() }));
    await undefined;
    if (limit === undefined) {
      process.send?.({ run, count });
      if (count % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  store.dispose();
  process.disconnect?.();
}

void write();
