import { applyRow } from './applyRow';
import { type Field, plainField } from './field';
import { rowOf } from './programTable';
import type { Reader } from './reader';

/** Words by which a filter reads files that only it names. */
const filtersRead = /(?<![.\w$"])(?:(?:import|include)\s*(?:#[^\n]*\n\s*)*"|(?:load\w*|eval|system|exec)\s*\()/;

/** `jq`: options that give a value a name have that name before it. */
export function readJq(args: readonly Field[], reader: Reader, words: string): void {
  const files: Field[] = [];
  const own: Field[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at];
    if (!arg) break;
    if (!/^--(?:rawfile|slurpfile|argfile|arg|argjson)$/.test(arg.text)) {
      own.push(arg);
      continue;
    }
    at += 2;
    const value = args[at];
    if (arg.text.endsWith('file') && value) files.push(value);
  }
  for (const file of files) reader.touch('fs.read', file, words);
  applyRow(rowOf('jq'), own, reader, words);
  readFilters(args, reader, words);
}

/** `yq`: a filter, perhaps behind the word that says what to do with it. */
export function readYq(args: readonly Field[], reader: Reader, words: string): void {
  const at = args.findIndex(({ text }) => !text.startsWith('-'));
  const isSaid = /^(?:e|eval|ea|eval-all)$/.test(args[at]?.text ?? '');
  applyRow(rowOf('yq'), isSaid ? args.filter((_, index) => index !== at) : args, reader, words);
  readFilters(args, reader, words);
}

function readFilters(args: readonly Field[], reader: Reader, words: string): void {
  if (args.some(({ text }) => filtersRead.test(text))) reader.unknown('runs_code', words);
}

/** `identify`: a name may say by which program or from which script its picture comes. */
export function readIdentify(args: readonly Field[], reader: Reader, words: string): void {
  const { operands } = applyRow(rowOf('identify'), args, reader, words);
  if (operands.some(({ text }) => /^[|@]|:/.test(text))) reader.unknown('runs_code', words);
}

/** Programs that read object files take arguments from a file behind `@`. */
export const readObjects =
  (name: string) =>
  (args: readonly Field[], reader: Reader, words: string): void => {
    const { operands, options } = applyRow(rowOf(name), args, reader, words);
    if (args.some(({ text }) => text.startsWith('@'))) reader.unknown('unknown_word', words);
    if (name !== 'ar') return;
    if (options.has('-M')) reader.unknown('runs_code', words);
    // Which files come out is said by the archive alone.
    if (options.has('-x') || operands[0]?.text.includes('x')) reader.unknown('unknown_word', words);
  };

/** `bat`: files, or what is done to what it keeps for itself. */
export function readBat(args: readonly Field[], reader: Reader, words: string): void {
  const { operands } = applyRow(rowOf('bat'), args, reader, words);
  if (operands[0]?.text === 'cache') reader.unknown('unknown_program', words);
}

/** `pdftotext`: without a second name the text gets the first one. */
export function readPdf(args: readonly Field[], reader: Reader, words: string): void {
  const [file, ...others] = applyRow(rowOf('pdftotext'), args, reader, words).operands;
  if (file && others.length === 0)
    reader.touch('fs.write', { ...file, text: `${file.text.replace(/\.pdf$/i, '')}.txt` }, words);
}

/** `less`: its files, and what it does before anybody types. */
export const readPager =
  (name: string) =>
  (args: readonly Field[], reader: Reader, words: string): void => {
    applyRow(rowOf(name), args, reader, words);
    if (args.some(({ text }) => /^\+[^/?]*[!|#sv]/.test(text))) reader.unknown('runs_code', words);
  };

const httpMethod = /^(?:get|post|put|patch|delete|head|options|trace|connect)$/i;
/** What is sent along: `name=value`, `name:=@file`, `name@file`. */
const httpItem = /^[^=@]*(?:@|:?=(?!=))/;

/** `http`: a method, the URL, and what is sent to it, perhaps from files. */
export function readHttp(args: readonly Field[], reader: Reader, words: string): void {
  const { operands, options } = applyRow(rowOf('http'), args, reader, words);
  const isNamed = options.has('-o') || options.has('--output');
  // The server says the name.
  if ((options.has('-d') || options.has('--download')) && !isNamed) reader.unknown('unknown_word', words);
  const [first, ...others] = operands;
  if (!first) return;
  const isMethod = httpMethod.test(first.text);
  const [url = first, ...behind] = isMethod ? others : operands;
  // Another word of letters alone is a method or a host.
  const urls = !isMethod && /^[a-z]+$/i.test(first.text) ? [url, ...behind.slice(0, 1)] : [url];
  const sends = behind.some(({ text }) => httpItem.test(text));
  const method = isMethod ? first.text.toUpperCase() : sends ? 'POST' : 'GET';
  for (const { text, isKnown } of urls) {
    reader.contact(text.replace(/^(?=:)/, 'localhost'), words, method);
    if (!isKnown) reader.unknown('unknown_word', words);
  }
  for (const { text, ...field } of behind) {
    const file = /^[^@]*@(.+)$/s.exec(text)?.[1];
    if (file !== undefined) reader.touch('fs.read', { ...field, text: file }, words);
  }
}

/** Options of `fd` without a value, and then the one behind which its command stands. */
const fdRuns = /^(?:-[HIusigFaLlpq01]*[xX]|--exec(?:-batch)?(?:=|$))/;

/** `fd`: like `find`, with the pattern first, and commands each up to a semicolon. */
export function readFd(args: readonly Field[], reader: Reader, words: string): void {
  const at = args.findIndex(({ text }) => fdRuns.test(text));
  const own = at < 0 ? args : args.slice(0, at);
  const [, ...folders] = own.filter(({ text }) => !text.startsWith('-'));
  for (const folder of folders.length > 0 ? folders : [plainField('.')])
    reader.touch('fs.read', folder, words, { recursive: true });
  if (at >= 0) readFdCommands(args.slice(at), reader, words);
}

function readFdCommands([option, ...rest]: readonly Field[], reader: Reader, words: string): void {
  if (!option) return;
  const attached = option.text.replace(fdRuns, '');
  const end = rest.findIndex(({ text }) => text === ';');
  const found = { text: '**', isPattern: true, isKnown: false };
  const command = [
    ...(attached === '' ? [] : [{ ...option, text: attached }]),
    ...(end < 0 ? rest : rest.slice(0, end)),
    found,
  ];
  reader.apart((inner) => inner.runWords(command, { isFed: false }));
  if (end >= 0 && end + 1 < rest.length) readFd([plainField('.'), ...rest.slice(end + 1)], reader, words);
}
