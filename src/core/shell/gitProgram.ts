import { wordSet } from '../base/wordSet';
import { applyRow } from './applyRow';
import { readArguments } from './arguments';
import { type Field, isOpenField, plainField } from './field';
import type { ProgramRow } from './programRow';
import { configured, readConfig } from './gitConfig';
import { listedNames, namesIn } from './listedNames';
import { inTree, leavesOutPath, type PathspecModes, pathspecPatterns } from './pathspec';
import { type Io, type Reader, wordsOf } from './reader';

const isReading = wordSet(
  'status log diff show blame annotate ls-files ls-tree rev-parse describe shortlog cat-file rev-list name-rev show-ref for-each-ref merge-base diff-tree diff-index diff-files whatchanged count-objects var version help check-ignore check-attr cherry range-diff verify-commit verify-tag show-branch grep reflog fsck get-tar-commit-id column stripspace',
);
const isChanging = wordSet(
  'checkout restore reset rm mv clean stash apply am switch revert cherry-pick merge rebase add commit init tag branch update-index read-tree checkout-index worktree sparse-checkout gc prune notes replace update-ref symbolic-ref hash-object mktree write-tree commit-tree pack-refs repack archive bundle format-patch config rerere maintenance',
);
const isContacting = wordSet(
  'fetch pull push clone ls-remote remote submodule send-email request-pull archive-remote fetch-pack send-pack svn p4 lfs',
);

/** Options with which branches and tags are told; those of the second kind take names of them beside. */
const telling =
  /^(?:-[ariv]+|--all|--remotes|--verbose|--show-current|--(?:no-)?(?:color|column)|--ignore-case|--abbrev=\d+|--(?:sort|format|color|column)=.*)$/s;
const choosing = /^(?:--list|--(?:no-)?(?:contains|merged)(?:=.*)?|--points-at(?:=.*)?)$/s;
const howStashes = /^(?:--oneline|-\d+|--(?:format|pretty|date)=.*)$/s;

/** True where a subcommand that may change something is asked only for what is there. */
function tellsOnly(sub: string, args: readonly Field[]): boolean {
  if (args.some(isOpenField)) return false;
  const texts = args.map(({ text }) => text);
  const options = texts.filter((text) => text.startsWith('-'));
  const [first, ...others] = texts.filter((text) => !text.startsWith('-'));
  switch (sub) {
    case 'branch':
    case 'tag': {
      // An older `git branch -l` makes one.
      const isChosen = (text: string): boolean => choosing.test(text) || (sub === 'tag' && /^-(?:l|n\d*)$/.test(text));
      return (
        options.every((one) => telling.test(one) || isChosen(one)) && (first === undefined || options.some(isChosen))
      );
    }
    case 'remote':
      return options.every((one) => /^(?:-v|--verbose|--push|--all)$/.test(one)) && (!first || first === 'get-url');
    case 'stash':
      return texts[0] === 'list' && others.length === 0 && options.every((one) => howStashes.test(one));
    case 'worktree':
      return (
        texts[0] === 'list' &&
        others.length === 0 &&
        options.every((one) => /^(?:-v|--verbose|--porcelain|-z)$/.test(one))
      );
    default:
      return false;
  }
}

export const gitRow: ProgramRow = {
  command: 0,
  options: {
    folder: '-C --work-tree',
    text: '-c --config-env --namespace --super-prefix --attr-source',
    read: '--git-dir',
    script: '--exec-path',
  },
};
/** Options, which git takes by their beginning too, that run a program which the repository names. */
const running = ['--ext-diff', '--textconv', '--filters'];
const subRow: ProgramRow = {
  operands: 'unknown',
  plain:
    'n m S G L U b B --author --since --until --format --pretty --max-count --grep --message --branch --depth --date',
  options: {
    write: '--output -o --output-directory',
    shell:
      '-O --open-files-in-pager --upload-pack --receive-pack --exec -x --extcmd --tree-filter --index-filter --msg-filter --env-filter --editor --to-command --run --smtp-server --sendmail-cmd',
    read: '-F --file --template --contents --exclude-from --from-file',
    text: '-X --prefix --signed --pathspec-from-file',
  },
};

