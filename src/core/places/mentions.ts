import { trimmedEnd } from '../base/text';
import { canonicalHost } from '../hosts/canonicalHost';
import { judgeAddress, judgeHost } from '../hosts/address';
import { decoded, readBareHost, readUrl } from './urlReadings';

/**
 * What an argument's text is for, which says how much in it may be a place: `inert` text is stored or shown (the body
 * of a message), so only what is plainly a URL counts; `acting` text is read by something (a prompt, a query, anything
 * of unknown purpose); of a `command` every word may be a file.
 */
export type TextUse = 'inert' | 'acting' | 'command';

/**
 * A place that text mentions. `guessed`: it may as well be something else, such as a version or the two words of
 * `and/or`.
 */
export interface Mention {
  readonly type: 'host' | 'path';
  /** A URL with the host in canonical form, or the path as written. */
  readonly text: string;
  readonly certainty: 'written' | 'guessed';
}

const mostMentions = 4000;
const longestUrl = 2048;
const longestPath = 1024;

/** More places than can be judged one by one. */
export class TooManyMentions extends Error {}

/** Finds every place that a text could lead a receiver to. Its cost grows with the text's length alone. */
export function mentionsIn(text: string, use: TextUse): readonly Mention[] {
  const found = new Map<string, Mention>();
  const add = (mention: Mention): void => {
    const key = `${mention.type} ${mention.text}`;
    if (found.get(key)?.certainty === 'written') return;
    if (found.size >= mostMentions && !found.has(key)) throw new TooManyMentions();
    found.set(key, mention);
  };
  let form = text;
  // A URL may be carried inside another one, percent-encoded.
  for (let turn = 0; turn < 3; turn++) {
    scanUrls(form, add);
    scanRelativeUrls(form, use, add);
    if (use !== 'inert') scanWords(form, use, add);
    const next = decoded(form);
    if (next === form) break;
    form = next;
  }
  return [...found.values()];
}

type Add = (mention: Mention) => void;

