import { canonicalHost, hostTexts } from '../hosts/canonicalHost';

/** Why text that looks like a URL cannot be judged. */
type UrlFault = 'invalid_url' | 'ambiguous_host';

/** What a receiver may make of text that could be a URL. */
export type UrlReading =
  /** Nothing that leads to a host: no scheme, or one whose rest has no meaning for us (`mailto:`, `data:`). */
  | { readonly type: 'none' }
  /** A file by `file:`, with everything that receivers take for its path. */
  | {
      readonly type: 'file';
      readonly path: string;
      readonly others: readonly string[];
      readonly host: string | undefined;
    }
  /**
   * `url` is what the WHATWG parser makes of it, without credentials; `hosts` are all hosts that it may lead to, that
   * of `url` first.
   */
  | {
      readonly type: 'url';
      readonly url: string;
      readonly scheme: string;
      readonly port: string;
      readonly hosts: readonly string[];
    }
  | { readonly type: 'unreadable'; readonly fault: UrlFault; readonly hosts: readonly string[] };

const none: UrlReading = { type: 'none' };
const special: ReadonlySet<string> = new Set(['http', 'https', 'ws', 'wss', 'ftp']);

/**
 * Reads text as a URL the way receivers do: the WHATWG parser (which drops tabs and line ends, takes `\` for `/` and
 * needs no slashes), and parsers that split at the first `/`, `?` or `#` only. Where the two find different hosts, it
 * cannot be judged.
 */
export function readUrl(text: string): UrlReading {
  const trimmed = trimControls(text);
  const clean = trimmed.replace(/[\t\n\r]/g, '');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(clean)?.[1]?.toLowerCase();
  // One letter is a drive of Windows.
  if (scheme === undefined || scheme.length === 1) return none;
  if (scheme === 'file') return readFileUrl(clean);
  return special.has(scheme) ? readSpecial(clean, scheme, trimmed) : readOther(clean, scheme);
}

/**
 * Reads text that stands where a URL is wanted as a host with what follows it: `evil.example:8080/x`, `//evil.example`.
 */
export function readBareHost(text: string): UrlReading {
  const rest = trimControls(text).replace(/^[\\/]{2,}/, '');
  return rest === '' ? none : (readOpenAddress(rest) ?? readUrl(`http://${rest}`));
}

