import type { Access, SideEffect } from '../vocabulary/access';
import { type Mention, mentionsIn, bareHosts, hostMention, type TextUse } from '../places/mentions';
import { pathTexts } from './machinePath';
import type { PlaceLabels } from './placeLabels';
import { decoded, readBareHost, readUrl } from '../places/urlReadings';

/** One text of a call, and what is known of its purpose. */
interface SuspectText {
  readonly text: string;
  readonly use: TextUse;
  /** True where the argument's name says that it is a host. */
  readonly namesHost: boolean;
  /** What a file that the text names would be used for. */
  readonly effects: readonly SideEffect[];
  /** True where the places in it are only mentioned. */
  readonly isProse: boolean;
  /** True where the receiver has nothing to do with files, being another machine. */
  readonly isRemote: boolean;
}

const longestWhole = 4096;

/**
 * The accesses that a text may lead to without saying so by its schema or name. They are judged by rules that deny,
 * never by others (`Access.suspected`), so that no honest text is asked about for what it happens to mention.
 */
export async function suspectsIn(one: SuspectText, labels: PlaceLabels): Promise<readonly Access[]> {
  const out: Access[] = [];
  const mentioned = one.isProse ? { mentioned: true as const } : {};
  const places = new Map<string, Mention['certainty']>();
  for (const mention of [...mentionsIn(one.text, one.use), ...wholeMentions(one)]) {
    if (mention.type === 'host')
      out.push({ effect: 'network.http', resource: mention.text, suspected: mention.certainty, ...mentioned });
    else if (places.get(mention.text) !== 'written') places.set(mention.text, mention.certainty);
  }
  if (one.isRemote) return out;
  for (const [text, certainty] of places)
    for (const reading of pathTexts(text, labels.cwd))
      for (const resource of await labels.ofSuspect(reading))
        for (const effect of one.effects) out.push({ effect, resource, suspected: certainty, ...mentioned });
  return out;
}

/** What the text is as a whole: a URL whose receiver drops tabs and line ends, a host, a file. */
function wholeMentions({ text, use, namesHost }: SuspectText): readonly Mention[] {
  const found: Mention[] = [];
  if (text.length > longestWhole && !/^[\0-\x20]*[a-z][a-z0-9+.\t\n\r-]*:/i.test(text.slice(0, 200))) return found;
  for (const form of new Set([text, decoded(text)])) {
    const reading = readUrl(form);
    if (reading.type === 'url' || reading.type === 'unreadable') {
      const at = reading.type === 'url' ? reading : { scheme: 'http', port: '' };
      found.push(...reading.hosts.map((host) => hostMention(host, at, 'written')));
    }
    if (reading.type === 'file')
      for (const path of [reading.path, ...reading.others])
        found.push({ type: 'path', text: path, certainty: 'guessed' });
    if (form.length <= longestWhole) found.push(...hostsOf(form.trim(), namesHost, use));
  }
  if (text.length > longestWhole) return found;
  // Of text that is only stored, nothing is a file but what can hardly be anything else.
  const isPlace =
    use === 'inert' ? /^\s*(?:~|\.{1,2})?[\\/]\S*\s*$|^\s*[a-z]:[\\/]\S*\s*$|^[^\s\\/]+[\\/]\S+$/i.test(text) : true;
  if (!isPlace) return found;
  for (const form of new Set([text, decoded(text), decoded(decoded(text))]))
    for (const part of new Set([form, ...form.split(/[\n\r,;|]/)])) {
      const certainty =
        /^\s*(?:[\\/~]|[a-z]:[\\/]|\$\{?(?:env:)?HOME)/i.test(part) && use !== 'inert' ? 'written' : 'guessed';
      if (part.trim() !== '' && !isPlainUrl(part)) found.push({ type: 'path', text: part, certainty });
    }
  return found;
}

/** A URL is no path; only who goes up from it by text alone, without looking at the disk, gets to a file. */
function isPlainUrl(text: string): boolean {
  return (
    /^\s*(?:https?|wss?|ftp):[\\/]{2}/i.test(text) &&
    !decoded(decoded(text)).includes('..') &&
    readUrl(text).type === 'url'
  );
}

function hostsOf(text: string, namesHost: boolean, use: TextUse): readonly Mention[] {
  if (use === 'inert' && !/^[\\/]{2}/.test(text)) return [];
  // `git@host:path`, as secure copies are written.
  const copied = /^[\w.+-]+@(\[[^\]]+\]|[^\s:/\\@]+):/.exec(text)?.[1];
  const words = copied === undefined ? [text] : [text, copied];
  return words.flatMap((word): readonly Mention[] => {
    const isNumber = /^\d+$/.test(word) && Number(word) < 0x1000000;
    if ((namesHost || /^[\\/]{2}/.test(word)) && !isNumber && !/\s/.test(word)) {
      const reading = readBareHost(word);
      const hosts = reading.type === 'url' || reading.type === 'unreadable' ? reading.hosts : [];
      const port = reading.type === 'url' ? reading.port : '';
      return hosts.map((host) => hostMention(host, { scheme: 'http', port }, 'guessed'));
    }
    return bareHosts(word);
  });
}
