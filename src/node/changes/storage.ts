import { existsSync } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../core/base/errorText';
import { errnoOf } from '../errors/errno';

/** The folder itself, or the first one above it that is there. */
export function nearestThere(folder: string): string {
  const parent = path.dirname(folder);
  return existsSync(folder) || parent === folder ? folder : nearestThere(parent);
}

/** Why something cannot be kept, for a person. */
export function storageWords(error: unknown): string {
  switch (errnoOf(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full';
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return 'the storage cannot be written to';
    default:
      return messageOf(error);
  }
}
