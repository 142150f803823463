import { wordSet } from '../base/wordSet';
import { applyRow } from './applyRow';
import { type ReadArguments, readArguments, rolesOf } from './arguments';
import { readEnvironment } from './environment';
import { type Field, isOpenField, isTaintedField, plainField } from './field';
import { readGit } from './gitProgram';
import { readDd, readSsh, readTar } from './netPrograms';
import { readAria, readCurl, readWget } from './downloads';
import { readMode } from './modes';
import { printed } from './outputs';
import { byName, type ProgramRow } from './programRow';
import { programRow, rowOf } from './programTable';
import { type Io, type Reader, wordsOf } from './reader';
import { shellWord } from './shellWord';
import { readCpio, readPacker, readSevenZip, readUnzip, readZip } from './archivePrograms';
import { readRsync } from './rsyncProgram';
import { talks } from './talkingPrograms';
import { readSed } from './sedProgram';
import { readAwk, readFind, readXargs } from './textPrograms';
import {
  readBat,
  readFd,
  readHttp,
  readIdentify,
  readJq,
  readObjects,
  readPager,
  readPdf,
  readYq,
} from './toldPrograms';

/** Folders of programs that the system brings, so that a program named with one is the well-known one. */
const systemFolder = /^(?:\/usr(?:\/local)?|\/opt\/homebrew|\/run\/current-system\/sw)?\/s?bin\//;
const shells = wordSet('bash sh dash zsh ksh ash mksh rbash fish csh tcsh');
const languages = wordSet(
  'python python2 python3 pypy pypy3 node nodejs deno bun tsx perl ruby php lua luajit Rscript osascript',
);

type Special = (args: readonly Field[], reader: Reader, words: string, io: Io) => string | undefined | void;

const specials = byName<Special>({
  git: readGit,
  curl: readCurl,
  'wget wget2': readWget,
  aria2c: readAria,
  ssh: readSsh,
  dd: readDd,
  'tar bsdtar gtar': readTar,
  'jq gojq jaq': readJq,
  yq: readYq,
  identify: readIdentify,
  'http https xh xhs': readHttp,
  'nm objdump readelf strings': readObjects('nm'),
  ar: readObjects('ar'),
  'bat batcat': readBat,
  pdftotext: readPdf,
  less: readPager('less'),
  'more most': readPager('more'),
  unzip: readUnzip,
  zip: readZip,
  rsync: readRsync,
  cpio: readCpio,
  'gzip bzip2 xz zstd lz4 compress lzma': readPacker(false),
  'gunzip bunzip2 unxz unzstd uncompress': readPacker(true),
  '7z 7za 7zr': readSevenZip,
  ss: (args, reader, words) => {
    // Others write to a file, read one or end connections.
    if (args.some(({ text }) => !/^-[0346abehilmnoprstuwxzHMQSTVZ]+$/.test(text)))
      reader.unknown('unknown_program', words);
  },
  'sed gsed': readSed,
  'awk gawk mawk nawk': readAwk,
  'find gfind bfs': readFind,
  'fd fdfind': readFd,
  'xargs gxargs': (args, reader, _words, io) => readXargs(args, io.stdin, reader),
  parallel: (args, reader, words, io) => {
    const split = args.findIndex(({ text }) => /^:{3,4}\+?$/.test(text));
    const said = args.slice(split + 1).map(({ text }) => text);
    const given = split < 0 ? io.stdin : said.join('\n');
    const own = split < 0 ? args : args.slice(0, split);
    const marks = own.some(({ text }) => text.includes('{}')) ? [plainField('-I'), plainField('{}')] : [];
    readXargs([...marks, ...own], given, reader);
    reader.unknown('runs_code', words);
  },
});

