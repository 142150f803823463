import { writeSync } from 'node:fs';
import { CallLimits } from '../../../src/core/policy/limits/limits';
import { fileStore } from '../../../src/node/fileStore';
import { nodeCrypto, systemClock } from '../../../src/node/system';
import { fakeCall } from '../gateCall';
import { layersOf, ok } from '../limits';

// A process that makes calls under a limit that others share, and says of each that is allowed
// (test/unit/node/sharedLimits.test.ts). It begins at a time that all of them are told. With `killed` it is killed
// at once after the first.
const [folder = '', limit = '', begin = '0', calls = '1', how = ''] = process.argv.slice(2);
const storage = fileStore(folder, (message) => writeSync(2, message));
const limits = new CallLimits({ clock: systemClock, storage, isBrief: true, limits: layersOf({ all: limit }) });
while (Date.now() < Number(begin));
for (let made = 0; made < Number(calls); made++) {
  const call = { ...fakeCall({ actor: { type: 'user', id: 'u' } }), invocationId: nodeCrypto.randomId() };
  if (limits.judge(call).effect === 'deny') continue;
  writeSync(1, 'y');
  if (how === 'killed') process.kill(process.pid, 'SIGKILL');
  limits.finished(call, ok(call));
}
limits.dispose();
