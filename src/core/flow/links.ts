import { trimmedEnd } from '../base/text';
import { entryOf } from '../base/maps';

/** Addresses as a receiver compares them: without a fragment, which is not sent. Undefined for what is none. */
export function plainAddress(text: string, base?: string): string | undefined {
  if (text.length > longestAddress) return undefined;
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    return undefined;
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.hash = '';
  return url.href;
}

export const longestAddress = 2000;
/** Of a longer text no more is looked at, in characters. */
export const longestText = 2_000_000;
const mostLinks = 5000;

/** The addresses that a text names, absolute ones and those of HTML attributes. */
export function linksIn(text: string, base?: string): readonly string[] {
  const found: string[] = [];
  const add = (written: string): void => {
    const address = plainAddress(trimmedEnd(written, '.,;:!?'), base);
    if (address !== undefined) found.push(address);
  };
  const whole = text.length > longestText ? text.slice(0, longestText) : text;
  if (whole.includes('://'))
    for (const [written] of whole.matchAll(/https?:\/\/[^\s"'<>()[\]{}\\^`|]+/gi)) {
      if (found.length >= mostLinks) return found;
      add(written);
    }
  if (base !== undefined && (whole.includes('href=') || whole.includes('](/')))
    for (const [, attribute, inline] of whole.matchAll(
      /\bhref=["']([^"'\s]{1,2000})["']|\]\((\/[^()[\]\s]{0,2000})\)/gi,
    )) {
      if (found.length >= mostLinks) return found;
      add(attribute ?? inline ?? '');
    }
  return found;
}

/** The links that a session saw before it could leak anything by them, and those that it followed since. */
export class SeenLinks {
  readonly #known = new Set<string>();
  /** By site: the addresses that were followed after something private was read. */
  readonly #followed = new Map<string, Set<string>>();

  add(links: Iterable<string>): void {
    for (const link of links) {
      if (this.#known.size >= mostLinks) return;
      this.#known.add(link);
    }
  }

  /**
   * True where following the address tells nobody anything: it is one that was seen, or a folder of one, and no one of
   * a row of addresses by whose choice a text could be spelled.
   */
  isPlain(written: string): boolean {
    const address = plainAddress(written);
    if (address === undefined || !this.#isSeen(address)) return false;
    const followed = this.#followed.get(siteOf(address));
    if (!followed || followed.has(address)) return true;
    return followed.size < mostFollowed && ![...followed].some((one) => this.#areSiblings(one, address));
  }

  follow(written: string): void {
    const address = plainAddress(written);
    if (address === undefined) return;
    entryOf(this.#followed, siteOf(address), new Set()).add(address);
  }

  #isSeen(address: string): boolean {
    if (this.#known.has(address)) return true;
    if (!address.endsWith('/') || address.includes('?')) return false;
    for (const one of this.#known) if (one.startsWith(address)) return true;
    return false;
  }

  /** True for two of many addresses that differ in a few characters at one place: letters to spell with. */
  #areSiblings(one: string, other: string): boolean {
    const frame = frameOf(one, other);
    if (!frame) return false;
    let alike = 0;
    for (const known of this.#known)
      if (
        known.startsWith(frame.start) &&
        known.endsWith(frame.end) &&
        known.length - frame.start.length - frame.end.length <= mostSpelled &&
        known.length >= frame.start.length + frame.end.length &&
        ++alike >= fewestSiblings
      )
        return true;
    return false;
  }
}

/**
 * What one stranger may have to himself: the last two labels of a host's name, an IP address as it is. Neither its
 * ports nor names below it count apart, by which a page could spell.
 */
function siteOf(address: string): string {
  const { hostname } = new URL(address);
  if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) return hostname;
  return hostname.split('.').filter(Boolean).slice(-2).join('.');
}

/** Different addresses of one site that may be followed after something private was read. */
const mostFollowed = 10;
const mostSpelled = 3;
const fewestSiblings = 6;

function frameOf(one: string, other: string): { readonly start: string; readonly end: string } | undefined {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  if (Math.max(one.length, other.length) - start - end > mostSpelled) return undefined;
  return { start: one.slice(0, start), end: end === 0 ? '' : one.slice(-end) };
}
