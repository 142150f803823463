import { strict as assert } from 'node:assert';
import type { FormField } from '../../../src/core/base/formField';
import { askField } from '../../../src/vscode/forms/askField';
import { shownWindow } from '../../support/fakeVscode';

describe('a field of a form', () => {
  const yesOrNo: FormField = {
    name: 'deep',
    label: 'deep',
    description: '',
    required: true,
    type: 'boolean',
    initial: undefined,
  };
  const active = async (field: FormField, startsAtFirst?: boolean): Promise<readonly string[]> => {
    const asked = askField(field, 'a form', startsAtFirst === undefined ? {} : { startsAtFirst });
    const labels = shownWindow.pick?.activeItems.map(({ label }) => label) ?? [];
    shownWindow.pick?.hide();
    assert.equal(await asked, undefined);
    return labels;
  };

  it('S1.mcp D.commands: starts at its first choice in a form of the person’s own, at none in one of a server, and at what is proposed in both', async () => {
    assert.deepEqual(await active(yesOrNo, true), ['Yes']);
    assert.deepEqual(await active(yesOrNo), []);
    const proposed = { ...yesOrNo, initial: false };
    assert.deepEqual([await active(proposed, true), await active(proposed)], [['No'], ['No']]);
  });
});
