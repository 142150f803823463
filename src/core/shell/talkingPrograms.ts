import { byName } from './programRow';

/** Tells whether a program with these arguments waits for what a person types. */
type Talks = (args: readonly string[]) => boolean;

const onlyTells = /^(?:--?help|--?version|-V)$/;
const always: Talks = (args) => !args.some((arg) => onlyTells.test(arg));
const unless =
  (option: RegExp): Talks =>
  (args) =>
    always(args) && !args.some((arg) => option.test(arg));
const where =
  (line: RegExp): Talks =>
  (args) =>
    line.test(args.join(' '));

/** Programs that read the terminal itself, whatever they are fed. */
const onTerminal = byName<Talks>({
  'less zless bzless xzless more zmore bzmore xzmore most man info top htop script': always,
  'vi vim nvim view ex gvim rvim vimdiff nano pico micro emacs': unless(/^(?:-e?s|-Es|--?batch|--headless)$/),
  'telnet nc ncat netcat': (args) => args.length > 0 && !args.some((arg) => /^-\w*z/.test(arg)),
  git: talksInGit,
});

/** Programs that read what is typed where they are fed nothing else. */
const onInput = byName<Talks>({
  ed: always,
  'python python2 python3 pypy pypy3 ipython': where(/^(?:-[iq]+)?$|^(?:-[a-zA-Z]+ )*-[a-zA-Z]*i\b/),
  'node nodejs ruby irb perl php lua luajit ghci redis-cli mongo mongosh': where(/^(?:-[iq]+)?$/),
  'sqlite3 sqlite duckdb': where(/^(?:-\S+ )*\S*$/),
  'psql mysql mariadb': unless(/^(?:-[cefl].*|--(?:command|file|execute|list).*)$/),
  'gdb lldb': unless(/^--?batch$/),
  'ftp sftp lftp': unless(/^-[bcef].*$/),
  ssh: where(/^(?:-(?:[46AaCgKkMqstvXxYy]+|[BbcDEeFIiJLlmopRSw] ?\S+) )*[^-\s]\S*$/),
});

/** True for a program that a person would go on talking with; `isFed` where something is written into it. */
export function talks(name: string, args: readonly string[], isFed: boolean): boolean {
  const program = name.replace(/^python[\d.]+$/, 'python');
  return onTerminal.get(program)?.(args) === true || (!isFed && onInput.get(program)?.(args) === true);
}

const byPart = /^(?:--patch|--interactive|--edit|-[a-zA-Z]*[eip][a-zA-Z]*)$/;
/** Subcommands of which a person chooses or edits parts, by the options with which they do. */
const chosenParts = byName({
  'add stage': byPart,
  'checkout restore reset stash commit': /^(?:-p|--patch|--interactive)$/,
  rebase: /^(?:-i|--interactive|--edit-todo)$/,
  config: /^(?:-e|--edit)$/,
});

/** `git`: a pager of its own, or a subcommand that asks. */
function talksInGit(args: readonly string[]): boolean {
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const value = arg === '-c' ? args[at + 1] : /^-c(.+)$/s.exec(arg)?.[1];
    const pager = /^(?:core\.pager|pager\.\w+)=\s*(?:\S*\/)?(\w+)(.*)$/is.exec(value ?? '');
    if (pager && onTerminal.get(pager[1] ?? '') !== undefined) return true;
    if (arg === '-c' || arg === '-C') at++;
    else if (!arg.startsWith('-')) return args.slice(at + 1).some((one) => chosenParts.get(arg)?.test(one) === true);
  }
  return false;
}
