import { type Access, accessHost } from '../vocabulary/access';
import { sourceKey, sourceKind, type ToolSource } from '../vocabulary/toolSource';

const isAbsolute = (path: string): boolean => /^(?:[/\\~]|[A-Za-z]:|\.\.(?:\/|$))/.test(path);

/**
 * Where an access takes data to or from, in the grain in which a secret may come back: a workspace folder, a file
 * outside, a host, a database. Undefined for what has no such place, such as a command.
 */
function placeOf(access: Access, hasManyFolders: boolean): string | undefined {
  const { effect, resource } = access;
  if (effect.startsWith('fs.')) {
    if (isAbsolute(resource)) return `file ${resource}`;
    return `folder ${hasManyFolders ? (resource.split('/')[0] ?? '') : '.'}`;
  }
  if (effect === 'network.http') {
    const host = accessHost(access);
    return host === undefined ? undefined : `host ${host}`;
  }
  return effect.startsWith('database.') ? `database ${resource}` : undefined;
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

/** The part of `redaction.sources` by which what a call answers is treated. */
type RedactionSource = 'files' | 'web' | 'databases' | 'others';

export function redactionSource(source: ToolSource, accesses: readonly Access[]): RedactionSource {
  if (!sourceKind(source).isRunHere) return 'others';
  const [first] = accesses;
  if (first?.effect.startsWith('fs.')) return 'files';
  if (first?.effect.startsWith('network.http')) return 'web';
  return first?.effect.startsWith('database.') ? 'databases' : 'others';
}
