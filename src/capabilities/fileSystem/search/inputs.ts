import { cursor, globs, includeIgnored, pathProperty } from '../shared/schemas';
import { strictObject } from '../../../core/capability/declare';
import { choice, flag, type InputOf, options, text, wholeNumber } from '../../shared/parameters';

export const listInput = options({
  path: { ...pathProperty("Directory to list. Defaults to the root '/'."), default: '/' },
  depth: wholeNumber('How many levels to show. Default 1.', 1, 100),
  sort: choice('Order: by name (default), largest first, or newest first.', ['name', 'size', 'modified']),
  with_sizes: flag('Add size_bytes and modified_at of each, and total_size_bytes of all files listed.'),
  format: choice('list (default) gives entries; tree gives an indented text in the field tree.', ['list', 'tree']),
  exclude: globs("Globs of what to leave out, such as '*.log'; with a folder goes all that is in it."),
  include_ignored: includeIgnored,
  limit: wholeNumber('Entries per page. Default 60.', 1, 100_000),
  cursor,
});
export type ListInput = InputOf<typeof listInput>;

export const findInput = strictObject(
  { pattern: text("Glob: *, ?, **, [a-z], {a,b}. Example: '**/*.{js,ts}'.", 1000) },
  {
    path: {
      ...pathProperty('Directory to look in; the pattern is relative to it. Defaults to the root.'),
      default: '/',
    },
    type: choice('What to find. Default file.', ['file', 'directory', 'any']),
    exclude: globs("Globs of what to leave out, such as 'test'; with a folder goes all that is in it."),
    include_ignored: includeIgnored,
    limit: wholeNumber('Paths per page. Default 200.', 1, 1_000_000),
    cursor,
  },
);
export type FindInput = InputOf<typeof findInput>;

export const grepInput = strictObject(
  { pattern: text('Regex pattern to search for, or plain text with literal.', 10_000) },
  {
    path_pattern: text("Glob of the files to search, such as '*.txt' or 'src/**'.", 1000),
    path: { ...pathProperty('Directory or file to search in. Defaults to the root.'), default: '/' },
    exclude: globs("Globs of what to leave out, such as '*.min.js'; with a folder goes all that is in it."),
    literal: flag('Take the pattern as plain text.'),
    ignore_case: flag('Do not tell upper from lower case.'),
    whole_word: flag('Match whole words only.'),
    context_lines: wholeNumber('Lines to show before and after each match. Default 0.', 0, 20),
    max_per_file: wholeNumber('Matching lines to take from each file. Default 1000.', 1, 100_000),
    limit: wholeNumber('Matches per page. Default 100.', 1, 100_000),
    include_ignored: includeIgnored,
    cursor,
  },
);
export type GrepInput = InputOf<typeof grepInput>;
