import { strict as assert } from 'node:assert';
import { pause } from '../../../../src/core/base/pause';
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
});
