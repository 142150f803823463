import { applyRow } from './applyRow';
import { behind, type ReadArguments, readArguments } from './arguments';
import { percentDecoded } from '../base/percentDecoded';
import { type Field, plainField } from './field';
import { listedNames, namesIn } from './listedNames';
import type { ProgramRow } from './programRow';
import { rowOf } from './programTable';
import type { Io, Reader } from './reader';
import { joined } from './scope';

const curlRow: ProgramRow = {
  operands: 'url',
  plain:
    'X A u e m r y Y z C Q P t U w --request --user-agent --user --referer --max-time --connect-timeout --retry --retry-delay --retry-max-time --range --limit-rate --write-out --max-redirs --oauth2-bearer --interface --proto --ciphers --data-raw --form-string --aws-sigv4 --request-target',
  options: {
    write:
      '-o --output --output-dir -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --libcurl --etag-save',
    change: '--hsts --alt-svc --ssl-sessions',
    read: '--etag-compare -T --upload-file -E --cert --key --cacert --capath --netrc-file -b --cookie --pubkey --crlfile',
    script: '-K --config',
    text: '--unix-socket --abstract-unix-socket --resolve --connect-to',
    data: '--proxy-header -d --data --data-ascii --data-binary --data-urlencode --json -F --form -H --header --url-query --variable',
    url: '--expand-url --url --doh-url',
    host: '-x --proxy --preproxy --socks5 --socks4 --socks5-hostname --dns-servers',
  },
};

/** `curl`: its URLs in all that their braces and ranges stand for, and where its options send what is asked for. */
export function readCurl(written: readonly Field[], reader: Reader, words: string): void {
  const { options, values, operands: named } = readArguments(curlRow, written);
  const has = (...names: readonly string[]): boolean => names.some((name) => options.has(name));
  const said = values.find(({ name }) => name === '-X' || name === '--request')?.field.text.toUpperCase();
  const isSending = values.some(
    ({ role, name }) => role === 'data' && !/^(?:-H|--header|--proxy-header|--url-query)$/.test(name),
  );
  const sends = isSending || has('--data-raw', '--form-string', '--json');
  const method =
    said ??
    (has('-I', '--head') ? 'HEAD' : has('-T', '--upload-file') ? 'PUT' : sends && !has('-G', '--get') ? 'POST' : 'GET');
  const isGlobbing = !has('-g', '--globoff');
  const urls = new Set([...named, ...values.filter(({ role }) => role === 'url').map(({ field }) => field)]);
  const isUrl = (arg: Field): boolean => urls.has(arg) || arg.text.startsWith('--url=');
  const args = isGlobbing ? written.flatMap((arg) => (isUrl(arg) ? spelledOut(arg, reader, words) : [arg])) : written;
  const { operands } = applyRow(curlRow, args, reader, words, method);
  writeDownloads(operands, { options, values }, reader, words);
  for (const { name, field } of values)
    if (name === '--unix-socket' || name === '--abstract-unix-socket') {
      // Whoever listens there (a container engine) does more than answer.
      reader.touch('fs.read', field, words);
      reader.unknown('remote', words);
    } else if (name === '--resolve')
      for (const address of field.text.replace(/^\+?[^:]*:[^:]*:/, '').split(',')) reader.connect(address, words);
    else if (name === '--connect-to') reader.connect(field.text.replace(/^[^:]*:[^:]*:/, ''), words);
    // A list of URLs.
    else if (name === '--url' && field.text.startsWith('@')) listedNames(behind(field, 1), reader, words);
    // What is sent may be several files, written as the URLs are.
    else if (/^(?:-T|--upload-file)$/.test(name) && isGlobbing && group.test(field.text))
      for (const file of spelledOut(field, reader, words)) reader.touch('fs.read', file, words);
    // A name that is made of what a range stood for.
    else if (/^(?:-o|--output|--output-dir)$/.test(name) && isGlobbing && /#\d/.test(field.text))
      reader.unknown('unknown_word', words);
}

/** The files that `curl` writes under names of their own: of a URL, in a folder, in what it tells afterwards. */
function writeDownloads(
  operands: readonly Field[],
  { options, values }: Pick<ReadArguments, 'options' | 'values'>,
  reader: Reader,
  words: string,
): void {
  const valuesOf = (...names: readonly string[]): readonly Field[] =>
    values.filter(({ name }) => names.includes(name)).map(({ field }) => field);
  const folder = valuesOf('--output-dir').at(-1);
  const isNamed = ['-O', '--remote-name', '--remote-name-all'].some((name) => options.has(name));
  // The server says the name.
  if (options.has('-J') || options.has('--remote-header-name')) reader.unknown('unknown_word', words);
  const urls = [...operands, ...valuesOf('--url', '--expand-url')];
  // Where a URL ends with a slash, newer versions take the name before it.
  if (isNamed || options.has('-J'))
    for (const { text } of urls) writeName(nameIn(text.replace(/(?<!\/)\/+$/, '')), folder, reader, words);
  if (folder) for (const { text } of valuesOf('-o', '--output')) writeName(text, folder, reader, words);
  for (const field of valuesOf('-w', '--write-out')) {
    if (field.text.startsWith('@')) {
      reader.touch('fs.read', { ...field, text: field.text.slice(1) }, words);
      reader.unknown('unknown_word', words);
    }
    for (const [, file = ''] of field.text.matchAll(/%output\{(?:>>)?([^}]*)\}/g))
      reader.touch('fs.write', { ...field, text: file }, words);
  }
}

