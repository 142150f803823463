import { networkPlace } from '../hosts/networkPlace';
import type { RedactedSource } from '../settings/entrySchemas';
import { type Access, accessHost, familyOf } from '../vocabulary/access';
import { sourceKey, sourceKind, type ToolSource } from '../vocabulary/toolSource';

const isAbsolute = (path: string): boolean => /^(?:[/\\~]|[A-Za-z]:|\.\.(?:\/|$))/.test(path);

/**
 * Where an access takes data to or from, in the grain in which a secret may come back: a workspace folder, a file
 * outside, a host with its scheme and port, a database. Undefined for what has no such place, such as a command.
 */
function placeOf(access: Access, hasManyFolders: boolean): string | undefined {
  const { effect, resource } = access;
  if (familyOf(effect) === 'fs') {
    if (isAbsolute(resource)) return `file ${resource}`;
    return `folder ${hasManyFolders ? (resource.split('/')[0] ?? '') : '.'}`;
  }
  if (effect === 'network.http') {
    const host = accessHost(access);
    return host === undefined ? undefined : `host ${originOf(access.resource, host)}`;
  }
  return familyOf(effect) === 'database' ? `database ${resource}` : undefined;
}

/** A host as it stands where it is asked as usual, by HTTPS at port 443; else with its scheme or its port. */
function originOf(resource: string, host: string): string {
  const { port } = networkPlace(resource);
  const isPlain = /^\s*http:/i.test(resource);
  const isUsual = port === undefined || port === (isPlain ? '80' : '443');
  return `${isPlain ? 'http://' : ''}${host}${isUsual ? '' : `:${port}`}`;
}

/** On this machine nobody listens in between. */
const isLoopback = (host: string): boolean => /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(host);

/**
 * Whether a host that the user named means a place: with `http:` or a port that place alone, without them any port by
 * HTTPS, and by HTTP on this machine.
 */
export function isNamedHost(named: string, place: string): boolean {
  const name = named
    .trim()
    .toLowerCase()
    .replace(/^https:\/\/|(?<!\/)\/+$/g, '');
  const origin = place.replace(/^host /, '');
  if (origin === place || name === '') return false;
  // A default port that is written out names the place that goes without it.
  if (origin === name.replace(name.startsWith('http://') ? /:80$/ : /:443$/, '')) return true;
  const host = origin.replace(/^http:\/\//, '').replace(/:\d+$/, '');
  return host === name && (!origin.startsWith('http://') || isLoopback(host));
}

/** The places of a call; undefined stands for one that cannot be named. What a stranger runs goes to the stranger. */
export function placesOf(
  source: ToolSource,
  accesses: readonly Access[],
  hasManyFolders: boolean,
): readonly (string | undefined)[] {
  if (!sourceKind(source).isRunHere) return [`source ${sourceKey(source)}`];
  return [...new Set(accesses.map((access) => placeOf(access, hasManyFolders)))];
}

/**
 * Where what a call answers was read. Of several hosts, as redirects name them, only the last one answered: the others
 * have seen nothing of it. What was asked of several hosts at once belongs to none of them.
 * @param asked of the accesses those that the call named itself.
 */
export function placesRead(
  source: ToolSource,
  accesses: readonly Access[],
  hasManyFolders: boolean,
  asked: readonly Access[] = accesses,
): readonly string[] {
  const hosts = new Set(asked.filter(isOnNetwork).map(accessHost));
  const last = hosts.size > 1 ? undefined : accesses.filter(isOnNetwork).at(-1);
  const read = accesses.filter((access) => !isOnNetwork(access) || access === last);
  const places = placesOf(source, read, hasManyFolders).filter((place) => place !== undefined);
  // What came in the clear may go back in the same way or a safer one.
  return places.flatMap((place) =>
    place.startsWith('host http://') && !/:\d+$/.test(place) ? [place, place.replace('http://', '')] : [place],
  );
}

const isOnNetwork = ({ effect }: Access): boolean => effect === 'network.http';

/** The parts of `redaction.sources` by which what a call answers is treated. */
export function redactionSources(source: ToolSource, accesses: readonly Access[]): readonly RedactedSource[] {
  if (!sourceKind(source).isRunHere || accesses.length === 0) return ['others'];
  return [...new Set(accesses.map(sourceOf))];
}

function sourceOf({ effect }: Access): RedactedSource {
  if (familyOf(effect) === 'fs') return 'files';
  if (effect.startsWith('network.http')) return 'web';
  return familyOf(effect) === 'database' ? 'databases' : 'others';
}
