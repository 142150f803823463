import assert from 'node:assert/strict';
import { Debounce } from '../../../../src/core/base/debounce';
import { FakeClock } from '../../../support/toolContext';

const delayMs = 100;

function counted() {
  const clock = new FakeClock();
  let done = 0;
  const debounce = new Debounce(
    () => done++,
    delayMs,
    (work, ms) => clock.schedule(work, ms),
  );
  return { clock, debounce, done: () => done };
}

describe('what is done once for a burst of calls', () => {
  it('waits for a pause where each call puts it off', () => {
    const { clock, debounce, done } = counted();
    for (let call = 0; call < 5; call++) {
      debounce.restart();
      clock.advance(delayMs - 1);
    }
    assert.equal(done(), 0);
    clock.advance(1);
    assert.equal(done(), 1);
    assert.equal(debounce.isWaiting, false);
  });

  it('comes in time after the first call where the others join it', () => {
    const { clock, debounce, done } = counted();
    debounce.start();
    clock.advance(delayMs - 1);
    debounce.start();
    clock.advance(1);
    assert.equal(done(), 1);
    clock.advance(delayMs);
    assert.equal(done(), 1);
  });

  it('is done again for the next burst', () => {
    const { clock, debounce, done } = counted();
    for (let burst = 1; burst <= 3; burst++) {
      debounce.start();
      clock.advance(delayMs);
      assert.equal(done(), burst);
    }
  });

  it('may ask for itself again while it is done', () => {
    const clock = new FakeClock();
    let done = 0;
    const debounce = new Debounce(
      () => {
        if (++done < 3) debounce.start();
      },
      delayMs,
      (work, ms) => clock.schedule(work, ms),
    );
    debounce.start();
    for (let step = 0; step < 5; step++) clock.advance(delayMs);
    assert.equal(done, 3);
  });

  it('is not done once it is called off, and can be asked for again', () => {
    const { clock, debounce, done } = counted();
    debounce.start();
    debounce.cancel();
    clock.advance(delayMs);
    assert.equal(done(), 0);
    debounce.start();
    clock.advance(delayMs);
    assert.equal(done(), 1);
  });

  it('never starts after disposal', () => {
    const { clock, debounce, done } = counted();
    debounce.start();
    debounce.dispose();
    debounce.start();
    debounce.restart();
    clock.advance(delayMs);
    assert.equal(done(), 0);
    assert.equal(debounce.isWaiting, false);
  });

  it('takes the timers of the machine where no clock is given', async () => {
    await new Promise<void>((resolve) => new Debounce(resolve, 1).start());
  });
});