/** An IPv6 address without its brackets. Its last part may be meant as the port. */
function readOpenAddress(text: string): UrlReading | undefined {
  const [, address, rest = ''] = /^([0-9a-f:.]+(?:%[\w.-]+)?)([/?#].*)?$/is.exec(text) ?? [];
  if (address === undefined || (address.match(/:/g)?.length ?? 0) < 2) return undefined;
  const host = canonicalHost(address);
  if (host.type !== 'address') return undefined;
  const reading = readUrl(`http://${host.family === 6 ? `[${host.address}]` : host.address}${rest}`);
  const before = /^(.*[^:]):\d{1,5}$/.exec(address)?.[1];
  if (reading.type !== 'url' || before === undefined || !before.includes('::')) return reading;
  return { ...reading, hosts: [...new Set([...reading.hosts, ...hostTexts(before)])] };
}

function trimControls(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 32) start++;
  while (end > start && text.charCodeAt(end - 1) <= 32) end--;
  return text.slice(start, end);
}

function readSpecial(clean: string, scheme: string, written: string): UrlReading {
  const naive = naiveHosts(clean);
  let parsed: URL;
  try {
    parsed = new URL(clean);
  } catch {
    return { type: 'unreadable', fault: 'invalid_url', hosts: naive.texts };
  }
  const [host, ...carried] = hostTexts(parsed.hostname);
  if (host === undefined) return { type: 'unreadable', fault: 'invalid_url', hosts: naive.texts };
  const isSame = naive.isReadable && naive.texts.every((one) => one === host);
  const authority = /^[^:]*:[\\/]*[^/?#]*/.exec(written)?.[0] ?? '';
  // A receiver that stops at a control character, or keeps it, finds another host.
  if (!isSame || /[\0-\x20\x7f]/.test(authority))
    return { type: 'unreadable', fault: 'ambiguous_host', hosts: [...new Set([host, ...carried, ...naive.texts])] };
  parsed.username = '';
  parsed.password = '';
  const shown = host.includes(':') ? `[${host}]` : host;
  const url = `${parsed.protocol}//${shown}${parsed.port === '' ? '' : `:${parsed.port}`}${parsed.pathname}${parsed.search}${parsed.hash}`;
  return {
    type: 'url',
    url,
    scheme,
    port: parsed.port,
    hosts: [...new Set([host, ...carried, ...olderReadings(clean)])],
  };
}

/** The host as a parser takes it that knows no backslashes: without credentials and port. */
function writtenHost(clean: string): string {
  const authority = /^[^:]*:[\\/]*([^/?#]*)/.exec(clean)?.[1] ?? '';
  return authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
}

/** The hosts that a parser finds which knows no backslashes; several where a list is written. */
function naiveHosts(clean: string): { readonly texts: readonly string[]; readonly isReadable: boolean } {
  const host = canonicalHost(writtenHost(clean));
  const before = /^[^:]*:[\\/]*([^/?#\\@]*)/.exec(clean)?.[1]?.replace(/:\d*$/, '') ?? '';
  if (host.type === 'invalid') return { texts: hostTexts(before).slice(0, 1), isReadable: false };
  return { texts: [host.type === 'name' ? host.name : host.address], isReadable: true };
}

/**
 * Hosts that receivers of older standards find: IDNA 2003 for what has become a letter of its own, digits after a zero
 * that are not octal.
 */
function olderReadings(clean: string): readonly string[] {
  const host = writtenHost(clean);
  const found: string[] = [];
  if (/[ßẞς\u200c\u200d]/.test(host))
    found.push(
      ...hostTexts(
        host
          .replace(/[ßẞ]/g, 'ss')
          .replaceAll('ς', 'σ')
          .replace(/[\u200c\u200d]/g, ''),
      ),
    );
  if (/^0*\d{1,3}(?:\.0*\d{1,3}){3}$/.test(host) && /(?:^|\.)0\d/.test(host))
    found.push(...hostTexts(host.replace(/(^|\.)0+(?=\d)/g, '$1')));
  return found;
}

/** A URL of any other scheme with an authority (`ssh://`, `redis://`, `memo://`), which may list several hosts. */
function readOther(clean: string, scheme: string): UrlReading {
  const match = /^[^:]*:[\\/]{2,}([^/?#\\]*)/.exec(clean);
  const authority = match?.[1] ?? '';
  if (!match || authority === '') return none;
  const list = authority.slice(authority.lastIndexOf('@') + 1).split(',');
  const hosts = list.flatMap((one) => hostTexts(one.replace(/:\d*$/, '')));
  if (hosts.length === 0) return none;
  const port = /:(\d+)$/.exec(authority)?.[1] ?? '';
  return { type: 'url', url: clean, scheme, port, hosts: [...new Set(hosts)] };
}

function readFileUrl(clean: string): UrlReading {
  const rest = clean.slice(5);
  const others = new Set<string>();
  // Many receivers only cut the scheme off, with or without the slashes, and decode or do not.
  for (const cut of [rest, rest.replace(/^\/\//, ''), rest.replace(/^[\\/]{2}[^\\/]*/, '')]) {
    others.add(cut);
    others.add(decoded(cut));
  }
  others.delete('');
  try {
    const url = new URL(clean);
    const path = decoded(url.pathname).replace(/^\/([a-z]):/i, '$1:');
    others.add(url.pathname);
    const host = url.hostname === '' || url.hostname === 'localhost' ? undefined : url.hostname;
    return { type: 'file', path, others: [...others].filter((one) => one !== path), host };
  } catch {
    return { type: 'unreadable', fault: 'invalid_url', hosts: [] };
  }
}

/** Percent sequences as characters, each run by itself, so that one that is no UTF-8 does not keep the others. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    }
  });
}
