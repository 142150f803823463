import { strict as assert } from 'node:assert';
import { Apart } from '../../../src/vscode/agent/apart';

describe('changes of agents', () => {
  const real = { setTimeout: globalThis.setTimeout, now: Date.now, monotonic: performance.now };
  let pauses: number[];
  /** Milliseconds since the test began, and those by which somebody set the clock. */
  let [passed, set] = [0, 0];

  // Time goes by where something waits for it, and at no other moment.
  beforeEach(() => {
    [pauses, passed, set] = [[], 0, 0];
    performance.now = () => 1000 + passed;
    Date.now = () => 1_800_000_000_000 + passed + set;
    const pass = (done: () => void, ms: number): unknown => {
      pauses.push(ms);
      passed += ms;
      return setImmediate(done);
    };
    globalThis.setTimeout = pass as typeof setTimeout;
  });
  afterEach(() => {
    globalThis.setTimeout = real.setTimeout;
    Date.now = real.now;
    performance.now = real.monotonic;
  });

  it('D.follow: wait for the one before, and for no longer than they have to', async () => {
    const apart = new Apart(400);
    await apart.whole();
    assert.deepEqual(pauses, [], 'nothing was changed yet');
    apart.changed();
    passed += 150;
    assert.equal(await apart.turn(), false, 'it waited');
    assert.deepEqual(pauses, [250]);
    assert.equal(await apart.turn(), true);
    apart.changed();
    await apart.whole();
    assert.deepEqual(pauses, [250, 400]);
  });

  it('D.follow: do not wait for a clock that was set, nor for a change that is to come', async () => {
    const apart = new Apart(400);
    apart.changed();
    set = -3_600_000;
    await apart.whole();
    assert.deepEqual(pauses, [400]);
    assert.equal(await apart.turn(Date.now() + 3_600_000), true);
    assert.deepEqual(pauses, [400]);
  });

  it('D.follow: wait for what another window changed, and then look again', async () => {
    const apart = new Apart(400);
    assert.equal(await apart.turn(Date.now() - 300), false);
    assert.deepEqual(pauses, [100]);
    assert.equal(await apart.turn(Date.now() - 400), true);
  });

  it('D.follow: wait until what watches the files has told of the one before, for three seconds at most', async () => {
    const apart = new Apart(400);
    apart.changing('user');
    await apart.whole();
    assert.deepEqual(pauses, [400], 'nobody knows yet whether anything tells');
    apart.heard('user');
    await apart.whole();
    assert.deepEqual(pauses, [400, 400], 'the editor reads its agents after it heard');
    pauses = [];
    apart.changing('user');
    for (let times = 0; times < 4; times++) assert.equal(await apart.turn(), false);
    apart.heard('user');
    assert.equal(await apart.turn(), false);
    assert.equal(await apart.turn(), true);
    assert.deepEqual(pauses, [400, 400, 400, 400, 400]);
    pauses = [];
    apart.changing('user');
    await apart.whole();
    assert.equal(
      pauses.reduce((sum, ms) => sum + ms, 0),
      3000,
    );
    pauses = [];
    apart.changed();
    await apart.whole();
    assert.deepEqual(pauses, [400], 'of a folder nobody tells');
  });

  it('D.follow: is told of those of the workspace apart from those of the user', async () => {
    const apart = new Apart(400);
    apart.heard('user');
    apart.changing('workspace');
    await apart.whole();
    assert.deepEqual(pauses, [400], 'nobody knows yet whether anything tells of the workspace');
    pauses = [];
    apart.heard('workspace');
    apart.changing('workspace');
    apart.heard('user');
    for (let times = 0; times < 4; times++)
      assert.equal(await apart.turn(), false, 'what another window wrote is heard');
    apart.heard('workspace');
    await apart.whole();
    assert.deepEqual(pauses, [400, 400, 400, 400, 400]);
  });
});
