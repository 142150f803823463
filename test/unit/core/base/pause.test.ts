import { strict as assert } from 'node:assert';
import { pause, withinMs } from '../../../../src/core/base/pause';
import { FakeClock } from '../../../support/toolContext';

describe('a pause', () => {
  it('ends after its time, early where its signal aborts, and at once where that has aborted', async () => {
    const clock = new FakeClock();
    let ended = 0;
    const stop = new AbortController();
    const wait = (signal?: AbortSignal): Promise<void> => pause(1000, signal, clock).then(() => void ended++);
    const [plain, stopped] = [wait(), wait(stop.signal)];
    stop.abort();
    await stopped;
    await wait(stop.signal);
    assert.equal(ended, 2);
    clock.advance(1000);
    await plain;
    assert.equal(ended, 3);
  });

  it('is as long as an answer takes, and no longer than its time', async () => {
    const clock = new FakeClock();
    const never = new Promise<number>(() => undefined);
    const late = withinMs(never, 1000, clock);
    clock.advance(1000);
    assert.deepEqual([await late, await withinMs(Promise.resolve(7), 1000, clock)], [undefined, 7]);
    await assert.rejects(withinMs(Promise.reject(new Error('no')), 1000, clock), /no/);
    assert.equal(await withinMs(Promise.resolve('at once'), 1000), 'at once');
  });
});
