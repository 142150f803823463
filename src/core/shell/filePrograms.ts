import type { ProgramRow } from './programRow';

const reads: ProgramRow = { operands: 'read' };
const silent: ProgramRow = { operands: 'text' };
const search: ProgramRow = {
  operands: 'readTree',
  first: 'text',
  noFirst: '-e --regexp -f --file --files --type-list',
  alone: 'readTree',
  plain:
    'e m A B C d D --regexp --max-count --context --after-context --before-context --glob --iglob --type --color --include --exclude --exclude-dir --replace --max-depth --sort --binary-files --label --devices --directories',
  options: {
    '-f': 'read',
    '--file': 'read',
    '--pre': 'shell',
    '--ignore-file': 'read',
    '--exclude-from': 'read',
    '--hostname-bin': 'shell',
    '--pager': 'shell',
  },
};
const archive: ProgramRow = {
  operands: 'readTree',
  first: 'write',
  plain: 'x i n P t',
  options: { '-TT': 'shell', '--unzip-command': 'shell', '-b': 'folder', '-O': 'write' },
  flags: { '-m': 'deleteTree', '--move': 'deleteTree' },
};
const compress: ProgramRow = {
  operands: 'change',
  flags: { '-c': 'read', '--stdout': 'read', '-t': 'read', '-l': 'read', '-k': 'change' },
  plain: 'S --suffix',
  options: { '-o': 'write' },
};
const pager: ProgramRow = {
  operands: 'read',
  plain: 'n c j p P t x y --lines --bytes',
  options: {
    '-o': 'write',
    '-O': 'write',
    '--log-file': 'write',
    '-k': 'script',
    '--lesskey-file': 'script',
    '--lesskey-src': 'script',
  },
};
/** Programs that work on files and text, by the names that a row holds for. */
export const fileRows: readonly (readonly [string, ProgramRow])[] = [
  [
    'cat tac nl wc od hexdump strings rev paste expand unexpand fold fmt cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum md5 shasum base32 basenc comm join look cmp zcat zless zmore bzcat xzcat zstdcat gunzip-c more batcat column hd colrm pr vis ptx tsort readelf nm ldd objdump cut iconv aspell csvlook glow identify exiftool pdftotext jsonlint',
    reads,
  ],
  [
    'bat',
    {
      operands: 'read',
      options: { '--pager': 'shell', '--theme': 'text', '--config-file': 'read' },
      plain: 'l r m H --language --line-range --style --color --paging --wrap',
    },
  ],
  ['head tail', { operands: 'read', plain: 'n c s --lines --bytes --pid --sleep-interval', flags: {} }],
  ['less lessc most', pager],
  ['cut', { operands: 'read', plain: 'd f b c --delimiter --fields --bytes --characters --output-delimiter' }],
  ['od hexdump', { operands: 'read', plain: 'A t j N w e n s', options: { '-f': 'read' } }],
  ['wc', { operands: 'read', options: { '--files0-from': 'read' } }],
  [
    'du ls dir vdir tree exa eza lsd',
    {
      operands: 'read',
      alone: 'read',
      plain: 'I w T L P --ignore --hide --color --sort --time --block-size --max-depth --depth d',
      options: { '-o': 'write', '--fromfile': 'read', '--files0-from': 'read', '--exclude-from': 'read', '-X': 'read' },
    },
  ],
  [
    'stat file readlink realpath getfacl lsattr namei',
    {
      operands: 'read',
      plain: 'c f F e P --format --printf',
      options: { '-m': 'read', '--magic-file': 'read', '--files-from': 'read' },
    },
  ],
  [
    'file',
    {
      operands: 'read',
      plain: 'e F P',
      options: { '-m': 'read', '-f': 'read', '--files-from': 'read', '--magic-file': 'read', '-C': 'write' },
    },
  ],
  [
    'diff colordiff diff3 sdiff vimdiff delta icdiff',
    {
      operands: 'readTree',
      plain: 'U C L I x F W --label --exclude',
      options: {
        '-X': 'read',
        '--exclude-from': 'read',
        '--from-file': 'read',
        '--to-file': 'read',
        '-o': 'write',
        '--output': 'write',
        '--diff-program': 'shell',
      },
    },
  ],
  ['grep egrep fgrep zgrep rgrep bzgrep xzgrep', search],
  [
    'rg ag ack ugrep',
    {
      ...search,
      plain: `${search.plain ?? ''} g t T M j E r`,
      options: { ...search.options, '--pre': 'shell', '--output': 'write' },
    },
  ],
  [
    'sort',
    {
      operands: 'read',
      plain: 'k t S --key --field-separator --buffer-size --parallel --batch-size --sort',
      options: {
        '-o': 'write',
        '--output': 'write',
        '-T': 'folder',
        '--temporary-directory': 'folder',
        '--compress-program': 'shell',
        '--files0-from': 'read',
        '--random-source': 'read',
      },
    },
  ],
  ['uniq', { operands: 'read', last: 'write', plain: 'f s w' }],
  [
    'shuf',
    {
      operands: 'read',
      plain: 'n i --head-count --input-range',
      options: { '-o': 'write', '--output': 'write', '--random-source': 'read' },
      flags: { '-e': 'text', '--echo': 'text' },
    },
  ],
  [
    'split csplit',
    {
      operands: 'text',
      first: 'read',
      plain: 'b l n a --bytes --lines',
      options: { '--filter': 'shell', '-f': 'write' },
      runs: true,
    },
  ],
  [
    'tr seq date cal sleep true false : echo printf pwd whoami id uname hostname arch nproc uptime free df ps pgrep basename dirname which type hash whereis yes test expr factor locale tty stty tput clear reset logname users who w groups getconf times umask ulimit wait jobs fg bg disown break continue return exit shift getopts help bindkey logout lscpu lsblk lsmod lspci lsusb sw_vers vmstat iostat',
    silent,
  ],
  [
    'date',
    {
      operands: 'text',
      plain: 'd s --date --set',
      options: { '-f': 'read', '--file': 'read', '-r': 'read', '--reference': 'read' },
    },
  ],
  ['kill killall pkill sync unset shopt complete compgen bind local readonly declare typeset export let set', silent],
  [
    'cp',
    {
      operands: 'readTree',
      last: 'write',
      plain: 'S --suffix --context',
      options: { '-t': 'write', '--target-directory': 'write' },
    },
  ],
  [
    'install',
    {
      operands: 'read',
      last: 'write',
      plain: 'm o g S --mode --owner --group',
      options: { '-t': 'write', '--target-directory': 'write', '--strip-program': 'shell' },
      flags: { '-d': 'write' },
    },
  ],
  [
    'mv',
    { operands: 'move', last: 'write', plain: 'S --suffix', options: { '-t': 'write', '--target-directory': 'write' } },
  ],
  [
    'ln link',
    { operands: 'change', last: 'write', plain: 'S', options: { '-t': 'write', '--target-directory': 'write' } },
  ],
  ['rm', { operands: 'delete', flags: { '-r': 'deleteTree', '-R': 'deleteTree', '--recursive': 'deleteTree' } }],
  ['trash trash-put gio-trash srm', { operands: 'deleteTree' }],
  ['rmdir unlink', { operands: 'delete' }],
  [
    'shred',
    {
      operands: 'change',
      plain: 'n s',
      flags: { '-u': 'delete', '--remove': 'delete' },
      options: { '--random-source': 'read' },
    },
  ],
  [
    'mkdir mkfifo mknod mktemp',
    { operands: 'write', plain: 'm t --mode --suffix', options: { '-p': 'write' }, flags: {} },
  ],
  ['mkdir', { operands: 'write', plain: 'm --mode' }],
  [
    'touch truncate fallocate',
    { operands: 'write', plain: 's d t l o --size --date --time', options: { '-r': 'read', '--reference': 'read' } },
  ],
  ['tee sponge', { operands: 'write', plain: '--output-error' }],
  [
    'chmod chown chgrp chattr setfacl setfattr chflags',
    {
      operands: 'chmod',
      first: 'text',
      noFirst: '--reference',
      options: { '--reference': 'read', '-M': 'read', '--restore': 'read' },
      plain: 'm x',
    },
  ],
  [
    'patch',
    {
      operands: 'change',
      options: {
        '-i': 'read',
        '--input': 'read',
        '-o': 'write',
        '--output': 'write',
        '-r': 'write',
        '-d': 'folder',
        '--directory': 'folder',
      },
      plain: 'p F D V z B Y',
      runs: true,
    },
  ],
  ['base64', { operands: 'read', plain: 'w b --wrap', options: { '-i': 'read', '-o': 'write' } }],
  ['xxd', { operands: 'read', last: 'write', plain: 'l s c g o b' }],
  [
    'jq yq gojq jaq',
    {
      operands: 'read',
      first: 'text',
      noFirst: '-f --from-file',
      plain: '--indent --tab',
      options: {
        '-f': 'read',
        '--from-file': 'read',
        '--slurpfile': 'read',
        '--rawfile': 'read',
        '--argfile': 'read',
        '-L': 'folder',
      },
      flags: { '-i': 'change', '--inplace': 'change' },
    },
  ],
  ['gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress uncompress lzma', compress],
  ['zip', archive],
  ['unzip', { operands: 'text', first: 'read', plain: 'x P', options: { '-d': 'write' }, flags: {} }],
  ['7z 7za 7zr', { operands: 'change', first: 'text' }],
  [
    'ar cpio',
    {
      operands: 'change',
      first: 'text',
      options: { '-F': 'change', '-I': 'read', '-O': 'write', '--rsh-command': 'shell', '-D': 'folder' },
    },
  ],
  ['dos2unix unix2dos', { operands: 'change' }],
];
