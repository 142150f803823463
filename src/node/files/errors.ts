import { isToolError, toolError, type ErrorCode, type ToolError } from '../../core/vocabulary/errors';
import { errnoOf } from '../errors/errno';

/** What the operating system's error codes mean to a model. */
const meanings: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: ['not_found', 'nothing is there'],
  ENOTDIR: ['not_a_directory', 'a part of the path is a file, not a folder'],
  EISDIR: ['is_a_directory', 'it is a folder'],
  EEXIST: ['already_exists', 'something is there already'],
  ENOTEMPTY: ['not_empty', 'the folder is not empty; set recursive to true to delete it with its content'],
  EACCES: ['permission_denied', 'the operating system does not permit it'],
  EPERM: ['permission_denied', 'the operating system does not permit it'],
  EROFS: ['permission_denied', 'the file system is read-only'],
  ELOOP: ['path_outside', 'a link stands where a file or folder was expected'],
  ENAMETOOLONG: ['path_invalid', 'a name in it is too long for the file system'],
  EINVAL: ['path_invalid', 'the file system does not accept this name'],
  EILSEQ: ['path_invalid', 'the file system does not accept this name'],
  ENOSPC: ['no_space', 'the disk is full; the file is as it was'],
  EDQUOT: ['no_space', 'the disk quota is used up; the file is as it was'],
  EFBIG: ['too_large', 'the file would be larger than the file system allows'],
  ENXIO: ['unsupported', 'it is neither a file nor a folder'],
  EXDEV: ['unsupported', 'it would have to go to another device; write a copy with write_file and delete the original'],
  EMFILE: ['process_error', 'too many files are open; try again'],
  ENFILE: ['process_error', 'too many files are open; try again'],
  EBUSY: ['process_error', 'another program uses it; try again'],
  EIO: ['process_error', 'the disk reported an error'],
};

/** Throws what the operating system answers for a name that nothing has. */
export function present<T>(there: T | undefined): T {
  if (there === undefined) throw Object.assign(new Error('nothing is there'), { code: 'ENOENT' });
  return there;
}

/**
 * Words an error of the file system for the model; what is not known stays an internal error. `shown` is the path as
 * results show it.
 */
export function fileError(error: unknown, shown: string): unknown {
  if (isToolError(error)) return error;
  const code = errnoOf(error);
  const meaning = code === undefined ? undefined : meanings[code];
  if (!meaning) return error;
  const retryable = code === 'EMFILE' || code === 'ENFILE' || code === 'EBUSY';
  return toolError(meaning[0], `\`${shown}\`: ${meaning[1]}`, { retryable });
}

/** The refusal where a link or another folder appeared in a path after it was judged. */
export const swapped = (shown: string): ToolError =>
  toolError(
    'path_outside',
    `\`${shown}\` changed while it was being opened: a link or another folder stands there now; look at the folder again`,
  );
