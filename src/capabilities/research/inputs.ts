import { strictObject, string } from '../../core/capability/declare';
import { flag, type InputOf, options, text, wholeNumber } from '../shared/parameters';

const section = text('Heading under which notes are kept', 100);

export const writeNoteInput = strictObject(
  { section, text: text('Findings, as markdown', 50_000, 0) },
  {
    sources: {
      type: 'array',
      maxItems: 50,
      description: 'Where the findings come from',
      items: strictObject({ url: string }, { title: string }),
    },
    replace: flag('True overwrites the section instead of adding to it', false),
  },
);
export type WriteNoteInput = InputOf<typeof writeNoteInput>;

export const readNotesInput = options({ section: { ...section, description: 'Only this section; left out, all' } });
export type ReadNotesInput = InputOf<typeof readNotesInput>;

export const searchNotesInput = strictObject(
  { query: text('Words that must all occur', 200) },
  { limit: wholeNumber('Most matches to return', 1, 100, 20) },
);
export type SearchNotesInput = InputOf<typeof searchNotesInput>;

export const webSearchInput = strictObject(
  { query: text('What to search for', 400) },
  { count: wholeNumber('How many results', 1, 20, 8) },
);
export type WebSearchInput = InputOf<typeof webSearchInput>;
