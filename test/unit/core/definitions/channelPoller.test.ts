import { strict as assert } from 'node:assert';
import { ChannelPoller } from '../../../../src/core/definitions/channelPoller';
import { FakeClock } from '../../../support/toolContext';

describe('the values that channels recommend', () => {
  it('S2.metadata: refreshes what channels recommend while somebody watches, and no longer', async () => {
    const clock = new FakeClock();
    const calls: number[] = [];
    let fails = false;
    const poller = new ChannelPoller({
      clock,
      polling: () => [{ channel: 'c', tool: 's', intervalSeconds: 5 }],
      invoke: async () => {
        calls.push(clock.mono);
        const common = { invocationId: 'i', toolId: 't', declaredSideEffects: [], durationMs: 1 };
        return fails
          ? { ...common, success: false, error: { code: 'timeout', message: 'm', retryable: true } }
          : { ...common, success: true, payload: 1 };
      },
    });
    const advance = async (ms: number): Promise<void> => {
      clock.advance(ms);
      await new Promise((resolve) => setImmediate(resolve));
    };
    await advance(20_000);
    const watching = poller.watch();
    for (let turn = 0; turn < 3; turn++) await advance(5000);
    fails = true;
    for (let turn = 0; turn < 6; turn++) await advance(5000);
    watching.dispose();
    await advance(60_000);
    assert.deepEqual(
      calls.map((at) => at / 1000),
      [25, 30, 35, 40, 60],
    );
    assert.equal(poller.values().length, 1);
    poller.dispose();
  });
});
