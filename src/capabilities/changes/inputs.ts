import { flag, type InputOf, options, text } from '../shared/parameters';

const id = text('Its id.', 200, 0);

export const undoInput = options({
  change: id,
  call: text('An invocation id.', 200, 0),
  file: text('A path.', 200, 0),
  burst: id,
  since: text('This change or call, and all later.', 200, 0),
  all: flag('Everything.'),
  redo: flag('Makes it again.'),
});
export type UndoInput = InputOf<typeof undoInput>;
