import type { Access, SideEffect } from '../vocabulary/access';
import { byName } from './programRow';
import { readShell } from './readShell';

/** What a command of PowerShell does with the paths that it names; several for what is moved. */
interface CommandRow {
  readonly first: readonly SideEffect[];
  /** Of every further path. */
  readonly rest?: readonly SideEffect[];
  /** What it deletes is gone, and not moved. */
  readonly isPermanent?: true;
  readonly isFetch?: true;
  readonly isCode?: true;
  readonly isInert?: true;
}

/** Commands with their shorter names. */
const rows = byName<CommandRow>({
  'get-content gc cat type get-childitem gci ls dir get-item gi select-string sls test-path import-csv get-filehash format-hex resolve-path get-acl':
    { first: ['fs.read'] },
  'set-content sc add-content ac out-file tee-object tee new-item ni mkdir md export-csv clear-content clc set-item si':
    { first: ['fs.write'] },
  'remove-item ri rm del erase rd rmdir': { first: ['fs.delete'], isPermanent: true },
  'copy-item cpi cp copy': { first: ['fs.read'], rest: ['fs.write'] },
  'move-item mi mv move rename-item rni ren': { first: ['fs.read', 'fs.delete'], rest: ['fs.write'] },
  'invoke-webrequest iwr curl wget invoke-restmethod irm start-bitstransfer': { first: [], isFetch: true },
  'invoke-expression iex start-process saps start invoke-command icm start-job sajb add-type invoke-item ii set-alias sal new-object import-module ipmo':
    { first: [], isCode: true },
  'write-output echo write-host write-error get-date get-location gl pwd get-process gps ps select-object select where-object measure-object measure sort-object sort format-table ft format-list fl out-null out-string convertto-json convertfrom-json get-command get-help start-sleep sleep get-member group-object':
    { first: [], isInert: true },
});

/** Options whose value is no path. */
const plainOptions =
  /^-(?:encoding|totalcount|tail|first|last|skip|pattern|filter|erroraction|ea|itemtype|depth|method|body|headers|property|raw|value|contenttype|delimiter|name|simplematch|credential)$/i;
const switches =
  /^-(?:recurse|r|force|f|raw|wait|passthru|append|noclobber|nonewline|file|directory|hidden|list|quiet|casesensitive|simplematch|whatif|confirm|verbose|usebasicparsing|notypeinformation|asstring|ashashtable|compress)$/i;

const longestLine = 64_000;
const longestText = 4000;

/**
 * What a line for PowerShell would do, as far as its main forms tell: commands and their short names, paths,
 * redirections and URLs. Everything else (variables, blocks, calls of .NET) is `system.exec` with its text. The guesses
 * are those of any other line. Never throws.
 */
export function powershellAccesses(line: string): readonly Access[] {
  const guesses = readShell(line).accesses.filter(({ suspected }) => suspected !== undefined);
  const plainGuesses = guesses.map(({ effect, resource, suspected }): Access => ({
    effect,
    resource,
    ...(suspected ? { suspected } : {}),
  }));
  if (line.length > longestLine) return [exec(line), ...plainGuesses];
  const found: Access[] = [];
  let isFetched = false;
  for (const statement of statements(line)) {
    const got = readStatement(statement.words, statement.text);
    if (statement.isPiped && isFetched && got.some(({ effect }) => effect === 'system.exec'))
      found.push({ effect: 'system.exec_fetched', resource: line.slice(0, longestText) });
    isFetched ||= got.some(({ effect }) => effect === 'network.http');
    found.push(...got);
  }
  if (isFetched && /\b(?:iex|invoke-expression)\b/i.test(line))
    found.push({ effect: 'system.exec_fetched', resource: line.slice(0, longestText) });
  const known = new Set(found.map(({ effect, resource }) => `${effect}\0${resource}`));
  return [...found, ...plainGuesses.filter(({ effect, resource }) => !known.has(`${effect}\0${resource}`))];
}

const exec = (text: string): Access => ({ effect: 'system.exec', resource: text.slice(0, longestText) });

interface Word {
  readonly text: string;
  /** False where only a run tells what it is. */
  readonly isKnown: boolean;
  readonly isQuoted: boolean;
}

interface Statement {
  readonly words: readonly Word[];
  readonly text: string;
  readonly isPiped: boolean;
}

/** Takes a line apart at `;`, `|`, `&&`, `||` and line ends, outside quotes. */
function statements(line: string): readonly Statement[] {
  const found: Statement[] = [];
  let words: Word[] = [];
  let start = 0;
  let isPiped = false;
  let at = 0;
  const end = (next: number, pipes: boolean): void => {
    if (words.length > 0) found.push({ words, text: line.slice(start, at).trim(), isPiped });
    words = [];
    isPiped = pipes;
    start = next;
    at = next;
  };
  while (at < line.length) {
    const char = line[at] ?? '';
    const two = line.slice(at, at + 2);
    if (two === '&&' || two === '||') end(at + 2, false);
    else if (char === '|') end(at + 1, true);
    else if (char === ';' || char === '\n' || char === '\r') end(at + 1, false);
    else if (/\s/.test(char)) at++;
    else if (char === '#') at = lineEnd(line, at);
    else {
      const word = readWord(line, at);
      words.push(word);
      at = word.next;
    }
  }
  end(at, false);
  return found;
}

