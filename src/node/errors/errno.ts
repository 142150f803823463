/** The operating system's code of an error, such as ENOENT. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** True where nothing is there, or a part of the path is a file. */
export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '');

/** True where a place takes no file, or not the one that is to come there, and another may: it is not the disk. */
export const refusesFile = (error: unknown): boolean =>
  ['EACCES', 'EPERM', 'EBUSY', 'EXDEV', 'EROFS'].includes(errnoOf(error) ?? '');

/** For a person: the code, and the whole error where it has none. */
export const codeOf = (error: unknown): string => errnoOf(error) ?? String(error);
