import { isInert } from './argumentRoles';
import { bareHosts, type TextUse } from '../places/mentions';
import { decoded, readUrl } from '../places/urlReadings';
import { wordsOf } from '../vocabulary/names';

/** Tools that go where the text they get says, whatever the argument is called. */
const fetching =
  /^(?:fetch\w*|brows\w*|crawl\w*|scrap\w*|\w+crawl|spider|navigate|goto|visit|download|curl|wget|https?|urls?|proxy|ping)$/;

/**
 * Arguments whose words are read by a model, a search or a person, none of which takes a mention for an order to go
 * there.
 */
const readNames =
  /^(?:prompt|prompts|query|queries|q|question|questions|search|instruction|instructions|task|goal|topic|keyword|keywords)$/;

/** Arguments whose text is run. */
const runNames =
  /^(?:code|codes|script|scripts|command|commands|cmd|shell|program|expression|function|args|argv|arguments)$/;

/** Programs that contact or read what stands after them, where nothing else tells a command line from a sentence. */
const programs =
  /^(?:curl|wget|https?|xh|aria2c|n?cat|nc|netcat|socat|telnet|ssh|s?ftp|scp|rsync|ping|dig|nslookup|host|git|gh|npm|npx|pnpm|yarn|bun|node|deno|python\d?|pip\d?|ruby|perl|php|bash|sh|zsh|fish|pwsh|powershell|cmd|iwr|irm|docker|podman|kubectl|helm|psql|mysql|sqlite3|mongo|mongosh|redis-cli|openssl|lynx|w3m|ffmpeg|yt-dlp|sudo|env|xargs|less|head|tail|grep|cp|mv|rm|tar|get|post|put|delete)$/i;

/** Fewer words than this beside a place are no sentence. */
const fewestWords = 4;

/** Tells whether a tool's name says that it goes to the places which it finds in a text. */
export function isFetching(tool: string): boolean {
  return wordsOf(tool).some((word) => fetching.test(word));
}

/**
 * Tells whether the places in a text are only mentioned: words stand around them, and what gets the text stores, shows
 * or reads it. False where the text as a whole is a place or a list of places, where it is run, and where it looks like
 * a command line.
 */
export function isProse(text: string, use: TextUse, name: string): boolean {
  if (use === 'command' || isPlaces(text)) return false;
  if (use === 'inert' || isInert(name)) return true;
  const last = wordsOf(name).at(-1) ?? '';
  if (runNames.test(last)) return false;
  return readNames.test(last) || !isCommandLine(text);
}

/** Of a text that is longer the beginning tells. */
const mostWords = 200;
const longestWord = 2048;
const wrapping = /^[\s"'`<([{*_!\-\0-\x20]+|(?<![\s"'`>)\]}*_.,;:!?\0-\x20])[\s"'`>)\]}*_.,;:!?\0-\x20]+$/g;

/** Tells whether there is nothing in a text but places, with what separates and wraps them. */
function isPlaces(text: string): boolean {
  // A URL may hold tabs and line ends, which its reader drops.
  if (!/[^\S\t\n\r]/.test(text.trim()) && isPlace(text.replace(/[\t\n\r]/g, ''))) return true;
  return text
    .split(/[\s,;|]+/, mostWords)
    .every((word) => word === '' || /^[^\p{L}\p{N}]+$/u.test(word) || isPlace(word));
}

function isPlace(word: string): boolean {
  // Nobody writes such a word in a sentence.
  if (word.length > longestWord) return true;
  for (const form of new Set([word.replace(wrapping, ''), decoded(word), decoded(decoded(word))])) {
    if (/^(?:~|\.{0,2})[\\/]|^[a-z]:[\\/]/i.test(form) || bareHosts(form).length > 0) return true;
    let rest = form;
    // A URL may stand behind the scheme of another: `view-source:http://…`.
    for (let turn = 0; turn < 4; turn++) {
      if (readUrl(rest).type !== 'none') return true;
      const inner = rest.replace(/^[a-z][a-z0-9+.-]*:/i, '');
      if (inner === rest) break;
      rest = inner;
    }
  }
  return false;
}

function isCommandLine(text: string): boolean {
  const words = text.trim().split(/\s+/);
  // `Server=…;Database=…` is the text of a connection.
  if (words.length < fewestWords || /^\s*\w[\w ]{0,30}=/.test(text)) return true;
  const [first = ''] = words.filter((word) => !/^(?:\$|>|#|sudo|\w+=\S*)$/.test(word));
  return (
    programs.test(first.replace(/^.*[\\/]/, '')) ||
    /^[a-z][a-z0-9+.-]*:[\\/]{2}|^\.{0,2}[\\/]/i.test(first) ||
    /(?:^|\s)--?[a-z]/i.test(text)
  );
}
