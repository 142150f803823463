import type { ProgramRow } from './programRow';

/** A program that starts another one; what an option does that its row does not know cannot be told. */
const starts = (bare: string, rest: ProgramRow = {}): ProgramRow => ({ command: 0, bare, ...rest });

/** Programs that start others, each with all of its options that are understood. */
export const startingRows: Readonly<Record<string, ProgramRow>> = {
  'nohup builtin noglob nocorrect catchsegv': starts(''),
  command: starts('p v V', { tells: /^(?:-p )?-[vV](?: (?!-)\S+)+$/ }),
  exec: starts('c l', { plain: 'a' }),
  env: starts('i 0 v --ignore-environment --null --debug --list-signal-handling', {
    plain: 'u a --unset --argv0',
    optional: '--block-signal --default-signal --ignore-signal',
    options: { shell: '-S --split-string', folder: '-C --chdir' },
  }),
  sudo: starts(
    'A b B E e H i K k l N n P S s V v --askpass --background --bell --edit --set-home --login --remove-timestamp --reset-timestamp --list --no-update --non-interactive --preserve-groups --stdin --shell --validate',
    {
      plain: 'u g p C T r t U --user --group --prompt --close-from --command-timeout --role --type --other-user',
      optional: '--preserve-env',
      options: { folder: '-D --chdir -R --chroot' },
    },
  ),
  doas: starts('L n s', { plain: 'u', options: { read: '-C' } }),
  pkexec: starts('--disable-internal-agent --keep-cwd', { plain: '--user' }),
  gosu: starts('', { command: 1 }),
  setsid: starts('c f w --ctty --fork --wait'),
  caffeinate: starts('d i m s u', { plain: 't w' }),
  unbuffer: starts('p'),
  faketime: starts('m f --exclude-monotonic', { command: 1 }),
  rlwrap: starts('A c i I n N o r R U X', {
    plain: 'C g s S t w',
    optional: 'a m p --always-readline --multi-line --prompt-colour',
    options: { read: '-f --file', write: '-H --history-filename -l --logfile', shell: '-z --filter' },
  }),
  winpty: starts('--mouse --showkey'),
  'proxychains proxychains4': starts('q', { options: { read: '-f' } }),
  torsocks: starts('i d q --isolate --debug --quiet', { plain: 'u p a P --user --pass --address --port' }),
  'busybox toybox': starts('--list --list-full'),
  stdbuf: starts('', { plain: 'i o e --input --output --error' }),
  'dbus-run-session': starts('', { options: { read: '--config-file', script: '--dbus-daemon' } }),
  time: starts('a p v q V h l --append --portability --verbose --quiet', {
    plain: 'f --format',
    options: { write: '-o --output' },
  }),
  nice: starts('', { plain: 'n --adjustment' }),
  ionice: starts('t --ignore', { plain: 'c n p P u --class --classdata --pid --pgid --uid' }),
  chrt: starts(
    'b d f i o r a m p R v --batch --deadline --fifo --idle --other --rr --all-tasks --max --pid --reset-on-fork --verbose',
    { command: 1, own: /^\d+$/, plain: 'T P D --sched-runtime --sched-period --sched-deadline' },
  ),
  taskset: starts('a c p --all-tasks --cpu-list --pid', { command: 1 }),
  cpulimit: starts('b f q v z i --background --foreground --quiet --verbose --lazy --include-children', {
    plain: 'l p e P c s --limit --pid --exe --path --cpu --signal',
  }),
  'timeout gtimeout': starts('v f p --foreground --preserve-status --verbose', {
    command: 1,
    plain: 's k --signal --kill-after',
  }),
  strace: starts('c C d D f F i k n N q r t T v w x y z Z A --follow-forks', {
    plain: 'a b e I O P s S u U X p --trace --string-limit --attach --user',
    options: { writeOrRun: '-o --output' },
  }),
  ltrace: starts('b c C f i L r S t T', { plain: 'a A D e l n p s u w x', options: { write: '-o', read: '-F' } }),
  flock: starts('s x e u n F o --shared --exclusive --unlock --nonblock --nb --close --no-fork --verbose', {
    command: 1,
    plain: 'w E --wait --timeout --conflict-exit-code',
    options: { shell: '-c --command' },
  }),
  watch: starts(
    'b c C e f g p r t w x --beep --no-color --errexit --follow --chgexit --precise --no-rerun --no-title --no-wrap --exec',
    { plain: 'n q --interval --equexit', optional: 'd --differences --color', line: '-x --exec' },
  ),
  entr: starts('a c d n p r s x z'),
  hyperfine: {
    operands: 'shell',
    bare: 'N --show-output',
    plain: 'w m M r u n --warmup --min-runs --max-runs --runs --time-unit --command-name --style --sort',
    optional: 'i --ignore-failure',
    options: {
      shell: '-p --prepare -s --setup -c --cleanup -C --conclude -S --shell --reference',
      read: '--input',
      write: '--export-json --export-csv --export-markdown --export-asciidoc --export-orgmode --output',
    },
  },
  parallel: { command: 0, plain: 'j I N n --jobs', options: { read: '-a --arg-file' }, runs: true },
  'xargs gxargs': starts(
    '0 o p r t x --null --interactive --no-run-if-empty --verbose --exit --open-tty --show-limits',
    {
      plain: 'I J n P L s d E R S --max-args --max-procs --max-chars --delimiter --process-slot-var',
      optional: 'i e l --replace --eof --max-lines',
      options: { read: '-a --arg-file' },
    },
  ),
};