/** Reads one command that is no builtin of the shell; answers what it prints, where that is known. */
export function readProgram(fields: readonly Field[], reader: Reader, io: Io): string | undefined {
  const [name, ...args] = fields;
  if (!name) return undefined;
  const words = wordsOf(fields);
  if (!name.isKnown || name.isPattern) {
    reader.unknown('unknown_name', words);
    return undefined;
  }
  const base = name.text.replace(systemFolder, '').replace(/\.exe$/i, '');
  if (base.includes('/') || base.includes('\\')) {
    reader.touch('fs.read', name, words);
    reader.unknown('runs_script', words);
    return undefined;
  }
  const texts = args.map(({ text }) => text);
  if (!io.isPiped && talks(base, texts, io.isFed)) reader.talk(words);
  const special = specials.get(base);
  const row = programRow(base);
  if (row?.tells?.test(wordsOf(args)) && args.every(isPlain)) return undefined;
  if (row?.command !== undefined && !special) return readStarter(base, row, args, reader, words, io);
  const before = reader.scope.folders;
  if (special) special(args, reader, words, io);
  else if (shells.has(base)) readShellProgram(base, args, reader, words, io);
  else if (row) {
    const read = applyRow(row, args, reader, words, undefined, io);
    if (io.isFed && languages.has(base) && readsProgram(row, read)) {
      if (io.stdin === undefined) reader.unknown('piped_into_shell', words);
      else reader.scan(io.stdin, words);
    }
  } else reader.unknown('unknown_program', words);
  reader.scope.folders = before;
  if (args.some(({ isKnown, isPattern }) => !isKnown || isPattern)) return undefined;
  return printed(base, texts, io.stdin, reader.scope.isBash);
}

/** A language reads its program from its input where no file and no option brings one. */
const readsProgram = (row: ProgramRow, { operands, options }: ReadArguments): boolean =>
  operands.length === 0 && ![...options].some((one) => rolesOf(row.options).get(one) === 'code');

/** True for one word of which nothing is left to a run. */
const isPlain = (field: Field): boolean => !isOpenField(field) && !/\s/.test(field.text);

/** Programs that start what the shell itself would run, without one of its own for it. */
const withinShell: ReadonlySet<string> = new Set(['command', 'builtin', 'noglob', 'nocorrect']);

/** A program that starts another one, with what it changes for it. */
function readStarter(
  base: string,
  row: ProgramRow,
  args: readonly Field[],
  reader: Reader,
  words: string,
  io: Io,
): string | undefined {
  if (withinShell.has(base)) {
    const { command, options } = applyRow(row, args, reader, words);
    // `command -v` only tells of one.
    if (options.has('-v') || options.has('-V')) return undefined;
    return command.length > 0 ? reader.runWords(command, io, !base.startsWith('no')) : undefined;
  }
  const isUser = /^(?:sudo|doas)$/.test(base);
  const isCleared = isUser || (base === 'env' && args.some(({ text }) => /^(?:-|-\w*[iu].*|--[iu].*)$/.test(text)));
  return reader.apart((inner) => {
    const { operands, options, values, command } = applyRow(row, args, inner, words);
    for (const { name: option, field } of values) if (option === 'environment') assigned(field, inner);
    for (const field of operands) assigned(field, inner);
    if (row.own && operands.some(({ text, isKnown }) => isKnown && row.own?.test(text) === false))
      inner.unknown('unknown_program', words);
    const line = lineOf(base, row, { options, values, command });
    if (line) {
      if (!line.isKnown) inner.unknown('unknown_word', words);
      return inner.runText(line.text);
    }
    if (command.length > 0) return inner.runWords(command, io, true);
    // Without a command it is a shell of that user.
    const isShell = ['-s', '-i', '--shell', '--login'].some((name) => options.has(name));
    if (isUser && isShell) fedShell(inner, words, io);
    return undefined;
  }, isCleared);
}