const mostUrls = 64;
/** A group or a range of a URL; an address in brackets is none. */
const group = /\{([^{}]*)\}|\[(?:(\d+)-(\d+)|([a-z])-([a-z]))(?::\d+)?\]/i;

/** The URLs that curl makes of one with `{a,b}` and `[1-3]`; the URL itself where they are too many to be told. */
function spelledOut(field: Field, reader: Reader, words: string): readonly Field[] {
  let texts: readonly string[] = [field.text];
  for (let turn = 0; turn < 8 && texts.some((text) => group.test(text)); turn++) {
    texts = texts.flatMap((text) => replacements(text).map((one) => text.replace(group, () => one)));
    if (texts.length === 0 || texts.length > mostUrls) break;
  }
  const isLeft = texts.length === 0 || texts.length > mostUrls || texts.some((text) => group.test(text));
  if (!isLeft) return texts.map((text) => ({ ...field, text }));
  reader.unknown('unknown_word', words);
  return [field];
}

function replacements(text: string): readonly string[] {
  const [whole, list, first, last, from, to] = group.exec(text) ?? [];
  if (whole === undefined) return [text];
  if (list !== undefined) return list.split(',');
  const [start, end] =
    first === undefined ? [from ?? '', to ?? ''].map((one) => one.charCodeAt(0)) : [+first, Number(last)];
  const count = Number.isSafeInteger(end) ? (end ?? 0) - (start ?? 0) + 1 : 0;
  // Each number of a range counts, whatever its step.
  return Array.from({ length: count > 0 && count <= mostUrls ? count : 0 }, (_, index) => {
    const value = (start ?? 0) + index;
    return first === undefined ? String.fromCharCode(value) : String(value).padStart(first.length, '0');
  });
}

const wgetRow: ProgramRow = {
  operands: 'url',
  plain:
    't T w Q U A R D I X l e --tries --timeout --wait --user-agent --header --user --password --level --method --body-data --post-data --accept --reject --domains --execute --default-page',
  options: {
    write:
      '-O --output-document -o --output-file -a --append-output -P --directory-prefix --save-cookies --warc-file --warc-tempdir --rejected-log --hsts-file',
    list: '-i --input-file',
    read: '--post-file --body-file --load-cookies --certificate --private-key --ca-certificate',
    shell: '--use-askpass',
    script: '--config',
    code: '-e --execute',
  },
};

/** With these the names come from the server or from the folders of the URL. */
const wgetNames =
  '-r --recursive -m --mirror -x --force-directories --content-disposition --trust-server-names --page-requisites'.split(
    ' ',
  );

/** `wget`: its URLs, and the files that it makes of them. */
export function readWget(args: readonly Field[], reader: Reader, words: string, io: Io): void {
  const { options, values } = readArguments(wgetRow, args);
  const said = values.find(({ name }) => name === '--method')?.field.text.toUpperCase();
  const sends = ['--post-data', '--post-file'].some((name) => options.has(name));
  const { operands } = applyRow(wgetRow, args, reader, words, said ?? (sends ? 'POST' : 'GET'), io);
  if (options.has('-O') || options.has('--output-document') || options.has('--spider')) return;
  const written = [...options];
  const isOpen = wgetNames.some((name) => written.some((one) => one === name || isBeginning(one, name)));
  // `-np` is one option.
  const takesParts = options.has('-p') && !args.some(({ text }) => /^-\w*np/.test(text));
  if (isOpen || takesParts) reader.unknown('unknown_word', words);
  const valueOf = (...names: readonly string[]): Field | undefined =>
    values.findLast(({ name }) => names.includes(name))?.field;
  const folder = valueOf('-P', '--directory-prefix');
  const page = valueOf('--default-page')?.text;
  const listed = values.flatMap(({ role }) => (role === 'list' ? (namesIn(io.stdin) ?? []) : []));
  for (const { text } of [...operands, ...listed]) {
    const name = nameIn(text, page);
    for (const one of new Set([name, percentDecoded(name)])) writeName(one, folder, reader, words);
  }
}

const isBeginning = (written: string, name: string): boolean => written.length > 4 && name.startsWith(written);

/** `aria2c`: the server says the name, unless an option does. */
export function readAria(args: readonly Field[], reader: Reader, words: string, io: Io): void {
  const { options } = applyRow(rowOf('aria2c'), args, reader, words, undefined, io);
  if (!options.has('-o') && !options.has('--out')) reader.unknown('unknown_word', words);
}

/** The last name of a URL, which a download without a name gets. */
function nameIn(url: string, page = 'index.html'): string {
  const path = url.replace(/[?#].*$/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '');
  const name = path.split('/').at(-1);
  return name === undefined || name === '' ? page : name;
}

function writeName(name: string, folder: Field | undefined, reader: Reader, words: string): void {
  const path = folder ? (joined(folder.text, name) ?? name) : name;
  reader.touch('fs.write', { ...(folder ?? plainField('')), text: path }, words);
}