function lineEnd(line: string, at: number): number {
  const next = line.indexOf('\n', at);
  return next < 0 ? line.length : next;
}

function readWord(line: string, from: number): Word & { readonly next: number } {
  let text = '';
  let isKnown = true;
  let isQuoted = false;
  let at = from;
  for (; at < line.length; at++) {
    const char = line[at] ?? '';
    if (char === "'" || char === '"') {
      isQuoted = true;
      const close = closing(line, at, char);
      const inner = line.slice(at + 1, close);
      if (char === '"' && inner.includes('$')) isKnown = false;
      text += char === "'" ? inner.replaceAll("''", "'") : inner.replaceAll(/`(.)/gs, '$1').replaceAll('""', '"');
      at = close;
    } else if (char === '`') text += line[++at] ?? '';
    else if (/[\s;|]/.test(char) || line.startsWith('&&', at)) break;
    else {
      if (/[$(){}@]/.test(char)) isKnown = false;
      text += char;
    }
  }
  return { text, isKnown, isQuoted, next: Math.max(at, from + 1) };
}

function closing(line: string, open: number, quote: string): number {
  for (let at = open + 1; at < line.length; at++) {
    if (quote === '"' && line[at] === '`') at++;
    else if (line[at] === quote) {
      if (line[at + 1] === quote) at++;
      else return at;
    }
  }
  return line.length;
}

function readStatement(all: readonly Word[], text: string): readonly Access[] {
  const found: Access[] = [];
  const words: Word[] = [];
  for (let at = 0; at < all.length; at++) {
    const word = all[at];
    if (!word) continue;
    const [, how, glued] = (!word.isQuoted && /^[*\d]?(>>?)(.*)$/.exec(word.text)) || [];
    if (how === undefined) words.push(word);
    else if (!glued?.startsWith('&')) {
      const target = glued ? { ...word, text: glued } : all[++at];
      if (!target?.isKnown) found.push(exec(text));
      else if (!/^\$null$/i.test(target.text)) found.push({ effect: 'fs.write', resource: slashed(target.text) });
    }
  }
  const [name, ...args] = words;
  if (!name) return found;
  const row = rows.get(name.text.toLowerCase());
  if (!name.isKnown || !row) return [...found, ...outside(name, args, text)];
  if (row.isInert) return args.every(({ isKnown }) => isKnown) ? found : [...found, exec(text)];
  if (row.isCode) return [...found, exec(text)];
  if (args.some(({ isKnown }) => !isKnown)) found.push(exec(text));
  return [...found, ...withRow(row, args, text)];
}

function withRow(row: CommandRow, args: readonly Word[], text: string): readonly Access[] {
  const found: Access[] = [];
  const isRecursive = args.some(({ text: one }) => /^-r(?:ecurse)?$/i.test(one));
  let count = 0;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]?.text ?? '';
    if (/^-\w/.test(word) && !args[at]?.isQuoted) {
      if (switches.test(word)) continue;
      if (plainOptions.test(word)) at++;
      else if (row.isFetch && /^-outfile$/i.test(word))
        found.push({ effect: 'fs.write', resource: slashed(args[++at]?.text ?? '.') });
      else if (row.isFetch && /^-infile$/i.test(word))
        found.push({ effect: 'fs.read', resource: slashed(args[++at]?.text ?? '.') });
      else if (/^-(?:destination|newname)$/i.test(word)) count = Math.max(count, 1);
      continue;
    }
    if (row.isFetch) found.push({ effect: 'network.http', resource: word });
    else {
      const effects = count++ === 0 || !row.rest ? row.first : row.rest;
      for (const one of word.split(','))
        for (const effect of effects)
          found.push({
            effect,
            resource: slashed(one),
            ...(isRecursive ? { recursive: true } : {}),
            ...(row.isPermanent ? { permanent: true } : {}),
          });
    }
  }
  if (row.isFetch && !found.some(({ effect }) => effect === 'network.http')) found.push(exec(text));
  return found;
}

/** A program that is none of PowerShell's own: read like all others, where its words are known. */
function outside(name: Word, args: readonly Word[], text: string): readonly Access[] {
  if (![name, ...args].every(({ isKnown }) => isKnown)) return [exec(text)];
  const isCall = name.text === '&' || name.text === '.';
  const words = isCall ? args : [name, ...args];
  const line = words.map((one) => `'${one.text.replaceAll('\\', '/').replaceAll("'", "'\\''")}'`).join(' ');
  return readShell(line)
    .accesses.filter(({ suspected }) => suspected === undefined)
    .map(({ words: _words, isPattern: _pattern, ...access }) => access);
}

const slashed = (path: string): string => path.replaceAll('\\', '/');
