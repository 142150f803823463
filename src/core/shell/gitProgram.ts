import { wordSet } from '../base/wordSet';
import { applyRow } from './applyRow';
import { readArguments } from './arguments';
import { type Field, isOpenField, plainField } from './field';
import type { ProgramRow } from './programRow';
import { type Reader, wordsOf } from './reader';

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

const ownRow: ProgramRow = {
  command: 0,
  options: {
    folder: '-C --work-tree',
    text: '-c --config-env --namespace --super-prefix --attr-source',
    read: '--git-dir',
    script: '--exec-path',
  },
};
const subRow: ProgramRow = {
  operands: 'unknown',
  plain:
    'n m S G L U b B --author --since --until --format --pretty --max-count --grep --message --branch --depth --date',
  options: {
    write: '--output -o --output-directory',
    shell:
      '-O --open-files-in-pager --upload-pack --receive-pack --exec -x --extcmd --tree-filter --index-filter --msg-filter --env-filter --editor --to-command --run --smtp-server --sendmail-cmd',
    read: '-F --file --pathspec-from-file --template --contents --exclude-from --from-file',
    text: '-X --prefix --signed',
  },
};

/** Keys of a configuration that make no program run and move no file. */
const harmless =
  /^(?:user\.|color\.|advice\.|core\.(?:quotepath|autocrlf|eol|abbrev|safecrlf|filemode|ignorecase)$|init\.defaultbranch$|log\.|column\.|commit\.gpgsign$|tag\.gpgsign$|diff\.(?:renames|algorithm|noprefix|mnemonicprefix)$|pull\.|push\.|fetch\.|rebase\.auto|merge\.conflictstyle$|protocol\.version$|safe\.directory$)/i;

/** `git`: what its options run, and what its subcommand reads, writes, deletes and contacts. */
export function readGit(args: readonly Field[], reader: Reader, words: string): void {
  const { values, command } = applyRow(ownRow, args, reader, words);
  for (const { name, field } of values) {
    if (name !== '-c' && name !== '--config-env') continue;
    const [, key = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(field.text) ?? [];
    configured(key, { ...field, text: value }, reader, words);
  }
  const [sub, ...rest] = command;
  if (!sub) return;
  readSub(sub.text, sub.text === 'grep' ? rest : withoutShortX(sub.text, rest), reader, words);
}

/** Options of which none takes the argument behind it. */
const alone =
  /^(?:-[avsnqpe]+|-\d+|--\w[\w-]*=.*|--(?:all|amend|oneline|stat|graph|patch|reverse|quiet|verbose|signoff|annotate|no-verify|no-edit|no-ff|allow-empty|name-only))$/s;

/** The arguments that are messages, or what is searched for in those of others. */
export function gitTexts(args: readonly Field[]): readonly Field[] {
  const [sub, ...rest] = readArguments(ownRow, args).command;
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

function configured(key: string, value: Field, reader: Reader, words: string): void {
  if (harmless.test(key)) return;
  const isPlainPager = /pager/i.test(key) && /^(?:|cat|less|more|false|true)$/.test(value.text);
  if (isPlainPager) return;
  reader.unknown('runs_code', words);
  reader.apart((inner) => inner.runText(value.text.replace(/^!/, '')));
}

/** What a subcommand is called with. */
interface SubCall {
  readonly sub: string;
  readonly options: ReadonlySet<string>;
  readonly operands: readonly Field[];
  /** What stands behind `--`. */
  readonly paths: readonly Field[];
  readonly reader: Reader;
  readonly words: string;
}

function readSub(sub: string, args: readonly Field[], reader: Reader, words: string): void {
  const isSubmodule = sub === 'submodule' && args[0]?.text === 'foreach';
  if (isSubmodule || (sub === 'bisect' && args[0]?.text === 'run')) {
    const rest = args.slice(1);
    if (isSubmodule) reader.apart((inner) => inner.runText(wordsOf(rest)));
    else reader.apart((inner) => inner.runWords(rest, { isFed: false }));
    return reader.unknown('runs_code', words);
  }
  if (tellsOnly(sub, args)) return;
  const split = args.findIndex(({ text }) => text === '--');
  const before = split < 0 ? args : args.slice(0, split);
  const paths = split < 0 ? [] : args.slice(split + 1);
  const { operands, options } = applyRow(subRow, before, reader, words);
  if ((options.has('--ext-diff') || options.has('--textconv')) && !options.has('--no-index'))
    reader.unknown('runs_code', words);
  if (sub === 'config') return readConfig(operands, options, reader, words);
  if (isContacting.has(sub)) return contact(sub, operands, reader, words);
  const call: SubCall = { sub, options, operands, paths, reader, words };
  if (isReading.has(sub)) return readTree(call);
  if (isChanging.has(sub)) return changeTree(call);
  reader.unknown('unknown_program', words);
}

/** What only reads: files, or revisions and names that may be files too. */
function readTree({ sub, options, operands, paths, reader, words }: SubCall): void {
  for (const field of [...operands, ...paths]) {
    const path = inTree(field);
    const isFile = paths.includes(field) || path !== field || sub === 'blame' || options.has('--no-index');
    reader.touch('fs.read', path, words, { recursive: true, ...(isFile ? {} : { suspected: 'written' }) });
  }
  if (sub === 'grep' && paths.length === 0) reader.touch('fs.read', plainField('.'), words, { recursive: true });
}

/** What changes files or the repository. */
function changeTree({ sub, options, operands, paths, reader, words }: SubCall): void {
  for (const field of [...operands, ...paths]) {
    const path = inTree(field);
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

/** `HEAD:path`, `:path` and `:(top)path` name a file of the tree. */
function inTree(field: Field): Field {
  const path = /^(?::\([^)]*\)|:[0-3]:|[^:]*:)(?:\.\/)?(.+)$/s.exec(field.text)?.[1];
  return path === undefined || path.startsWith('//') ? field : { ...field, text: path.replace(/^[/!^]+/, '') };
}

function readConfig(operands: readonly Field[], options: ReadonlySet<string>, reader: Reader, words: string): void {
  if (['--get', '--list', '-l', '--get-all', '--get-regexp', '--show-origin'].some((name) => options.has(name))) return;
  const [key, value] = operands[0]?.text === 'set' ? operands.slice(1) : operands;
  if (!value) return;
  const isGlobal = options.has('--global');
  reader.touch('fs.write', plainField(isGlobal ? '~/.gitconfig' : '.git/config'), words);
  if (key) configured(key.text, value, reader, words);
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
          .replace(/\/+$|\.git$/g, '')
          .split(/[/:]/)
          .at(-1) ?? '',
      );
    reader.touch('fs.write', target, words, { recursive: true });
    const [source] = operands;
    if (source && !/:/.test(source.text)) reader.touch('fs.read', source, words, { recursive: true });
  }
  reader.unknown('remote', words);
}
