import type { ProgramRow } from './programRow';

const reads: ProgramRow = { operands: 'read' };
const silent: ProgramRow = { operands: 'text' };
const search: ProgramRow = {
  operands: 'readTree',
  first: 'text',
  noFirst: '-e --regexp -f --file --files --type-list',
  alone: 'readTree',
  plain:
    'e m A B C d D --regexp --max-count --context --after-context --before-context --type --color --exclude --exclude-dir --replace --max-depth --sort --binary-files --label --devices --directories',
  options: {
    read: '-f --file --ignore-file --exclude-from',
    shell: '--pre --hostname-bin --pager',
    chosen: '--include --glob --iglob',
  },
};
const archive: ProgramRow = {
  operands: 'readTree',
  first: 'write',
  plain: 'x i n P t',
  options: { shell: '-TT --unzip-command', folder: '-b', write: '-O' },
  flags: { deleteTree: '-m --move' },
};
const compress: ProgramRow = {
  operands: 'change',
  flags: { read: '-c --stdout -t -l', change: '-k' },
  plain: 'S --suffix',
  options: { write: '-o' },
};
const pager: ProgramRow = {
  operands: 'read',
  plain: 'n c j p P t x y --lines --bytes',
  options: { write: '-o -O --log-file', script: '-k --lesskey-file --lesskey-src' },
};
/** Programs that work on files and text, by the names that a row holds for. */
export const fileRows: Readonly<Record<string, ProgramRow>> = {
  'cat tac nl wc od hexdump strings rev paste expand unexpand fold fmt cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum md5 shasum base32 basenc comm join look cmp zcat zless zmore bzcat xzcat zstdcat gunzip-c more batcat column hd colrm pr vis ptx tsort readelf nm ldd objdump cut iconv aspell csvlook glow identify exiftool pdftotext jsonlint':
    reads,
  bat: {
    operands: 'read',
    options: { shell: '--pager', text: '--theme', read: '--config-file' },
    plain: 'l r m H --language --line-range --style --color --paging --wrap',
  },
  'head tail': { operands: 'read', plain: 'n c s --lines --bytes --pid --sleep-interval' },
  'less lessc most': pager,
  cut: { operands: 'read', plain: 'd f b c --delimiter --fields --bytes --characters --output-delimiter' },
  'od hexdump': { operands: 'read', plain: 'A t j N w e n s', options: { read: '-f' } },
  wc: { operands: 'read', options: { read: '--files0-from' } },
  'du ls dir vdir tree exa eza lsd': {
    operands: 'read',
    alone: 'read',
    plain: 'I w T L P --ignore --hide --color --sort --time --block-size --max-depth --depth d',
    options: { write: '-o', read: '--fromfile --files0-from --exclude-from -X' },
  },
  'stat file readlink realpath getfacl lsattr namei': {
    operands: 'read',
    plain: 'c f F e P --format --printf',
    options: { read: '-m --magic-file --files-from' },
  },
  file: { operands: 'read', plain: 'e F P', options: { read: '-m -f --files-from --magic-file', write: '-C' } },
  'diff colordiff diff3 sdiff vimdiff delta icdiff': {
    operands: 'readTree',
    plain: 'U C L I x F W --label --exclude',
    options: { read: '-X --exclude-from --from-file --to-file', write: '-o --output', shell: '--diff-program' },
  },
  'grep egrep fgrep zgrep rgrep bzgrep xzgrep': search,
  'rg ag ack ugrep': {
    ...search,
    plain: `${search.plain ?? ''} t T M j E r`,
    options: { ...search.options, chosen: '-g --include --glob --iglob', write: '--output' },
  },
  sort: {
    operands: 'read',
    plain: 'k t S --key --field-separator --buffer-size --parallel --batch-size --sort',
    options: {
      write: '-o --output',
      folder: '-T --temporary-directory',
      shell: '--compress-program',
      read: '--files0-from --random-source',
    },
  },
  uniq: { operands: 'read', last: 'write', plain: 'f s w' },
  shuf: {
    operands: 'read',
    plain: 'n i --head-count --input-range',
    options: { write: '-o --output', read: '--random-source' },
    flags: { text: '-e --echo' },
  },
  'split csplit': {
    operands: 'text',
    first: 'read',
    plain: 'b l n a --bytes --lines',
    options: { shell: '--filter', write: '-f' },
    runs: true,
  },
  'tr seq date cal sleep true false : echo printf pwd whoami id uname hostname arch nproc uptime free df ps pgrep basename dirname which type hash whereis yes test [ expr factor locale tty stty tput clear reset logname users who w groups getconf times umask ulimit wait jobs fg bg disown break continue return exit shift getopts help bindkey logout lscpu lsblk lsmod lspci lsusb sw_vers vmstat iostat':
    silent,
  date: { operands: 'text', plain: 'd s --date --set', options: { read: '-f --file -r --reference' } },
  'kill killall pkill sync unset shopt complete compgen bind local readonly declare typeset export let set': silent,
  cp: {
    operands: 'readTree',
    last: 'write',
    plain: 'S --suffix --context',
    options: { write: '-t --target-directory' },
  },
  install: {
    operands: 'read',
    last: 'write',
    plain: 'm o g S --mode --owner --group',
    options: { write: '-t --target-directory', shell: '--strip-program' },
    flags: { write: '-d' },
  },
  mv: { operands: 'move', last: 'write', plain: 'S --suffix', options: { write: '-t --target-directory' } },
  'ln link': { operands: 'change', last: 'write', plain: 'S', options: { write: '-t --target-directory' } },
  rm: { operands: 'delete', flags: { deleteTree: '-r -R --recursive' } },
  'trash trash-put gio-trash srm': { operands: 'deleteTree' },
  'rmdir unlink': { operands: 'delete' },
  shred: { operands: 'change', plain: 'n s', flags: { delete: '-u --remove' }, options: { read: '--random-source' } },
  'mkdir mkfifo mknod mktemp': { operands: 'write', plain: 'm t --mode --suffix', options: { write: '-p' } },
  mkdir: { operands: 'write', plain: 'm --mode' },
  'touch truncate fallocate': {
    operands: 'write',
    plain: 's d t l o --size --date --time',
    options: { read: '-r --reference' },
  },
  'tee sponge': { operands: 'write', plain: '--output-error' },
  'chmod chown chgrp chattr setfacl setfattr chflags': {
    operands: 'chmod',
    first: 'text',
    noFirst: '--reference',
    options: { read: '--reference -M --restore' },
    plain: 'm x',
  },
  patch: {
    operands: 'change',
    options: { read: '-i --input', write: '-o --output -r', folder: '-d --directory' },
    plain: 'p F D V z B Y',
    runs: true,
  },
  base64: { operands: 'read', plain: 'w b --wrap', options: { read: '-i', write: '-o' } },
  xxd: { operands: 'read', last: 'write', plain: 'l s c g o b' },
  'jq yq gojq jaq': {
    operands: 'read',
    first: 'text',
    noFirst: '-f --from-file',
    plain: '--indent --tab',
    options: { read: '-f --from-file --slurpfile --rawfile --argfile', folder: '-L' },
    flags: { change: '-i --inplace' },
  },
  'gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress uncompress lzma': compress,
  zip: archive,
  unzip: { operands: 'text', first: 'read', plain: 'x P', options: { write: '-d' } },
  '7z 7za 7zr': { operands: 'change', first: 'text' },
  'ar cpio': {
    operands: 'change',
    first: 'text',
    options: { change: '-F', read: '-I', write: '-O', shell: '--rsh-command', folder: '-D' },
  },
  'dos2unix unix2dos': { operands: 'change' },
};
