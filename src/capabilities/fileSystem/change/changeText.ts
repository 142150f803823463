import type { JsonObject } from '../../../core/base/json';
import { factsOf, hashOf } from '../shared/modelText';

/** What became of a write: the model knows what it wrote, and is told what it cannot know. */
export function writtenText(payload: JsonObject): string {
  const { created, is_directory, lines_added, lines_removed } = payload;
  const removes = typeof lines_removed === 'number' && lines_removed > 0;
  const lines = removes ? { lines: `+${String(lines_added)} -${lines_removed}` } : {};
  const done = created === true ? 'created' : is_directory === true ? 'there already' : 'written';
  return [done, factsOf({ ...lines, ...hashOf(payload) })].filter((part) => part !== '').join('; ');
}

/** What became of an edit; with the diff where it was not made letter by letter, or not at all. */
export function editedText(payload: JsonObject): string {
  const { dry_run, inexact, replacements, diff } = payload;
  const done = dry_run === true ? 'not made, it would replace' : 'replaced';
  const shown = dry_run === true || inexact === true ? `${String(diff)}\n` : '';
  return `${shown}${done} ${String(replacements)}${dry_run === true ? '' : `; ${factsOf(hashOf(payload))}`}`;
}

/** What became of a move. */
export const movedText = ({ moved }: JsonObject): string | undefined => (moved === true ? 'moved' : undefined);

/** What became of a delete; what was kept is told as JSON. */
export function deletedText({ deleted, to_trash, entries }: JsonObject): string | undefined {
  if (deleted !== true) return undefined;
  const all = entries === undefined ? '' : ` with ${String(entries)} entries`;
  return `deleted${all}${to_trash === true ? ', to the trash' : ' for good'}`;
}
