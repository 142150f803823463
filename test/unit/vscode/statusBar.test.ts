import { strict as assert } from 'node:assert';
import type { ReaderStatus } from '../../../src/core/policy/approvals/readerApprovals';
import type { ListedAgent } from '../../../src/vscode/agent/agentFileKeeper';
import { showStatus } from '../../../src/vscode/tree/statusBar';
import { shownWindow } from '../../support/fakeVscode';
import { fiveCapabilities, profileWorld } from '../../support/profiles';

describe('the status bar', () => {
  const ours = { uri: 'file:///a.agent.md', name: 'Agent Capabilities', isOfWorkspace: false, listedAt: 0 };
  const shown = (
    plan?: { title: string; left: number },
    agent: ListedAgent = { ...ours, isDisputed: false },
    reader?: ReaderStatus,
  ): { text: string; tip: string; enabled: readonly string[] } => {
    const world = profileWorld(fiveCapabilities);
    const status = showStatus({
      profile: () => world.store.active(),
      pendingApprovals: () => 0,
      plan: () => plan,
      unprotected: () => [],
      reader: () => reader,
      labels: () => [],
      agent: () => agent,
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

  it('D.follow: offers it for new chats as long as they begin with another, or with one that only has its name', () => {
    shownWindow.settings = { 'chat.newSession.defaultMode': ours.name };
    try {
      const { tip } = shown();
      assert.match(tip, /New chats begin with it/);
      assert.doesNotMatch(tip, /useAgentForNewChats/);
      assert.match(shown(undefined, { ...ours, isDisputed: true }).tip, /useAgentForNewChats/);
      assert.match(shown(undefined, { ...ours, name: 'another', isDisputed: false }).tip, /useAgentForNewChats/);
    } finally {
      shownWindow.settings = {};
    }
  });

  it('D.reader: says of a second reader that no language model has its name, once one was looked for', () => {
    const now = { model: 'gpt9', yes: 0, left: 19 };
    const found = shown(undefined, undefined, { ...now, isMissing: false });
    assert.match(found.tip, /The second reader gpt9 answers in this window/);
    const missing = shown(undefined, undefined, { ...now, isMissing: true });
    assert.match(missing.tip, /There is no second reader gpt9/);
    assert.doesNotMatch(missing.tip, /answers in this window/);
    assert.doesNotMatch(missing.text, /\(eye\)/);
  });

  it('S1.spec-freeze: shows the frozen plan with what is left, its title as text', () => {
    assert.doesNotMatch(shown().text, /lock/);
    const { text, tip } = shown({ title: 'Tidy [up](command:x)', left: 3 });
    assert.match(text, / · \$\(lock\) plan, 3 left/);
    assert.match(tip, /held to the frozen plan Tidy \\\[up\\\]/);
  });
});
