import { strict as assert } from 'node:assert';
import { editorReader } from '../../../src/vscode/confirm/editorReader';
import { shownWindow } from '../../support/fakeVscode';

describe('the second reader in the editor', () => {
  it('D.reader: of a choice that names no language model the person is told, once, and the model is asked for again', async () => {
    const before = shownWindow.told.length;
    const reader = editorReader();
    const { signal } = new AbortController();
    for (const choice of ['gpt-9', 'copilot/gpt-9', 'gpt-9'])
      assert.equal(await reader.ask(choice, 'a question', signal), 'no-model');
    const told = shownWindow.told.slice(before);
    assert.deepEqual([told.length, told.every((one) => /no language model "[^"]*gpt-9"/.test(one))], [2, true]);
  });
});
