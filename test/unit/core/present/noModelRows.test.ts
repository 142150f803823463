import { strict as assert } from 'node:assert';
import { plainWords } from '../../../../src/core/base/translate';
import { noModelRows, withoutModelMarkdown } from '../../../../src/core/present/noModelRows';

describe('without a language model', () => {
  it('D.tour: the view says what works without one, and how to get one', () => {
    const [group] = noModelRows(plainWords);
    assert.equal(group?.label, 'No language model');
    assert.deepEqual(
      group.children().map(({ label }) => label),
      [
        'Play the Tour',
        'Run Tool…',
        'New Rule from a Call…',
        'Copy Client Configuration…',
        'Command line',
        'Get a model',
      ],
    );
    assert.match(withoutModelMarkdown(plainWords), /\*\*Get a model\*\*: sign in in the chat/);
  });
});
