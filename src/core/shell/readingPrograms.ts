import type { ProgramRow } from './programRow';

const reads: ProgramRow = { operands: 'read' };
const silent: ProgramRow = { operands: 'text' };
const search: ProgramRow = {
  operands: 'readTree',
  tree: { by: '-r -R --recursive --dereference-recursive', follows: '-R --dereference-recursive', as: 'grep' },
  first: 'text',
  noFirst: '-e --regexp -f --file --files --type-list',
  alone: 'readTree',
  plain: 'e --regexp --binary-files --label --devices --directories',
  numbers: 'm A B C --max-count --context --after-context --before-context',
  options: { read: '-f --file --exclude-from', chosen: '--include', leftOut: '--exclude --exclude-dir' },
};
const searchLetters = 'm A B C --max-count --context --after-context --before-context';
const pager: ProgramRow = {
  operands: 'read',
  numbers: 'b h j x y z --lines --buffers --tabs --max-back-scroll --max-forw-scroll',
  plain: 'p P t D # --pattern --prompt --tag --color',
  options: { read: '-T --tag-file', write: '-o -O --log-file', script: '-k --lesskey-file --lesskey-src' },
};
const objects: ProgramRow = { operands: 'read', options: { script: '--plugin' } };

/** Programs that only read and tell, by the names that a row holds for. */
export const readingRows: Readonly<Record<string, ProgramRow>> = {
  'cat tac nl rev paste expand unexpand fold fmt cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum md5 shasum base32 basenc comm join look cmp zcat zless zmore bzcat xzcat zstdcat gunzip-c more column colrm pr vis tsort csvlook getfacl lsattr namei most ldd':
    reads,
  'readelf nm objdump strings': objects,
  ptx: { operands: 'read', flags: { change: '-G --traditional' } },
  jsonlint: { operands: 'read', flags: { change: '-i --in-place' } },
  iconv: {
    operands: 'read',
    plain: 'f t --from-code --to-code',
    bare: 'c l s --list --silent --verbose',
    options: { write: '-o --output' },
  },
  pdftotext: {
    operands: 'read',
    last: 'write',
    singleDash: true,
    plain: '-f -l -r -x -y -W -H -enc -eol -opw -upw -fixed -colspacing',
  },
  identify: { operands: 'read', singleDash: true, bare: '-verbose -quiet -ping', plain: '-format' },
  exiftool: {
    operands: 'readTree',
    singleDash: true,
    bare: '-a -b -D -e -ee -F -G -g -H -h -j -json -l -n -q -r -S -s -s2 -s3 -t -u -U -v -X -DateTimeOriginal -CreateDate -ImageSize -ImageWidth -ImageHeight -FileType -MIMEType -Orientation -GPSPosition -Make -Model -Title -all -ver -list -fast',
  },
  'bat batcat': {
    operands: 'read',
    bare: 'A n p P u f d L --show-all --number --plain --no-paging --unbuffered --force-colorization --diff --list-languages --list-themes --squeeze-blank --chop-long-lines',
    plain:
      'l r m H --language --line-range --map-syntax --highlight-line --file-name --style --color --decorations --paging --wrap --tabs --theme --italic-text --terminal-width --diff-context --strip-ansi --nonprintable-notation --binary',
    options: { shell: '--pager' },
  },
  delta: {
    operands: 'readTree',
    bare: 'n s --line-numbers --side-by-side --dark --light --color-only --navigate --hyperlinks --raw --keep-plus-minus-markers --relative-paths',
    plain: 'w --width --paging --syntax-theme --tabs --file-style',
    options: { shell: '--pager' },
  },
  'head tail': { operands: 'read', plain: 'n c --lines --bytes --pid --sleep-interval', numbers: 'b s' },
  less: pager,
  cut: { operands: 'read', plain: 'd f b c --delimiter --fields --bytes --characters --output-delimiter' },
  od: {
    operands: 'read',
    plain: 'A j N t S --address-radix --skip-bytes --read-bytes --format',
    optional: 'w --strings --width',
  },
  'hexdump hd': {
    operands: 'read',
    plain: 'e n s --format --length --skip',
    optional: 'L',
    options: { read: '-f --format-file' },
  },
  wc: { operands: 'read', options: { list: '--files0-from' } },
  // What a letter takes here and not there is read as a name.
  'ls dir vdir': {
    operands: 'read',
    alone: 'read',
    plain: '--sort --time --time-style --block-size --format --indicator-style --quoting-style',
    options: { read: '-I -w -T', leftOut: '--ignore --hide' },
  },
  'exa eza': {
    operands: 'read',
    alone: 'read',
    plain: 'L s t --level --sort --time --time-style',
    options: { read: '-w --width', leftOut: '-I --ignore-glob' },
  },
  lsd: {
    operands: 'read',
    alone: 'read',
    plain: '--depth --color --icon --icon-theme --date --sort --size --permission --blocks --group-dirs',
    options: { read: '--config-file', leftOut: '-I --ignore-glob' },
  },
  tree: {
    operands: 'read',
    alone: 'read',
    plain: 'P L H T --filelimit --charset --timefmt',
    options: { write: '-o', read: '--gitfile --infofile', leftOut: '-I' },
  },
  du: {
    operands: 'read',
    alone: 'read',
    plain: 'd B t --max-depth --block-size --threshold',
    options: { read: '-X -I --exclude-from', list: '--files0-from', leftOut: '--exclude' },
  },
  stat: { operands: 'read', plain: 'c --format --printf', options: { read: '-f -t' } },
  readlink: reads,
  realpath: { operands: 'read', options: { read: '--relative-to --relative-base' } },
  file: {
    operands: 'read',
    plain: 'e F P --exclude --separator --parameter',
    options: { read: '-m --magic-file', list: '-f --files-from', write: '-C' },
  },
  'diff colordiff': {
    operands: 'readTree',
    tree: { follows: 'always', as: 'names' },
    plain:
      'U C L I F W D --label --ignore-matching-lines --show-function-line --width --ifdef --horizon-lines --tabsize --starting-file --line-format --palette',
    optional: '--unified',
    options: { read: '-X -S --exclude-from --from-file --to-file', write: '--output', leftOut: '-x --exclude' },
  },
  diff3: { operands: 'readTree', plain: 'L --label', options: { shell: '--diff-program' } },
  sdiff: {
    operands: 'readTree',
    plain: 'I w --ignore-matching-lines --width --tabsize',
    options: { write: '-o --output', shell: '--diff-program' },
  },
  icdiff: {
    operands: 'readTree',
    bare: 'h N r s u H W --help --highlight --line-numbers --no-bold --no-headers --recursive --show-all-spaces --whole-file --strip-trailing-cr --truncate --is-git-diff --show-no-spaces',
    plain: 'E L U --cols --encoding --exclude-lines --label --labels --numlines --tabsize',
  },
  'grep egrep fgrep zgrep bzgrep xzgrep': { ...search, plain: `${search.plain ?? ''} d D` },
  rgrep: { ...search, plain: `${search.plain ?? ''} d D`, tree: { follows: '-R', as: 'grep' } },
  rg: {
    ...search,
    tree: {
      tells: '--files --type-list',
      seesHidden: '--hidden -. --unrestricted -uu',
      seesIgnored:
        '--no-ignore --no-ignore-vcs --no-ignore-dot --no-ignore-exclude --no-ignore-parent --no-ignore-files --ignore-file -u --unrestricted',
      types: 'values',
      follows: '-L --follow',
      as: 'rg',
    },
    numbers: `${searchLetters} d M j --max-depth --max-columns --threads`,
    plain:
      'e t T E r --regexp --type --type-not --type-add --type-clear --encoding --replace --sort --sortr --color --colors --max-filesize --engine --dfa-size-limit --regex-size-limit --context-separator --field-context-separator --field-match-separator --path-separator --generate --hyperlink-format',
    options: {
      read: '-f --file --ignore-file',
      shell: '--pre --hostname-bin',
      chosen: '-g --glob --iglob --pre-glob',
    },
  },
  ag: {
    ...search,
    tree: {
      tells: '-g',
      seesHidden: '--hidden -u --unrestricted -a --all-types',
      seesIgnored: '-u --unrestricted -a --all-types -U --skip-vcs-ignores -p --path-to-ignore',
      types: 'names',
      follows: '-f --follow',
      as: 'names',
    },
    numbers: `${searchLetters} W --depth --width`,
    plain: '--workers --color-line-number --color-match --color-path',
    options: {
      read: '-p --path-to-ignore',
      shell: '--pager',
      chosen: '-G --file-search-regex',
      leftOut: '--ignore --ignore-dir',
    },
  },
  ack: {
    ...search,
    tree: { tells: '-f -g', types: 'names', follows: '--follow', as: 'ack' },
    numbers: searchLetters,
    plain: 't T --type --type-add --type-set --type-del --match',
    options: {
      list: '--files-from',
      script: '--ackrc',
      shell: '--pager',
      code: '--output',
      leftOut: '--ignore-dir --ignore-directory --ignore-file',
    },
  },
  sort: {
    operands: 'read',
    plain: 'k t S --key --field-separator --buffer-size --parallel --batch-size --sort',
    options: {
      write: '-o --output',
      place: '-T --temporary-directory',
      shell: '--compress-program',
      read: '--random-source',
      list: '--files0-from',
    },
  },
  uniq: { operands: 'read', last: 'write', plain: 'f s w --skip-fields --skip-chars --check-chars' },
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
  base64: { operands: 'read', plain: 'w b --wrap', options: { read: '-i', write: '-o' } },
  xxd: { operands: 'read', last: 'write', numbers: 'l s c g o' },
  'jq gojq jaq': {
    operands: 'read',
    first: 'text',
    noFirst: '-f --from-file',
    plain: '--indent',
    options: { read: '-f --from-file --slurpfile --rawfile --argfile', place: '-L' },
  },
  // What `-s` and `-f` are hangs on which of two programs it is.
  yq: {
    operands: 'read',
    first: 'text',
    bare: 'n i e P C M N r j v c y Y S a --null-input --inplace --in-place --exit-status --prettyPrint --colors --no-colors --no-doc --tojson --raw-output --compact-output --yaml-output',
    plain: 'I o p w --indent --output-format --input-format --width',
    optional: '--unwrapScalar',
    flags: { change: '-i --inplace --in-place' },
  },
};
