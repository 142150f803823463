import { expectedHash, pathProperty } from '../shared/schemas';
import { strictObject } from '../../../core/capability/declare';
import { choice, flag, type InputOf, text, wholeNumber } from '../../shared/parameters';

export const writeInput = strictObject(
  {
    path: pathProperty("Path of the file (e.g., '/docs/readme.txt')."),
    content: text('The whole content, or what to append.', 50_000_000, 0),
  },
  {
    encoding: {
      type: 'string',
      maxLength: 40,
      default: 'text',
      description:
        'text (default: UTF-8, or what the byte order mark of the file says), base64 for bytes, or the encoding to write text in, such as windows-1252 or utf-16le.',
    },
    mode: choice('overwrite (default) creates or replaces.', ['overwrite', 'create', 'append']),
    expected_hash: expectedHash,
    end_of_line: choice('keep (default) uses the line ends of the existing file; as_given writes content as it is.', [
      'keep',
      'as_given',
      'lf',
      'crlf',
    ]),
  },
);
export type WriteInput = InputOf<typeof writeInput>;

export const editInput = strictObject(
  {
    path: pathProperty('Path of the file.'),
    edits: {
      type: 'array',
      minItems: 1,
      maxItems: 200,
      description: 'The replacements, each made on the result of those before it.',
      items: strictObject(
        {
          old_text: text('The exact text to replace, white space included.', 5_000_000),
          new_text: text('What stands there afterwards.', 5_000_000, 0),
        },
        {
          expected_count: wholeNumber('How often old_text must be found. Default 1.', 1, 1_000_000),
          replace_all: flag('Replace it wherever it is found.'),
        },
      ),
    },
  },
  {
    encoding: text(
      'Only for a file that is neither UTF-8 nor has a byte order mark: its encoding, such as windows-1252.',
      40,
      0,
    ),
    match: choice(
      'exact (default), or whitespace: where old_text is not found exactly, whole lines that differ from it only in white space at their ends count, and new_text is indented as they are.',
      ['exact', 'whitespace'],
    ),
    expected_hash: expectedHash,
    dry_run: flag('Only show the diff.'),
  },
);
export type EditInput = InputOf<typeof editInput>;

export const moveInput = strictObject(
  { source: pathProperty('Path of what to move.'), destination: pathProperty('The new path, its name included.') },
  { overwrite: flag('Replace a file at the destination. Default false.') },
);
export type MoveInput = InputOf<typeof moveInput>;

export const deleteInput = strictObject(
  { path: pathProperty('Path to the file or directory.') },
  {
    recursive: { ...flag('If true, delete directories with their content. Default false.'), default: false },
    to_trash: flag('False deletes for good. The default comes from the settings, which say trash.'),
  },
);
export type DeleteInput = InputOf<typeof deleteInput>;
