import { trimmedEnd } from '../base/text';
import { withoutEntities } from '../base/htmlEntities';
import { longestAddress, longestText, plainAddress } from './links';

/** The addresses by which a text would send something. */
interface SendingLinks {
  readonly links: readonly string[];
  /** False where not all of it was looked at: what was not may be one. */
  readonly isWhole: boolean;
}

const mostLinks = 500;
/** Places that look like an address. */
const mostPlaces = 10_000;

/**
 * The addresses in a text by which it would send something as soon as somebody looks at it (pictures, scripts, styles),
 * or when somebody follows them (those with a query).
 */
export function sendingLinks(content: string): SendingLinks {
  const found = new Set<string>();
  const written = content.slice(0, longestText);
  const text = withoutEntities(written);
  // A bracket or quote that is spelled by an entity ends no address, one that is written does.
  const isWhole = find(text, found, false) && (text === written || find(written, found, false));
  // Browsers leave out the ends of lines within the address of an attribute.
  const isJoined = !/[\t\n\r]/.test(text) || !attribute.test(text) || find(text.replace(/[\t\n\r]/g, ''), found, true);
  return { links: [...found], isWhole: isWhole && isJoined && content.length <= longestText };
}

/** @returns whether all of the text was looked at. */
function find(text: string, found: Set<string>, onlyAttributes: boolean): boolean {
  let places = 0;
  let isWhole = true;
  for (const { 0: written, index } of text.matchAll(/(?:https?:[\\/]*|[\\/]{2})[^\s"'<>()[\]{}\\^`|]+/gi)) {
    if (found.size >= mostLinks || places++ >= mostPlaces) return false;
    const before = text.slice(Math.max(0, index - window), index).replace(/\s+/g, ' ');
    const isFetched = onlyAttributes ? attributeEnd.test(before) && isEmbedded(before) : isEmbedded(before);
    const isFollowed = !onlyAttributes && /^https?:/i.test(written) && written.includes('?');
    if (!isFetched && !isFollowed) continue;
    // Also where the text was decoded already: a page within a page (`srcdoc`) is read twice.
    const address = plainAddress(trimmedEnd(withoutEntities(written), '.,;:!?'), 'https://relative.invalid');
    if (address !== undefined && (isFetched || address.includes('?'))) found.add(address);
    else if (written.length > longestAddress) isWhole = false;
  }
  return isWhole;
}

/** How much before an address is looked at, in characters. */
const window = 200;
const attribute = /\b(?:src|srcset|data|poster|background|href)\s{0,100}=/i;
const attributeEnd = /= ?["']?$/;

/** What comes before an address that a viewer fetches by itself, but for pictures of markdown and `href`. */
const embeds =
  /(?:\]: ?<?|\b(?:src|data|poster|background) ?= ?["']?|\bsrcset ?= ?(?:["'][^"'>]{0,180})?|\d[wx] ?, ?|\burl\( ?["']?|\bimage-set\( ?["']?|@import ["']?|\d ?; ?url ?= ?["']?)$/i;

/** A link of markdown whose text is so plain that it cannot be the end of a picture's. */
const plainLink = /(?:^|[^!\\])\[[^[\]`\\<>]{0,100}\]\( ?<?$/;

/** The `href` of a link that is fetched when somebody follows it. */
const plainAnchor =
  /<a(?:rea)?(?: [\w:-]+(?: ?= ?(?:"[^"<>]{0,150}"|'[^'<>]{0,150}'|\{[^{}<>]{0,150}\}|[\w-]{1,50}))?){0,20} href ?= ?["']?$/i;

/** @param before with single spaces alone. */
function isEmbedded(before: string): boolean {
  if (/\]\( ?<?$/.test(before)) return !plainLink.test(before);
  if (/(?<![.\w-])href ?= ?["']?$/i.test(before)) return !plainAnchor.test(before);
  return embeds.test(before);
}