const specialScheme = /(?:https?|wss?|ftp|file)$/i;
const endOfUrl = /[\s"'<>`]/g;

/** Every `scheme:` that an address follows, and what stands after two slashes. */
function scanUrls(text: string, add: Add): void {
  const seen = new Set<string>();
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    const slashes = slashesAt(text, at + 1);
    const before = /[a-z][a-z0-9+.-]*$/i.exec(text.slice(Math.max(0, at - 32), at))?.[0];
    if (before === undefined || before.length < 2) continue;
    const isSpecial = specialScheme.test(before);
    if (slashes < 2 && !isSpecial) continue;
    if (slashes === 0 && !/[\p{L}\p{N}[%.]/u.test(text.charAt(at + 1))) continue;
    const scheme = isSpecial ? (specialScheme.exec(before)?.[0] ?? before) : before;
    const token = scheme + text.slice(at, at + 1 + slashes) + upTo(text, at + 1 + slashes, endOfUrl, longestUrl);
    const authority = /^[^:]*:[\\/]*[^/?#]*/.exec(token)?.[0] ?? token;
    const key = /^file:/i.test(token) ? token : authority;
    if (seen.has(key)) continue;
    // A user name that goes on for ever hides the host after it.
    if (authority.length >= longestUrl) throw new TooManyMentions();
    seen.add(key);
    addUrl(token, add);
  }
}

/** A reference without a scheme, where an attribute, a link or the text begins with it. */
function scanRelativeUrls(text: string, use: TextUse, add: Add): void {
  const relative = /(?:^|["'(=\]\s])([\\/]{2}[^\s"'<>`\\/]{1,300})/gu;
  for (const match of text.matchAll(relative)) {
    const reading = readBareHost(match[1] ?? '');
    if (reading.type === 'url' && (use !== 'inert' || !/^[\s]?\/\//.test(match[0])))
      for (const host of reading.hosts)
        if (isHostlike(match[1] ?? '', host)) add(hostMention(host, reading, 'guessed'));
  }
}

function slashesAt(text: string, at: number): number {
  let end = at;
  while (end < text.length && (text[end] === '/' || text[end] === '\\') && end - at < 64) end++;
  return end - at;
}

/** The text from `at` to what cannot be in it, at most so long. */
function upTo(text: string, at: number, end: RegExp, longest: number): string {
  const part = text.slice(at, at + longest);
  end.lastIndex = 0;
  const match = end.exec(part);
  return match ? part.slice(0, match.index) : part;
}

/** In text nobody says where a URL ends, so it is read with and without the punctuation after it. */
function addUrl(token: string, add: Add): void {
  const variants = new Set([token, trimmedEnd(token, ')]}>|,;.!?\'"*_~'), /^[^)\]}>|,;!]*/.exec(token)?.[0] ?? '']);
  for (const variant of variants) {
    const reading = readUrl(variant);
    switch (reading.type) {
      case 'url':
        for (const host of reading.hosts) add(hostMention(host, reading, 'written'));
        break;
      case 'unreadable':
        for (const host of reading.hosts)
          add({ type: 'host', text: `http://${bracketed(host)}/`, certainty: 'written' });
        break;
      case 'file':
        add({ type: 'path', text: reading.path, certainty: 'written' });
        for (const other of reading.others) add({ type: 'path', text: other, certainty: 'guessed' });
        break;
      case 'none':
        break;
    }
  }
}

/**
 * The mention of a host in the URL that names it. What no resolver takes (a place that is still to be filled in) is a
 * guess at most.
 */
export function hostMention(
  host: string,
  { scheme, port }: { scheme: string; port: string },
  says: Mention['certainty'],
): Mention {
  const certainty = /^[\w.:-]+$/.test(host) ? says : 'guessed';
  return { type: 'host', text: `${scheme}://${bracketed(host)}${port === '' ? '' : `:${port}`}/`, certainty };
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

const wordBreaks = /[\s"'`<>|&;(){},=]+/u;
const wordSpaces = /[\s"'`<>|&;]+/u;

/** Words that may be files or hosts. A word is taken as it is, and in its parts (`--file=/x`, `@/x`). */
function scanWords(text: string, use: TextUse, add: Add): void {
  const words = new Set<string>();
  for (const breaks of [wordSpaces, wordBreaks])
    for (const word of text.split(breaks)) {
      if (word.length < 2 || word.length > longestPath) continue;
      words.add(word);
      words.add(trimmedEnd(word.replace(/^[@+-]+/, ''), '.,:!?)]}'));
      // What follows the scheme of a URL is a host and its path, which are read as those.
      for (const part of word.replace(/(?:https?|wss?|ftp):[\\/]{2}[^=,]*/gi, '').split(/[:=,]/))
        if (part !== word && part.length > 1) words.add(part);
    }
  for (const word of words) {
    if (isPathlike(word, use)) add({ type: 'path', text: word, certainty: 'guessed' });
    for (const host of bareHosts(word)) add(host);
  }
}

function isPathlike(word: string, use: TextUse): boolean {
  if (use === 'command') return word !== '' && !word.includes('://');
  return /[\\/]|^~|^\.\w/.test(word) && !/:[\\/]{2}/.test(word);
}

/**
 * What a word would be if it stood where a host is wanted: an address in four parts, a dotted name, a name of this
 * machine with a port.
 */
export function bareHosts(word: string): readonly Mention[] {
  if (word.length > 300 || !/[.:@\\。．｡%]/u.test(word) || /\s/.test(word)) return [];
  const reading = readBareHost(word);
  if (reading.type !== 'url' && reading.type !== 'unreadable') return [];
  const port = reading.type === 'url' ? reading.port : '';
  return reading.hosts.flatMap((host) =>
    isHostlike(word, host) ? [hostMention(host, { scheme: 'http', port }, 'guessed')] : [],
  );
}

/** Numbers are addresses only in four parts or in brackets: `1/2`, `10.1` and `2024` are not. */
function isHostlike(word: string, host: string): boolean {
  const written = trimmedEnd(/^[\\/]*(?:[^/?#\\]*@)?(\[[^\]]*\]|[^/?#\\:]*)/.exec(word)?.[1] ?? '', '.。．｡');
  if (canonicalHost(host).type === 'address') {
    if (judgeAddress(host).public) return true;
    // `::` and `::add` are more often parts of a program than addresses.
    if (host.includes(':') && /^[0-9a-f:.]+(?:%\w+)?(?:[/?#]|$)/i.test(word))
      return !/^::(?:[0-9a-f]{2,4})?$/.test(host);
    return written.startsWith('[') || (written.match(/[.。．｡]|%2e/giu)?.length ?? 0) === 3;
  }
  if (host.includes('.')) return !judgeHost(host).verdict.public || !/^\.|\.$/.test(host);
  return /:\d{1,5}(?:[\\/?#]|$)/.test(word);
}