const grepRow: ProgramRow = {
  ...subRow,
  plain: `${subRow.plain ?? ''} e A B C`,
  options: { ...subRow.options, read: `${subRow.options?.read ?? ''} -f` },
};

/** Options of a subcommand that leave out what they name. */
const leavingOut: Readonly<Record<string, string>> = { clean: '-e --exclude', 'ls-files': '--exclude' };

/** What the options of a subcommand do. */
export function subRowOf(sub: string): ProgramRow {
  const leftOut = leavingOut[sub];
  if (leftOut === undefined) return sub === 'grep' ? grepRow : subRow;
  return { ...subRow, options: { ...subRow.options, leftOut } };
}

/** A repository that nobody but git writes: `.git` of a folder, or a part of it. */
const ownRepository = /^(?:(?!~|.*\.\.)(?:.*\/)?|(?:\.\.?\/)*)\.git(?:\/(?:modules|worktrees)\/(?!.*\.\.).*)?\/?$/s;

/** `git`: what its options run, and what its subcommand reads, writes, deletes and contacts. */
export function readGit(args: readonly Field[], reader: Reader, words: string, io: Io): void {
  const { values, options, command } = applyRow(gitRow, args, reader, words);
  for (const { name, field } of values)
    if (name === '-c' || name === '--config-env') {
      const [, key = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(field.text) ?? [];
      configured(key, { ...field, text: value }, reader, words);
    } else if (name === '-C' && isOpenField(field)) reader.unknown('unknown_folder', words);
    else if (!keepsRepository(name, field)) reader.unknown('runs_code', words);
  // It takes the folder that it works in for a repository.
  if (options.has('--bare')) reader.unknown('runs_code', words);
  const [sub, ...rest] = command;
  if (!sub) return;
  if (!/^(?:version|help|init|clone)$/.test(sub.text)) reader.repository(words);
  const modes = { isEither: options.has('--icase-pathspecs'), isGlob: options.has('--glob-pathspecs') };
  const own = sub.text === 'grep' ? rest : withoutShortX(sub.text, rest);
  readSub({ sub: sub.text, args: own, modes, io, reader, words });
}

/** False for an option with which git takes another repository than that of its folder, whose settings run programs. */
function keepsRepository(name: string, field: Field): boolean {
  if (name === '--git-dir') return !isOpenField(field) && ownRepository.test(field.text);
  return name !== '--work-tree' || (!isOpenField(field) && /^\.\/?$/.test(field.text));
}

/** Options of which none takes the argument behind it. */
const alone =
  /^(?:-[avsnqpe]+|-\d+|--\w[\w-]*=.*|--(?:all|amend|oneline|stat|graph|patch|reverse|quiet|verbose|signoff|annotate|no-verify|no-edit|no-ff|allow-empty|name-only))$/s;

/** The arguments that are messages, or what is searched for in those of others. */
export function gitTexts(args: readonly Field[]): readonly Field[] {
  const [sub, ...rest] = readArguments(gitRow, args).command;
  const isWriting = /^(?:commit|tag|merge|notes|stash)$/.test(sub?.text ?? '');
  if (!isWriting && !/^(?:log|shortlog|rev-list|reflog)$/.test(sub?.text ?? '')) return [];
  const end = rest.findIndex(({ text }) => text === '--');
  const options = end < 0 ? rest : rest.slice(0, end);
  const [apart, attached] = isWriting ? [/^(?:-[avsnqpe]*m|--message)$/, /^--message=/] : [/^--grep$/, /^--grep=/];
  const isTaken = (index: number): boolean => {
    const before = options[index - 1]?.text ?? '';
    return apart.test(before) && !isValue(index - 1);
  };
  // What stands behind an option that is not known to stand alone may be its value.
  const isValue = (index: number): boolean => {
    const before = options[index - 1]?.text ?? '';
    return before.startsWith('-') && !alone.test(before);
  };
  return options.filter(({ text }, index) => (attached.test(text) ? !isValue(index) : isTaken(index)));
}

/** `-x` and `-O` run a program in a few subcommands only. */
function withoutShortX(sub: string, args: readonly Field[]): readonly Field[] {
  return /^(?:rebase|difftool|bisect|send-email|archive)$/.test(sub)
    ? args
    : args.map((arg) => (/^-[a-zA-Z]*[xO]/.test(arg.text) ? { ...arg, text: arg.text.replace(/[xO]/g, '') } : arg));
}

/** A subcommand with all that stands behind it. */
interface GivenSub {
  readonly sub: string;
  readonly args: readonly Field[];
  readonly modes: PathspecModes;
  readonly io: Io;
  readonly reader: Reader;
  readonly words: string;
}

/** What a subcommand is called with. */
interface SubCall extends GivenSub {
  readonly options: ReadonlySet<string>;
  readonly operands: readonly Field[];
  /** What stands behind `--`, or in a list. */
  readonly paths: readonly Field[];
}

function readSub(given: GivenSub): void {
  const { sub, args, reader, words, io } = given;
  const isSubmodule = sub === 'submodule' && args[0]?.text === 'foreach';
  if (isSubmodule || (sub === 'bisect' && args[0]?.text === 'run')) {
    const rest = args.slice(1);
    if (isSubmodule) reader.apart((inner) => inner.runText(wordsOf(rest)));
    else reader.apart((inner) => inner.runWords(rest, { isFed: false }));
    return reader.unknown('runs_code', words);
  }
  if (tellsOnly(sub, args)) return;
  if (sub === 'config') return readConfig(args, reader, words);
  const split = args.findIndex(({ text }) => text === '--');
  const before = split < 0 ? args : args.slice(0, split);
  const behind = split < 0 ? [] : args.slice(split + 1);
  const { operands, options, values } = applyRow(subRowOf(sub), before, reader, words);
  const isRunning = (option: string): boolean => option.length > 4 && running.some((name) => name.startsWith(option));
  if ([...options].some(isRunning) && !options.has('--no-index')) reader.unknown('runs_code', words);
  if (isContacting.has(sub)) return contact(sub, operands, reader, words);
  const listed = values.flatMap(({ name, field }) =>
    name === '--pathspec-from-file' ? (listedNames(field, reader, words, io) ?? []) : [],
  );
  const named = ({ text }: Field): boolean => !leavesOutPath(text);
  const paths = [...behind, ...listed].filter(named);
  const call: SubCall = { ...given, options, operands: operands.filter(named), paths };
  if (sub === 'reflog' && /^(?:expire|delete|drop|write)$/.test(operands[0]?.text ?? ''))
    return reader.touch('fs.delete', plainField('.git/logs'), words, { recursive: true, permanent: true });
  if (isReading.has(sub)) return readTree(call);
  if (isChanging.has(sub)) return changeTree(call);
  reader.unknown('unknown_program', words);
}

/** What only reads: files, or revisions and names that may be files too. */
function readTree(call: SubCall): void {
  const { sub, options, operands, paths, modes, reader, words } = call;
  // Of what is searched for nothing is a file, though it may look like one.
  const isSearched = sub === 'grep' && !['-e', '-f', '--and', '--or', '--not'].some((name) => options.has(name));
  for (const field of [...operands, ...paths, ...fedNames(call)]) {
    const path = inTree(field);
    const isFile = paths.includes(field) || path !== field || sub === 'blame' || options.has('--no-index');
    reader.touch('fs.read', path, words, { recursive: true, ...(isFile ? {} : { suspected: 'written' }) });
    if (!isSearched || field !== operands[0])
      for (const one of pathspecPatterns(field, modes))
        reader.touch('fs.read', one, words, { recursive: true, suspected: 'written' });
  }
  if (sub !== 'grep') return;
  if (paths.length === 0) reader.touch('fs.read', plainField('.'), words, { recursive: true });
  // Else what was added once is searched, which is not looked up here.
  if (!options.has('--no-index')) return;
  const named = [...operands.slice(isSearched ? 1 : 0), ...paths];
  for (const folder of named.length > 0 ? named : [plainField('.')]) reader.tree(folder, {}, words);
}

/** The objects, revisions and files that come by the input. */
function fedNames({ sub, options, io, reader, words }: SubCall): readonly Field[] {
  const isBatch = sub === 'cat-file' && (options.has('--batch') || options.has('--batch-command'));
  const isList = options.has('--stdin') && /^(?:log|show|rev-list|shortlog|whatchanged)$/.test(sub);
  if (!io.isFed || (!isBatch && !isList)) return [];
  const names = namesIn(io.stdin);
  if (!names) reader.unknown('unknown_word', words);
  return (names ?? []).map((name) => ({ ...name, text: name.text.replace(/^(?:contents|info) /, '') }));
}

const changes = ['fs.read', 'fs.write'] as const;

/** What changes files or the repository. */
function changeTree({ sub, options, operands, paths, modes, reader, words }: SubCall): void {
  for (const field of [...operands, ...paths]) {
    const path = inTree(field);
    for (const one of pathspecPatterns(field, modes))
      for (const effect of /^(?:add|commit|archive|stash)$/.test(sub) ? (['fs.read'] as const) : changes)
        reader.touch(effect, one, words, { recursive: true, suspected: 'written' });
    if (sub === 'rm' || sub === 'clean' || sub === 'mv') {
      reader.touch('fs.delete', path, words, { recursive: options.has('-r') || sub === 'clean', permanent: true });
      if (sub === 'mv') reader.touch('fs.write', path, words);
    } else touchChanged(sub, path, paths.includes(field), reader, words);
  }
  if (sub === 'clean' && paths.length + operands.length === 0 && !options.has('-n') && !options.has('--dry-run'))
    reader.touch('fs.delete', plainField('.'), words, { recursive: true, permanent: true });
  // Hooks, filters and editors of the repository run with what changes it.
  if (sub !== 'add') reader.unknown('runs_code', words);
}

function touchChanged(sub: string, path: Field, isPath: boolean, reader: Reader, words: string): void {
  const facts = isPath || /^(?:add|restore|apply|am|hash-object)$/.test(sub) ? {} : { suspected: 'written' as const };
  if (/^(?:add|hash-object|apply|am|commit|stash)$/.test(sub)) reader.touch('fs.read', path, words, facts);
  if (!/^(?:add|hash-object|commit)$/.test(sub)) reader.touch('fs.write', path, words, facts);
}

function contact(sub: string, operands: readonly Field[], reader: Reader, words: string): void {
  for (const { text } of operands) {
    const run = /^ext::(.*)$/s.exec(text)?.[1];
    const host = /^(?:[\w.-]+@)?([\w.-]+\.[\w.-]+):(?!\/\/)/.exec(text)?.[1];
    if (run !== undefined) reader.apart((inner) => inner.runText(run));
    else if (/^[a-z+]+:\/\//i.test(text))
      reader.contact(text.replace(/^git\+/, ''), words, sub === 'push' ? 'POST' : 'GET');
    else if (host !== undefined) reader.connect(host, words);
  }
  if (sub === 'clone') {
    const target =
      operands[1] ??
      plainField(
        operands[0]?.text
          .replace(/(?<!\/)\/+$|\.git$/g, '')
          .split(/[/:]/)
          .at(-1) ?? '',
      );
    reader.touch('fs.write', target, words, { recursive: true });
    const [source] = operands;
    if (source && !/:/.test(source.text)) reader.touch('fs.read', source, words, { recursive: true });
  }
  reader.unknown('remote', words);
}
