import { strictObject } from '../../core/capability/declare';
import { type InputOf, options, text, wholeNumber } from '../shared/parameters';

const connection = text('Name of a connection from the settings; left out, the default one', 100);

export const queryInput = strictObject(
  { query: text('One SQL statement', 100_000) },
  {
    params: { type: 'array', maxItems: 1000, items: {}, description: 'Values for the placeholders, in order' },
    connection,
    max_rows: wholeNumber('Most rows to return', 1, 5000, 100),
    timeout_ms: wholeNumber('Time limit in milliseconds', 10, 60_000, 10_000),
  },
);
export type QueryInput = InputOf<typeof queryInput>;

export const listTablesInput = options({ connection });
export type ListTablesInput = InputOf<typeof listTablesInput>;
