import { say } from '../../core/base/sentence';
import type { fileSentences } from '../../core/sentences/files';
import { type ErrorCode, isToolError, refusal, type ToolError } from '../../core/vocabulary/errors';
import { errnoOf } from '../errors/errno';

/** What the operating system's error codes mean. */
const meanings: Readonly<Record<string, readonly [ErrorCode, Exclude<keyof typeof fileSentences, 'fs_swapped'>]>> = {
  ENOENT: ['not_found', 'fs_missing'],
  ENOTDIR: ['not_a_directory', 'fs_below_file'],
  EISDIR: ['is_a_directory', 'fs_folder'],
  EEXIST: ['already_exists', 'fs_exists'],
  ENOTEMPTY: ['not_empty', 'fs_not_empty'],
  EACCES: ['permission_denied', 'fs_forbidden'],
  EPERM: ['permission_denied', 'fs_forbidden'],
  EROFS: ['permission_denied', 'fs_read_only'],
  ELOOP: ['path_outside', 'fs_link'],
  ENAMETOOLONG: ['path_invalid', 'fs_long_name'],
  EINVAL: ['path_invalid', 'fs_name'],
  EILSEQ: ['path_invalid', 'fs_name'],
  ENOSPC: ['no_space', 'fs_full'],
  EDQUOT: ['no_space', 'fs_quota'],
  EFBIG: ['too_large', 'fs_large'],
  ENXIO: ['unsupported', 'fs_other_kind'],
  EXDEV: ['unsupported', 'fs_other_device'],
  EMFILE: ['process_error', 'fs_too_many_open'],
  ENFILE: ['process_error', 'fs_too_many_open'],
  EBUSY: ['process_error', 'fs_busy'],
  EIO: ['process_error', 'fs_disk'],
};

/** Throws what the operating system answers for a name that nothing has. */
export function present<T>(there: T | undefined): T {
  if (there === undefined) throw Object.assign(new Error('nothing is there'), { code: 'ENOENT' });
  return there;
}

/**
 * Says an error of the file system in a sentence of ours; what is not known stays an internal error. `shown` is the
 * path as results show it.
 */
export function fileError(error: unknown, shown: string): unknown {
  if (isToolError(error)) return error;
  const code = errnoOf(error);
  const meaning = code === undefined ? undefined : meanings[code];
  if (!meaning) return error;
  const retryable = code === 'EMFILE' || code === 'ENFILE' || code === 'EBUSY';
  return refusal(meaning[0], say('entry_fault', shown, say(meaning[1])), { retryable });
}

/** The refusal where a link or another folder appeared in a path after it was judged. */
export const swapped = (shown: string): ToolError => refusal('path_outside', say('fs_swapped', shown));
