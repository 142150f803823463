import type { AuditBody } from '../audit/record';
import { changesFile } from '../vocabulary/access';

/** From where to where something went. */
interface Move {
  readonly from: string;
  readonly to: string;
}

const mover = 'cap:file_system:move_file';

/**
 * What a call of `move_file` moved: its accesses are, but for reads, the old place, deleted, and the new one, written,
 * by turns. Empty for every other call, because another tool may delete one thing and write another.
 */
export function movesOf({ tool, accesses = [] }: Pick<AuditBody, 'tool' | 'accesses'>): readonly Move[] {
  const changed = accesses.filter(changesFile);
  if (tool !== mover || changed.length % 2 !== 0) return [];
  const moves: Move[] = [];
  for (let at = 0; at < changed.length; at += 2) {
    const [gone, made] = changed.slice(at, at + 2);
    if (gone?.effect !== 'fs.delete' || made?.effect !== 'fs.write') return [];
    moves.push({ from: gone.resource, to: made.resource });
  }
  return moves;
}
