import { strict as assert } from 'node:assert';
import type { FakeItem } from '../../support/fakeQuickPick';
import { clearLabels } from '../../../src/vscode/governance/clearLabels';
import { shownWindow } from '../../support/fakeVscode';

const source = (label: 'private' | 'untrusted', resource: string) =>
  ({ label, kind: label === 'private' ? 'secret_file' : 'web', resource, tool: 'web_fetch', at: 0 }) as const;

/** What a person sees who takes what is ticked as the list opens, or `more` of it, and gives a reason. */
async function clearing(labels: { private: string[]; untrusted: string[] }, more = false) {
  const cleared: unknown[][] = [];
  const session = {
    id: 'editor-chat',
    private: labels.private.map((one) => source('private', one)),
    untrusted: labels.untrusted.map((one) => source('untrusted', one)),
  };
  const tracker = { sessions: () => [session], clear: (...args: unknown[]) => void cleared.push(args) };
  const picked = (one: FakeItem): boolean => more || (one as { picked?: boolean }).picked === true;
  // reason: of a list in which several are picked the editor gives a list
  shownWindow.answer = (items) => items.filter(picked) as never;
  shownWindow.typed = 'it was mine';
  shownWindow.told.length = 0;
  try {
    await clearLabels({ flow: { tracker: async () => tracker } } as never);
    return { cleared, told: [...shownWindow.told] };
  } finally {
    shownWindow.answer = () => undefined;
    shownWindow.typed = undefined;
  }
}

describe('Clear Labels…', () => {
  it('D.flow: a label that is alone is ticked already, and what was cleared is said', async () => {
    const { cleared, told } = await clearing({ private: [], untrusted: ['https://a.example/'] });
    assert.deepEqual(cleared, [['editor-chat', 'untrusted', 'it was mine']]);
    assert.deepEqual(told, ['1 label is cleared. What agents read from now on can set it again.']);
  });

  it('D.flow: of several nothing is ticked, so that none goes unseen', async () => {
    const both = { private: ['.env'], untrusted: ['https://a.example/'] };
    assert.deepEqual(await clearing(both), { cleared: [], told: [] });
    const { cleared, told } = await clearing(both, true);
    assert.equal(cleared.length, 2);
    assert.deepEqual(told, ['2 labels are cleared. What agents read from now on can set them again.']);
  });

  it('D.flow: says that there is nothing to clear', async () => {
    const { told } = await clearing({ private: [], untrusted: [] });
    assert.deepEqual(told, ['No session of an agent has a label.']);
  });
});
