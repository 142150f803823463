import { accessLabel } from '../ports/accessLabel';
import type { FileSystem } from '../ports/files';
import { resolvePath } from '../files/paths';
import type { StopSign } from '../base/stopSign';
import { accessTest } from '../policy/grants/grantPattern';
import type { Suggestion } from './suggest';
import { familyOf } from '../vocabulary/access';

/** What a grant would also allow, and what lies near it and stays a question, by files that are there. */
export interface Examples {
  readonly alsoAllows: readonly string[];
  /** How many files that are there it would allow in all; undefined where the looking was cut. */
  readonly files: number | undefined;
  readonly nearMisses: readonly string[];
}

const mostListed = 5_000;
const mostNamed = 3;

/**
 * Looks at the files around a suggestion that are not ignored; undefined where nothing can be looked at.
 * @param known resources that were asked about.
 */
export async function examplesOf(
  { pattern, accesses }: Suggestion,
  known: ReadonlySet<string>,
  files: FileSystem,
  stopped: StopSign,
): Promise<Examples | undefined> {
  // It names one thing.
  if (pattern.startsWith('=')) return { alsoAllows: [], files: 0, nearMisses: [] };
  const folder = folderOf(accesses[0]?.pattern ?? '');
  if (!accesses.every(({ effect }) => familyOf(effect) === 'fs') || folder === undefined) return undefined;
  const below = await filesBelow(folder, files, stopped);
  const around = await filesBelow(folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '', files, stopped);
  const tests = accesses.map((one) => ({ one, test: accessTest(one) }));
  const isCovered = (resource: string): boolean => tests.every(({ one, test }) => test({ ...one, resource }));
  const inside = below.labels.filter(isCovered);
  const outside = [...new Set([...below.labels, ...around.labels])].filter((label) => !isCovered(label));
  return {
    alsoAllows: inside.filter((label) => !known.has(label)).slice(0, mostNamed),
    files: below.isWhole ? inside.length : undefined,
    nearMisses: outside.slice(0, mostNamed),
  };
}

/** Files at any depth below a folder, by the names that policy knows. */
async function filesBelow(
  folder: string,
  files: FileSystem,
  stopped: StopSign,
): Promise<{ readonly labels: readonly string[]; readonly isWhole: boolean }> {
  const root = await files.canonical(await resolvePath(files, `/${folder}`));
  const labels: string[] = [];
  let isWhole = true;
  await files.list(
    { root, include: [], exclude: [], includeIgnored: false, directories: false },
    (batch) => {
      labels.push(...batch.map(({ path }) => accessLabel({ folder: root.folder, path }, files)));
      isWhole = labels.length < mostListed && !stopped.aborted;
      return isWhole;
    },
    stopped,
  );
  return { labels, isWhole: isWhole && !stopped.aborted };
}

/** The folder before the first wildcard; undefined for a pattern that names one thing. */
function folderOf(pattern: string): string | undefined {
  const plain = pattern.replace(/\/(?:\*\*\/)?\*[^/]*$/, '');
  return plain === pattern ? undefined : plain.replace(/\\(.)/g, '$1');
}
