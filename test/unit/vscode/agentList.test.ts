import { strict as assert } from 'node:assert';
import { mock } from 'node:test';
import { DisposableStore } from '../../../src/core/base/lifecycle';
import { healList } from '../../../src/vscode/agent/agentList';
import { shownWindow } from '../../support/fakeVscode';

describe('the list of agents after a start', () => {
  const name = 'Agent Capabilities';
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => {
    mock.timers.reset();
    shownWindow.chatAgents = [];
    shownWindow.isInBack = false;
  });

  /**
   * When the file of our agent was written again, in seconds, and when nothing was looked at any more.
   * @param known when the editor has the agent.
   * @param step what happens in each second.
   */
  const healed = async (
    known: (seconds: number, renewed: number) => boolean,
    step: (seconds: number, store: DisposableStore) => void = () => undefined,
  ) => {
    const store = new DisposableStore();
    const renewals: number[] = [];
    let seconds = 0;
    const run = { isDone: false };
    const done = healList(name, async () => void renewals.push(seconds), store).then(() => (run.isDone = true));
    for (; !run.isDone && seconds < 60; seconds++) {
      step(seconds, store);
      shownWindow.chatAgents = known(seconds, renewals.length) ? [`workbench.action.chat.open${name}`] : [];
      mock.timers.tick(1000);
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    }
    store.dispose();
    if (run.isDone) await done;
    return { renewals, seconds };
  };

  it('D.follow: writes nothing where the editor knows our agent in time', async () => {
    const { renewals, seconds } = await healed((now) => now > 3);
    assert.deepEqual(renewals, []);
    assert.ok(seconds < 10);
  });

  it('D.follow: has a list that the editor lost read anew, and gives up in the end', async () => {
    assert.equal((await healed((_now, renewed) => renewed > 0)).renewals.length, 1);
    const never = await healed(() => false);
    assert.equal(never.renewals.length, 3);
    assert.ok(never.seconds < 30);
  });

  it('D.follow: waits in a window behind another one, whose profile the file says, and ends with the window', async () => {
    shownWindow.isInBack = true;
    const later = await healed(
      (_now, renewed) => renewed > 0,
      (now) => now === 20 && shownWindow.toFront(),
    );
    assert.deepEqual(later.renewals, [20]);
    shownWindow.isInBack = true;
    const closed = await healed(
      () => false,
      (now, store) => now === 3 && store.dispose(),
    );
    assert.deepEqual(closed.renewals, []);
  });

  it('D.follow: writes nothing in an editor without a chat', async () => {
    shownWindow.hasChat = false;
    try {
      const { renewals, seconds } = await healed(() => false);
      assert.deepEqual(renewals, []);
      assert.ok(seconds < 10);
    } finally {
      shownWindow.hasChat = true;
    }
  });
});
