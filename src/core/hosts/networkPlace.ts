import { ownValue } from '../base/json';
import { type CanonicalHost, canonicalHost } from './canonicalHost';

/** Where a network access leads: every host that its text may mean, the one first that most readers take. */
export interface NetworkPlace {
  readonly hosts: readonly CanonicalHost[];
  readonly port?: string;
}

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443', ws: '80', wss: '443', ftp: '21' };
const special = /^(?:https?|wss?|ftp):/i;

/**
 * Reads where a network access leads: the host as the URL parser reads it, and the one that stands written, where they
 * differ. A text without any host has none; one whose host no reader can agree on has an `invalid` one, which every
 * rule that restricts takes for its own.
 */
export function networkPlace(resource: string): NetworkPlace {
  // The URL parser does not see these, wherever they stand.
  const text = resource.replace(/^[\0-\x20]+|(?<![\0-\x20])[\0-\x20]+$/g, '').replace(/[\t\n\r]/g, '');
  if (text === '') return { hosts: [] };
  const isUrl = special.test(text) || /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const written = writtenPlace(text);
  const parsed = isUrl ? parsedPlace(text) : undefined;
  const hosts: CanonicalHost[] = parsed ? [canonicalHost(parsed.host)] : [];
  // A host alone is read as it stands; the text of a URL tells where another reader might go.
  const alone = written.host === '' ? undefined : canonicalHost(written.host);
  if (alone && (!parsed || alone.type !== 'invalid') && !hosts.some((one) => textOf(one) === textOf(alone)))
    hosts.push(alone);
  if (isUrl && !parsed && !hosts.some((one) => one.type === 'invalid')) hosts.push({ type: 'invalid' });
  const port = parsed ? parsed.port : written.port;
  return { hosts, ...(port === undefined ? {} : { port }) };
}

function parsedPlace(text: string): { readonly host: string; readonly port: string | undefined } | undefined {
  try {
    const url = new URL(text);
    if (url.hostname === '') return undefined;
    return { host: url.hostname, port: url.port === '' ? ownValue(defaultPorts, url.protocol.slice(0, -1)) : url.port };
  } catch {
    return undefined;
  }
}

/** The authority as a plain reader takes it: what stands between the slashes, after `@`. */
function writtenPlace(text: string): { readonly host: string; readonly port: string | undefined } {
  const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]*):[/\\]{2,})?(.*)$/is.exec(text) ?? [];
  const authority = (/^[^/\\?#]*/.exec(rest)?.[0] ?? '').replace(/^.*@/s, '');
  const colons = authority.split(':').length - 1;
  // `urn:isbn:1` is no address with too many parts but a name in a space of names, taken by its first part.
  const isAddress =
    !authority.startsWith('[') &&
    colons > 1 &&
    (!/^[a-z][a-z0-9+-]*:[a-z]/i.test(authority) || /^[0-9a-f:.]+$/i.test(authority));
  if (isAddress) return { host: authority, port: undefined };
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?/.exec(authority) ?? [];
  const number = port === undefined ? undefined : String(Number(port));
  return { host, port: number ?? ownValue(defaultPorts, scheme?.toLowerCase() ?? '') };
}

/** The host as one text; IPv6 without brackets. */
export function textOf(host: CanonicalHost): string | undefined {
  return host.type === 'name' ? host.name : host.type === 'address' ? host.address : undefined;
}
