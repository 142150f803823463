import { strict as assert } from 'node:assert';
import type { CurrentAgent } from '../../../src/vscode/agent/agentFileWriter';
import { openChatWithProfile } from '../../../src/vscode/commands/chatAgent';
import { shownWindow } from '../../support/fakeVscode';

type Context = Parameters<typeof openChatWithProfile>[0];

describe('Open Chat with Profile', () => {
  const name = 'Agent Capabilities';
  /** How often an agent that has been there since a time was chosen until the command ended. */
  const chosen = async (since: number, known: () => void = () => undefined): Promise<number> => {
    shownWindow.called = [];
    const agent = { name, since, isDisputed: false } as CurrentAgent;
    const done = openChatWithProfile({ agentFile: { current: async () => agent } } as unknown as Context);
    known();
    await done;
    shownWindow.chatAgents = [];
    return shownWindow.called.filter(({ args }) => JSON.stringify(args) === JSON.stringify([{ mode: name }])).length;
  };

  it('D.follow: chooses an agent once that the editor knows, and once more one that it comes to know, and never after', async () => {
    assert.equal(await chosen(0), 1, 'one that has been there for long');
    shownWindow.chatAgents = [`workbench.action.chat.open${name}`];
    assert.equal(await chosen(Date.now()), 1, 'one that is new and known');
    const later = (): void =>
      void setTimeout(() => (shownWindow.chatAgents = [`workbench.action.chat.open${name}`]), 600);
    assert.equal(await chosen(Date.now(), later), 2, 'one that the editor reads a little later');
    assert.equal(await chosen(Date.now() - 11_000), 1, 'one that the editor never reads');
  });
});
