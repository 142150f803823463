/** What the file system answers, as the end of a sentence that begins with the place. */
export const fileSentences = {
  fs_missing: 'nothing is there',
  fs_below_file: 'a part of the path is a file, not a folder',
  fs_folder: 'it is a folder',
  fs_exists: 'something is there already',
  fs_not_empty: 'the folder is not empty; set recursive to true to delete it with its content',
  fs_forbidden: 'the operating system does not permit it',
  fs_read_only: 'the file system is read-only',
  fs_link: 'a link stands where a file or folder was expected',
  fs_long_name: 'a name in it is too long for the file system',
  fs_name: 'the file system does not accept this name',
  fs_full: 'the disk is full; the file is as it was',
  fs_quota: 'the disk quota is used up; the file is as it was',
  fs_large: 'the file would be larger than the file system allows',
  fs_other_kind: 'it is neither a file nor a folder',
  fs_other_device: 'it would have to go to another device; write a copy with write_file and delete the original',
  fs_too_many_open: 'too many files are open; try again',
  fs_busy: 'another program uses it; try again',
  fs_disk: 'the disk reported an error',
  fs_swapped:
    '`{0}` changed while it was being opened: a link or another folder stands there now; look at the folder again',
} as const;
