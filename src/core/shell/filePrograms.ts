import type { ProgramRow } from './programRow';

const archive: ProgramRow = {
  operands: 'readTree',
  tree: { by: '-r --recurse-paths -R --recurse-patterns', follows: 'always', as: 'zip' },
  first: 'write',
  plain: 'n P t',
  options: { shell: '-TT --unzip-command', place: '-b', write: '-O', chosen: '-i --include', leftOut: '-x --exclude' },
  flags: { deleteTree: '-m --move' },
};
const compress: ProgramRow = {
  operands: 'change',
  flags: { read: '-c --stdout -t -l', change: '-k' },
  options: { write: '-o --output-dir-flat --output-dir-mirror' },
};

/** Programs that change files, by the names that a row holds for. */
export const fileRows: Readonly<Record<string, ProgramRow>> = {
  cp: {
    operands: 'readTree',
    tree: { by: '-r -R -a --recursive --archive', follows: '-L --dereference', as: 'names' },
    last: 'write',
    plain: '--suffix',
    optional: '--context',
    options: { write: '-t --target-directory' },
  },
  install: {
    operands: 'read',
    last: 'write',
    plain: 'm o g --mode --owner --group --suffix',
    optional: '--context',
    options: { write: '-t --target-directory', shell: '--strip-program' },
    flags: { write: '-d' },
  },
  mv: { operands: 'move', last: 'write', plain: 'S --suffix', options: { write: '-t --target-directory' } },
  link: { operands: 'change', last: 'write' },
  ln: { operands: 'change', last: 'write', plain: 'S --suffix', options: { write: '-t --target-directory' } },
  rm: { operands: 'delete', flags: { deleteTree: '-r -R --recursive' } },
  'trash trash-put gio-trash srm': { operands: 'deleteTree' },
  'rmdir unlink': { operands: 'delete' },
  shred: { operands: 'change', plain: 'n s', flags: { delete: '-u --remove' }, options: { read: '--random-source' } },
  'mkdir mkfifo mknod': { operands: 'write', plain: 'm --mode' },
  mktemp: { operands: 'write', plain: '--suffix', options: { write: '-p' } },
  touch: { operands: 'write', plain: 'd t A --date --time', options: { read: '-r --reference' } },
  truncate: { operands: 'write', plain: 's --size', options: { read: '-r --reference' } },
  fallocate: { operands: 'write', plain: 'l o --length --offset' },
  'tee sponge': { operands: 'write' },
  // A mode such as `-x` looks like an option; then all other words are files.
  chmod: {
    operands: 'chmod',
    first: 'text',
    noFirst: '--reference -r -w -x -X -s -t -u -g -o -a -+ -, -= -0 -1 -2 -3 -4 -5 -6 -7',
    options: { read: '--reference' },
  },
  chattr: {
    operands: 'chmod',
    first: 'text',
    noFirst: '-a -A -c -C -d -D -e -E -F -i -I -j -m -N -P -s -S -t -T -u -x -Z',
    plain: 'v p',
  },
  'chown chgrp': {
    operands: 'chmod',
    first: 'text',
    noFirst: '--reference',
    plain: '--from',
    options: { read: '--reference' },
  },
  chflags: { operands: 'chmod', first: 'text' },
  setfacl: {
    operands: 'chmod',
    plain: 'm x a --modify --remove --set',
    options: { read: '-M -X --modify-file --remove-file --set-file', script: '--restore' },
  },
  setfattr: { operands: 'chmod', plain: 'n v x --name --value --remove', options: { script: '--restore' } },
  patch: {
    operands: 'change',
    options: { read: '-i --input', write: '-o --output -r', folder: '-d --directory' },
    plain: 'p F D V z B Y',
    runs: true,
  },
  'bzip2 bunzip2 zstd unzstd lz4 compress': compress,
  'gzip gunzip xz unxz lzma uncompress': { ...compress, plain: 'S --suffix' },
  zip: archive,
  unzip: { operands: 'text', first: 'read', plain: 'x P', options: { write: '-d' } },
  '7z 7za 7zr': { operands: 'change', first: 'text' },
  ar: { operands: 'change', first: 'text', options: { write: '--output', script: '--plugin' } },
  cpio: {
    operands: 'change',
    first: 'text',
    options: { change: '-F', read: '-I', write: '-O', shell: '--rsh-command', folder: '-D' },
  },
  'dos2unix unix2dos': { operands: 'change' },
};
