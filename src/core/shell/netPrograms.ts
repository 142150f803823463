import { applyRow } from './applyRow';
import { readArguments } from './arguments';
import { type Field, plainField } from './field';
import type { ProgramRow, Role } from './programRow';
import type { Reader } from './reader';

const curlRow: ProgramRow = {
  operands: 'url',
  plain:
    'X A u e m r y Y z C Q P t U w --request --user-agent --user --referer --max-time --connect-timeout --retry --retry-delay --retry-max-time --range --limit-rate --write-out --max-redirs --oauth2-bearer --interface --proto --ciphers --tlsv1 --data-raw --form-string --aws-sigv4 --json-raw --request-target',
  options: {
    write:
      '-o --output --output-dir -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --libcurl --etag-save',
    change: '--hsts --alt-svc',
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
  if (has('-O', '--remote-name', '--remote-name-all', '-J'))
    for (const { text } of operands) writeName(text, reader, words);
  for (const { name, field } of values)
    if (name === '--unix-socket' || name === '--abstract-unix-socket') {
      // Whoever listens there (a container engine) does more than answer.
      reader.touch('fs.read', field, words);
      reader.unknown('remote', words);
    } else if (name === '--resolve')
      for (const address of field.text.replace(/^\+?[^:]*:[^:]*:/, '').split(',')) reader.connect(address, words);
    else if (name === '--connect-to') reader.connect(field.text.replace(/^[^:]*:[^:]*:/, ''), words);
    // A name that is made of what a range stood for.
    else if (/^(?:-o|--output|--output-dir)$/.test(name) && isGlobbing && /#\d/.test(field.text))
      reader.unknown('unknown_word', words);
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
    't T w Q U A R D I X l e --tries --timeout --wait --user-agent --header --user --password --level --method --body-data --post-data --accept --reject --domains --execute',
  options: {
    write: '-O --output-document -o --output-file -a --append-output -P --directory-prefix --save-cookies --warc-file',
    read: '-i --input-file --post-file --body-file --load-cookies --certificate --private-key --ca-certificate',
    shell: '--use-askpass',
    script: '--config',
    code: '-e --execute',
  },
};

export function readWget(args: readonly Field[], reader: Reader, words: string): void {
  const { options, values } = readArguments(wgetRow, args);
  const said = values.find(({ name }) => name === '--method')?.field.text.toUpperCase();
  const sends = ['--post-data', '--post-file'].some((name) => options.has(name));
  const { operands } = applyRow(wgetRow, args, reader, words, said ?? (sends ? 'POST' : 'GET'));
  if (!options.has('-O') && !options.has('--output-document') && !options.has('--spider'))
    for (const { text } of operands) writeName(text, reader, words);
}

/** A download without a name gets the last one of its URL. */
function writeName(url: string, reader: Reader, words: string): void {
  const name = url
    .replace(/[?#].*$/s, '')
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    .split('/')
    .at(-1);
  reader.touch('fs.write', plainField(name === undefined || name === '' ? 'index.html' : name), words);
}

const sshRow: ProgramRow = {
  operands: 'text',
  first: 'host',
  plain: 'B b c D e I J L l m O p Q R S W w',
  options: { write: '-E', script: '-F', read: '-i', text: '-o', host: '-J' },
};

/** `ssh`: the host, the commands that its options run here, and what runs there. */
export function readSsh(args: readonly Field[], reader: Reader, words: string): void {
  const at = args.findIndex(
    ({ text }, index) => !text.startsWith('-') && !/^-[BbcDEeFIiJLlmOopQRSWw]$/.test(args[index - 1]?.text ?? ''),
  );
  const own = at < 0 ? args : args.slice(0, at + 1);
  const { values } = applyRow(sshRow, own, reader, words);
  for (const { name, field } of values) {
    const run = /^(?:ProxyCommand|LocalCommand|KnownHostsCommand|ProxyUseFdpass|PKCS11Provider)[= ](.*)$/is.exec(
      field.text,
    )?.[1];
    if (name === '-o' && run !== undefined) reader.apart((inner) => inner.runText(run));
  }
  reader.unknown('remote', words);
}

/** `dd if=… of=…`. */
export function readDd(args: readonly Field[], reader: Reader, words: string): void {
  for (const field of args) {
    const [, name, text] = /^(if|of)=(.*)$/s.exec(field.text) ?? [];
    if (text !== undefined) reader.touch(name === 'if' ? 'fs.read' : 'fs.write', { ...field, text }, words);
  }
}

const tarOptions = {
  folder: '-C --directory',
  read: '-T --files-from -X --exclude-from',
  shell:
    '-I --use-compress-program --checkpoint-action --to-command -F --info-script --new-volume-script --rsh-command --rmt-command',
  change: '--listed-incremental --volno-file',
  write: '--index-file',
  text: '--newer-mtime',
};

const tarRow = (archive: 'read' | 'write', operands: Role): ProgramRow => ({
  entersLate: true,
  operands,
  plain:
    'b H g K N V --checkpoint --exclude --strip-components --transform --format --owner --group --mode --mtime --label --level',
  options: { ...tarOptions, [archive]: `${tarOptions[archive]} -f --file` },
});

/** `tar`: its archive, what goes in or comes out, and the programs that its options run. */
export function readTar(args: readonly Field[], reader: Reader, words: string): void {
  const [first, ...rest] = args;
  const isOld = first !== undefined && /^[A-Za-z]+$/.test(first.text);
  // `tar cfT a b`: letters without a dash take their values in turn.
  const given = isOld ? oldOptions(first.text, rest) : args;
  const { options } = readArguments(tarRow('read', 'text'), given);
  const has = (...names: readonly string[]): boolean => names.some((name) => options.has(name));
  const makes = has('-c', '--create', '-r', '--append', '-u', '--update', '-A', '--delete');
  const extracts = has('-x', '--extract', '--get');
  const before = reader.scope.folders;
  const found = applyRow(makes ? tarRow('write', 'readTree') : tarRow('read', 'text'), given, reader, words);
  if (has('--remove-files'))
    for (const operand of found.operands)
      reader.touch('fs.delete', operand, words, { recursive: true, permanent: true });
  if (extracts && !has('-O', '--to-stdout')) {
    reader.touch('fs.write', plainField('.'), words, { recursive: true });
    for (const operand of found.operands) reader.touch('fs.write', operand, words, { recursive: true });
    // Which files come out is said by the archive alone.
    reader.unknown('unknown_word', words);
  }
  reader.scope.folders = before;
}

function oldOptions(letters: string, rest: readonly Field[]): readonly Field[] {
  const values = [...rest];
  const out: Field[] = [];
  for (const letter of letters) {
    out.push(plainField(`-${letter}`));
    if (/[fCTXIFbHgKNV]/.test(letter)) {
      const value = values.shift();
      if (value) out.push(value);
    }
  }
  return [...out, ...values];
}
