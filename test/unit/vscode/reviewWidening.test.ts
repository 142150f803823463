import { strict as assert } from 'node:assert';
import type { TreeRow } from '../../../src/core/present/treeRow';
import { acceptWidening } from '../../../src/vscode/commands/manageProfiles';
import { openDetails } from '../../../src/vscode/commands/show';
import { askAboutWidening } from '../../../src/vscode/confirm/workspaceWishes';
import { contextKey } from '../../../src/vscode/manifest/commands/contextKey';
import { ContextKeys } from '../../../src/vscode/settings/contextKeys';
import { shownWindow } from '../../support/fakeVscode';
import { fiveCapabilities, profileWorld } from '../../support/profiles';
import { MemoryStore } from '../../support/toolContext';

/** A workspace that allows more than the user in a profile which is not the active one. */
function widenedElsewhere() {
  const own = { reviewer: { name: 'Reviewer', capabilities: ['math'] } };
  const theirs = { reviewer: { name: 'Reviewer', capabilities: ['math', 'file_system'] } };
  const world = profileWorld(fiveCapabilities, { user: own, workspace: theirs });
  const asked: { title: string; lines: readonly string[] }[] = [];
  const context = {
    profiles: world.store,
    registry: world.registry,
    textQuestions: {
      confirms: async (question: { title: string; lines: readonly string[] }) => {
        asked.push(question);
        return true;
      },
    },
  };
  const row = (code: string): TreeRow =>
    ({ kind: 'problem', contextValue: `problem.${code}`, problem: { code, subject: 'reviewer' } }) as never;
  return { world, asked, row, review: (...args: unknown[]) => acceptWidening(context as never, ...args) };
}

describe('what a workspace allows in a profile that is not active', () => {
  it('D.approval-binding: is reviewed from the row that says it waits, against what that profile has now, and not the active one', async () => {
    const { world, asked, row, review } = widenedElsewhere();
    assert.equal(world.store.activeId, 'default');
    await review(row('widening_pending'));
    assert.match(asked[0]?.title ?? '', /in the profile "Reviewer"/);
    assert.match(asked[0]?.lines.join('\n') ?? '', /write_file/);
    assert.equal(world.store.profiles().get('reviewer')?.pendingWidening, undefined);
    await review(row('widening_pending'));
    assert.equal(asked.length, 1);
    assert.match(shownWindow.told.at(-1) ?? '', /wants nothing beyond your own settings/);
    world.dispose();
  });

  it('D.approval-binding: can be reviewed by the command alone, which is there while anything waits', async () => {
    const { world, asked, review } = widenedElsewhere();
    const following = askAboutWidening(world.store, new ContextKeys(), new MemoryStore());
    const isOffered = (): unknown => shownWindow.keys.get(contextKey('wideningPending'));
    assert.equal(isOffered(), true);
    await review();
    assert.match(asked[0]?.title ?? '', /in the profile "Reviewer"/);
    assert.equal(isOffered(), false);
    following.dispose();
    world.dispose();
  });

  it('D.tree: Enter on a row of something that waits opens its review, as no key reaches the button', async () => {
    const { world, row } = widenedElsewhere();
    const waiting = row('widening_pending');
    shownWindow.called.length = 0;
    const context = { view: { selection: () => [waiting] }, texts: { put: () => assert.fail('it shows no page') } };
    await openDetails(context as never, waiting);
    assert.deepEqual(shownWindow.called, [{ command: 'agentCapabilities.acceptWidening', args: [waiting] }]);
    world.dispose();
  });
});
