import { strict as assert } from 'node:assert';
import { showStatus } from '../../../src/vscode/tree/statusBar';
import { shownWindow } from '../../support/fakeVscode';
import { fiveCapabilities, profileWorld } from '../../support/profiles';

describe('the status bar', () => {
  const shown = (plan?: { title: string; left: number }): { text: string; tip: string; enabled: readonly string[] } => {
    const world = profileWorld(fiveCapabilities);
    const status = showStatus({
      profile: () => world.store.active(),
      pendingApprovals: () => 0,
      plan: () => plan,
      unprotected: () => [],
      reader: () => undefined,
      labels: () => [],
      changes: [],
    });
    status.dispose();
    world.dispose();
    const tip = shownWindow.statusTips.get('agentCapabilities.profile');
    return {
      text: shownWindow.statusText.get('agentCapabilities.profile') ?? '',
      tip: tip?.value ?? '',
      enabled: (tip?.isTrusted as { enabledCommands: readonly string[] } | undefined)?.enabledCommands ?? [],
    };
  };

  it('D.follow: says which agent follows the profile and leads to it, for this chat and for new ones', () => {
    const { tip, enabled } = shown();
    assert.match(tip, /plain \*Agent\* also has tools that pass it by/);
    const links = [...tip.matchAll(/\(command:([\w.]+)\)/g)].map(([, command = '']) => command);
    assert.deepEqual(links, [
      'agentCapabilities.openChatWithProfile',
      'agentCapabilities.useAgentForNewChats',
      'agentCapabilities.comparePlainAgent',
    ]);
    for (const link of links) assert.ok(enabled.includes(link), `${link} does nothing`);
  });

  it('S1.spec-freeze: shows the frozen plan with what is left, its title as text', () => {
    assert.doesNotMatch(shown().text, /lock/);
    const { text, tip } = shown({ title: 'Tidy [up](command:x)', left: 3 });
    assert.match(text, / · \$\(lock\) plan, 3 left/);
    assert.match(tip, /held to the frozen plan Tidy \\\[up\\\]/);
  });
});
