import { strict as assert } from 'node:assert';
import { Apart } from '../../../src/vscode/agent/apart';

describe('changes of agents', () => {
  const now = Date.now;
  afterEach(() => void (Date.now = now));

  async function measured(work: () => Promise<unknown>): Promise<number> {
    const start = performance.now();
    await work();
    return performance.now() - start;
  }

  it('D.follow: wait for the one before, for no longer than they have to', async () => {
    const apart = new Apart(100);
    assert.ok((await measured(() => apart.whole())) < 90, 'nothing was changed yet');
    apart.changed();
    assert.equal(await apart.turn(), false);
    const waited = await measured(() => apart.whole());
    assert.ok(waited < 90, String(waited));
    apart.changed();
    assert.ok((await measured(() => apart.whole())) >= 99);
  });

  it('D.follow: do not wait for a clock that was set back, nor for a change that is to come', async () => {
    const apart = new Apart(50);
    apart.changed();
    Date.now = () => now() - 3_600_000;
    const waited = await measured(() => apart.whole());
    assert.ok(waited < 1000, String(waited));
    assert.equal(await apart.turn(now()), true);
  });

  it('D.follow: wait for what another window changed, and then look again', async () => {
    const apart = new Apart(100);
    assert.equal(await apart.turn(Date.now() - 20), false);
    assert.equal(await apart.turn(Date.now() - 100), true);
  });
});
