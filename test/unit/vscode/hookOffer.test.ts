import { strict as assert } from 'node:assert';
import type { AgentProtection } from '../../../src/core/protection/meter';
import { memoryStore } from '../../../src/node/memory';
import type { ListedAgent } from '../../../src/vscode/agent/agentFileKeeper';
import { offerHook } from '../../../src/vscode/protection/hookOffer';
import { shownWindow } from '../../support/fakeVscode';

describe('the offer of the hook of plain Agent', () => {
  const ours = { name: 'Agent Capabilities' } as ListedAgent;
  const open = { isInstalled: false, state: 'open' } as AgentProtection;

  /** What was told, and which commands were run, of so many calls with one memory. */
  const offered = async ({ meter = open, pressed = '', times = 1, memory = memoryStore() } = {}) => {
    const told = shownWindow.told.length;
    shownWindow.called = [];
    shownWindow.pressed = pressed;
    for (let time = 0; time < times; time++) await offerHook({ memory, agent: async () => ours, meter: () => meter });
    shownWindow.pressed = undefined;
    return {
      told: shownWindow.told.length - told,
      called: shownWindow.called.map(({ command, args }) => [command, ...args]),
    };
  };

  it('D.hooks: comes once to a user, and does what was clicked', async () => {
    const memory = memoryStore();
    assert.deepEqual(await offered({ times: 3, memory }), { told: 1, called: [] });
    assert.deepEqual(await offered({ memory }), { told: 0, called: [] });
    const { called } = await offered({ pressed: 'Protect This Agent…' });
    assert.deepEqual(called, [['agentCapabilities.protectAgent', 'vscode']]);
    const compared = await offered({ pressed: 'What Is the Difference?' });
    assert.deepEqual(compared.called, [['agentCapabilities.comparePlainAgent']]);
    assert.deepEqual((await offered({ pressed: 'Not Now' })).called, []);
  });

  it('D.hooks: does not come where the hook is installed, and is not used up by that', async () => {
    const memory = memoryStore();
    assert.equal((await offered({ meter: { ...open, isInstalled: true, state: 'hooked' }, memory })).told, 0);
    assert.equal((await offered({ meter: { ...open, isInstalled: true }, memory })).told, 0);
    // A user whose new chats begin with the agent of the profile does not use plain Agent.
    shownWindow.settings = { 'chat.newSession.defaultMode': ours.name };
    assert.equal((await offered({ memory })).told, 0);
    shownWindow.settings = {};
    assert.equal((await offered({ memory })).told, 1);
  });

  it('D.hooks: waits until no other notice is open', async () => {
    const told = shownWindow.told.length;
    const memory = memoryStore();
    let close = (_agent: ListedAgent): void => undefined;
    const agent = () => new Promise<ListedAgent>((resolve) => (close = resolve));
    const offer = offerHook({ memory, agent, meter: () => open });
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    assert.equal(shownWindow.told.length, told);
    close(ours);
    await offer;
    assert.equal(shownWindow.told.length, told + 1);
  });
});
