import { strict as assert } from 'node:assert';
import { inProgress, showError, showInformation, showWarning } from '../../../src/vscode/notices';
import { shownWindow } from '../../support/fakeVscode';

describe('notifications', () => {
  it('D.commands: make no link of a name that somebody else chose', async () => {
    const before = shownWindow.told.length;
    shownWindow.errors = [];
    for (const show of [showInformation, showWarning, showError])
      await show('"[Review](command:workbench.action.quit)" waits for your approval.');
    const told = [...shownWindow.told.slice(before), ...shownWindow.errors];
    assert.equal(told.length, 3);
    shownWindow.errors = undefined;
    for (const one of told) assert.doesNotMatch(one, /\]\(/);
  });

  it('D.commands: about running work make no link either, neither of their title nor of what is told meanwhile', async () => {
    shownWindow.progress = [];
    const link = '[Details](command:workbench.action.quit)';
    assert.equal(await inProgress(`Probing ${link}…`, async ({ tell }) => (tell(link), 1)), 1);
    assert.equal(shownWindow.progress.length, 2);
    for (const one of shownWindow.progress) assert.doesNotMatch(one, /\]\(/);
  });
});
