import { pathProperty } from '../shared/schemas';
import { strictObject } from '../../../core/capability/declare';
import { flag, type InputOf, wholeNumber } from '../../shared/parameters';

export const readInput = strictObject(
  {
    path: pathProperty(
      "Path of the file, rooted at the workspace (e.g., '/docs/readme.txt'), relative to it, or absolute inside it.",
    ),
  },
  {
    encoding: {
      type: 'string',
      maxLength: 40,
      default: 'utf-8',
      description:
        'auto, utf-8 (both obey a byte order mark), base64 for raw bytes, or another name such as utf-16le, windows-1252, shift_jis.',
    },
    start_line: wholeNumber('First line to show, from 1.', 1, 2_000_000_000),
    end_line: wholeNumber('Last line to show, included.', 1, 2_000_000_000),
    head: wholeNumber('Show so many lines from the start.', 1, 10_000_000),
    tail: wholeNumber('Show so many lines from the end.', 1, 10_000_000),
    offset: wholeNumber('First byte to show, from 0.', 0, Number.MAX_SAFE_INTEGER),
    length: wholeNumber('Show so many bytes from offset.', 1, Number.MAX_SAFE_INTEGER),
    line_numbers: flag(
      'Put the line number and a tab before each line. Leave it off when you need the exact text for an edit.',
    ),
    max_bytes: wholeNumber(
      'Cut the content after so many bytes. Default 7000; ask for more only when you need it.',
      100,
      10_000_000,
    ),
  },
);
export type ReadInput = InputOf<typeof readInput>;

export const readFilesInput = strictObject(
  {
    paths: {
      type: 'array',
      minItems: 1,
      maxItems: 50,
      items: pathProperty('A path as in read_file.'),
      description: 'The files to read.',
    },
  },
  {
    head: wholeNumber('Show only so many lines from the start of each.', 1, 10_000_000),
    line_numbers: flag('Put the line number and a tab before each line.'),
    max_bytes: wholeNumber('Bytes of content in all, shared out evenly. Default 7000.', 1000, 10_000_000),
  },
);
export type ReadFilesInput = InputOf<typeof readFilesInput>;

export const statInput = strictObject(
  { path: pathProperty('Path of the file or directory.') },
  { with_hash: flag('Also the SHA-256 of the content.') },
);
export type StatInput = InputOf<typeof statInput>;
