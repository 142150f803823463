import { strict as assert } from 'node:assert';
import { boldMarkdown, codeCell, codeSpan, plainMarkdown, proseMarkdown } from '../../../../src/core/base/markdown';
import { visibleText } from '../../../../src/core/base/visible';

describe('a sentence as markdown', () => {
  it('D.commands: shows globs and what stands in backticks as code, and everything else as it is', () => {
    assert.deepEqual(
      [
        proseMarkdown('read `.env.example` beside it'),
        proseMarkdown('write_file with path like src/**, and "**/*.ts".'),
        proseMarkdown('2 * 3 is <b>six</b> [x](command:y)'),
        proseMarkdown('a `b\nc'),
        proseMarkdown('``a`b`` and ` `'),
      ],
      [
        'read `.env.example` beside it',
        'write\\_file with path like `src/**`, and "`**/*.ts`"\\.',
        '2 \\* 3 is \\<b\\>six\\</b\\> \\[x\\]\\(command\\:y\\)',
        'a \\`b c',
        '\\`\\`a\\`b\\`\\` and ` `',
      ],
    );
  });

  it('S2.metadata: writes out what cannot be seen, whichever way the text is marked up, and no picture', () => {
    for (const write of [boldMarkdown, codeCell, codeSpan, plainMarkdown, proseMarkdown]) {
      const shown = write('a\u202eb\u200bc\ufeff 👩‍🚀');
      assert.doesNotMatch(shown, /[\u202e\u200b\ufeff]/, write.name);
      assert.match(shown, /a⟨U\\?\+202E⟩b⟨U\\?\+200B⟩c⟨U\\?\+FEFF⟩ 👩‍🚀/, write.name);
      assert.equal(write(visibleText('a\u202eb').text), write('a\u202eb'), write.name);
    }
  });
});