/** What a program that starts others hands to a shell, or takes apart itself, as one line. */
function lineOf(
  base: string,
  { line }: ProgramRow,
  { options, values, command }: Pick<ReadArguments, 'options' | 'values' | 'command'>,
): Field | undefined {
  const [first] = command;
  const together = (text: string): Field => ({
    text,
    isPattern: false,
    isKnown: command.every(({ isKnown }) => isKnown),
  });
  if (!first) return undefined;
  if (line !== undefined && !line.split(' ').some((name) => options.has(name)))
    return together(command.map(({ text }) => text).join(' '));
  if (base === 'entr' && options.has('-s')) return first;
  const split = values.find(({ name }) => name === '-S' || name === '--split-string');
  if (base !== 'env' || !split) return undefined;
  return together([split.field.text, ...command.map(({ text }) => shellWord(text))].join(' '));
}

function assigned(field: Field, reader: Reader): void {
  const [, name, text] = /^(\w+)=(.*)$/s.exec(field.text) ?? [];
  if (name === undefined || text === undefined) return;
  readEnvironment(name, { ...field, text }, reader);
  reader.scope.set(name, [text], { isOpen: !field.isKnown, isTainted: isTaintedField(field) });
  reader.scope.give(name, 'x');
}

/** A shell that is started with a line, with a file, or with what arrives. */
function readShellProgram(base: string, args: readonly Field[], reader: Reader, words: string, io: Io): void {
  const row = rowOf('sh');
  const { operands, options, values } = readArguments(row, args);
  const read = (inner: Reader, text: string, own: readonly Field[] = []): void => {
    inner.scope.isBash = /^r?bash$|^zsh$/.test(base);
    inner.scope.mayBeZsh = base === 'zsh';
    // Another shell takes its words apart in another way.
    if (/^(?:fish|t?csh)$/.test(base) || (!inner.scope.isBash && bashOnly.test(text)))
      inner.unknown('runs_code', words);
    inner.runText(text, { args: own });
  };
  for (const { role, name, field } of values) {
    if (role === 'script') reader.touch('fs.read', field, words);
    if (/^[-+][oO]$/.test(name)) readMode(field, reader, words);
  }
  const [first, ...rest] = operands;
  // With it each argument with a sign in it is a variable for its command.
  if (args.slice(0, first && args.indexOf(first)).some(({ text }) => /^-\w*k/.test(text)))
    reader.unknown('environment', words);
  if (options.has('-c') || options.has('--command')) {
    const line = first ?? values.find(({ name }) => name === '--command')?.field;
    if (!line) return;
    if (!line.isKnown) reader.unknown('unknown_word', words);
    reader.apart((inner) => read(inner, line.text, rest.slice(1)));
  } else if (first && !options.has('-s')) {
    if (/^\/(?:dev\/(?:stdin|fd\/)|proc\/self\/fd\/)/.test(first.text))
      fedShell(reader, words, /(?:stdin|\/0)$/.test(first.text) ? io : { isFed: true }, read);
    else {
      reader.touch('fs.read', first, words);
      reader.unknown('runs_script', words);
    }
  } else if (!options.has('--version') && !options.has('--help')) fedShell(reader, words, io, read);
}

/** Forms that shells beside bash and zsh read in another way. */
const bashOnly =
  /\$['"]|\{[^{}\s]*(?:,|\.\.)[^{}\s]*\}|\[\[|(?<!\$)\(\(|\+=|<\(|>\(|<<<|&>|>&\s*[^\d\s&-]|\|&|\$\{(?:!|[\w@*]+(?:\[|\/|\^|,|:(?![-=?+])\s*[-\d$(]*\d|@))|\bfunction\s|=\(|~[-+]/;

function fedShell(
  reader: Reader,
  words: string,
  io: Io,
  read = (inner: Reader, text: string): void => void inner.runText(text, { args: [] }),
): void {
  const { stdin } = io;
  if (stdin === undefined) reader.unknown('piped_into_shell', words);
  else reader.apart((inner) => read(inner, stdin));
}
