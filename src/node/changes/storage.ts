import { say, type Sentence } from '../../core/base/sentence';
import { errorSaid } from '../../core/vocabulary/errors';
import { errnoOf } from '../errors/errno';

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
