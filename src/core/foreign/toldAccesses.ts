import { readPathInput } from '../files/paths';
import type { FileSystem } from '../ports/files';
import { readUrl } from '../places/urlReadings';
import { type Access, familyOf } from '../vocabulary/access';
import { addressIn } from './addresses';
import { PlaceLabels } from './placeLabels';

/**
 * What a program said that a call touches, named as policy names places: files by their labels, as written and as the
 * disk has them with its links, and hosts as they are contacted. Undefined where a place cannot be read; throws a
 * ToolError for a path that leads out of the workspace by `..` or a link.
 */
export async function toldAccesses(told: readonly Access[], files: FileSystem): Promise<readonly Access[] | undefined> {
  const labels = new PlaceLabels(files, undefined);
  const out: Access[] = [];
  for (const access of told) {
    const resources = await resourcesOf(access, files, labels);
    if (!resources) return undefined;
    out.push(...resources.map((resource) => ({ ...access, resource })));
  }
  return out;
}

async function resourcesOf(
  { effect, resource }: Access,
  files: FileSystem,
  labels: PlaceLabels,
): Promise<readonly string[] | undefined> {
  const family = familyOf(effect);
  if (family === 'network') {
    const read = addressIn(resource);
    return read.type === 'url' ? [read.resource] : undefined;
  }
  if (family !== 'fs') return [resource];
  const reading = readUrl(resource);
  if (resource.includes('\0') || (reading.type === 'file' && reading.host !== undefined)) return undefined;
  if (reading.type === 'file') return labels.of(reading.path);
  // Another scheme names what only its editor or server can find.
  if (/^\s*[a-z][a-z0-9+.-]+:[\\/]/i.test(resource)) return undefined;
  const isOfMachine = files.style === 'windows' ? /^(?:[\\/~]|[a-z]:)/i : /^[/~]/;
  if (isOfMachine.test(resource)) return labels.of(resource);
  const read = readPathInput(resource, files.folders(), files.style);
  const paths =
    read.kind === 'one'
      ? [read.path]
      : read.kind === 'root'
        ? read.folders.map((folder) => ({ folder, path: '' }))
        : read.preferred
          ? [read.preferred]
          : read.paths;
  return (await Promise.all(paths.map((path) => labels.inside(path)))).flat();
}
