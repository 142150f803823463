import { existsSync } from 'node:fs';
import path from 'node:path';
import { say, type Sentence } from '../../core/base/sentence';
import { errorSaid } from '../../core/vocabulary/errors';
import { errnoOf } from '../errors/errno';

/** The folder itself, or the first one above it that is there. */
export function nearestThere(folder: string): string {
  const parent = path.dirname(folder);
  return existsSync(folder) || parent === folder ? folder : nearestThere(parent);
}

/** Why something cannot be kept, for a person. */
export function storageSaid(error: unknown): Sentence {
  switch (errnoOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return say('storage_full');
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return say('storage_closed');
    default:
      return errorSaid(error);
  }
}
