import { canonicalHost } from '../../hosts/canonicalHost';
import { networkPlace, textOf } from '../../hosts/networkPlace';
import { familyOf } from '../../vocabulary/access';

/**
 * One key for all spellings of what an access touches, so that a person who allowed it is not asked again for another
 * spelling. Narrow, because it loosens: two texts have one key only where every receiver reads them alike, and what
 * cannot be read is its own key.
 */
export function resourceKey(effect: string, resource: string): string {
  if (familyOf(effect) === 'fs') return pathKey(resource);
  if (familyOf(effect) === 'network') return placeKey(resource);
  if (effect.startsWith('system.exec')) return lineKey(resource);
  return resource;
}

/** A part that says nothing: `.`, or none between two slashes. */
const leftOutPart = /(?:^|\/)\.(?:\/|$)|\/\//;

/** `..` stays: where the folder before it is a link, it leads elsewhere. Two slashes at the start name a server. */
function pathKey(path: string): string {
  if (path.startsWith('//') || path.includes('\\') || !leftOutPart.test(path)) return path;
  const parts = path.split('/');
  const kept = parts.filter((part, at) => part !== '.' && (part !== '' || at === 0 || at === parts.length - 1));
  return kept.length === 0 || kept.join('/') === '' ? path : kept.join('/');
}

/**
 * A URL as it is sent: its host and port in one form, without the fragment. A place that has two readings is itself.
 */
function placeKey(resource: string): string {
  const { hosts, port } = networkPlace(resource);
  const [host] = hosts;
  const name = host && textOf(host);
  if (hosts.length !== 1 || name === undefined) return resource;
  if (!/^(?:https?|wss?):\/\/[^\s\\]+$/i.test(resource))
    return /^[^/@?#\s\\]+$/.test(resource) && port !== undefined ? `${name}:${port}` : resource;
  if (!URL.canParse(resource)) return resource;
  const url = new URL(resource);
  if (textOf(canonicalHost(url.hostname)) !== name) return resource;
  const user = url.username === '' && url.password === '' ? '' : `${url.username}:${url.password}@`;
  return `${url.protocol}//${user}${name}:${port ?? ''}${url.pathname}${url.search}`;
}

/** The blanks between the words of a command line count once, where nothing in it could make one part of a word. */
function lineKey(line: string): string {
  return /^[\w ./:=@+,~&|;-]*$/.test(line.replaceAll('\t', ' ')) ? line.trim().replace(/[ \t]+/g, ' ') : line;
}
