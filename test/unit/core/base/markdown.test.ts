import { strict as assert } from 'node:assert';
import { proseMarkdown } from '../../../../src/core/base/markdown';

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
});
