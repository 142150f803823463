import { accessLabel } from '../ports/accessLabel';
import type { FileSystem } from '../ports/files';
import { resolvePath } from '../files/paths';
import type { StopSign } from '../base/stopSign';
import { accessTest } from '../policy/grants/grantPattern';
import type { Suggestion } from './suggest';

/** What a grant would also allow, and what lies near it and stays a question, by files that are there. */
export interface Examples {
  readonly alsoAllows: readonly string[];
  /** How many files that are there it would allow in all. */
  readonly files: number;
  readonly nearMisses: readonly string[];
}

const mostListed = 5_000;
const mostNamed = 3;

/** Looks at the files around a suggestion. @param known resources that were asked about. */
export async function examplesOf(
  { accesses }: Suggestion,
  known: ReadonlySet<string>,
  files: FileSystem,
  stopped: StopSign,
): Promise<Examples> {
  const none = { alsoAllows: [], files: 0, nearMisses: [] };
  const folder = folderOf(accesses[0]?.pattern ?? '');
  if (!accesses.every(({ effect }) => effect.startsWith('fs.')) || folder === undefined) return none;
  const above = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '';
  const root = await files.canonical(await resolvePath(files, `/${above}`));
  const labels: string[] = [];
  await files.list(
    { root, include: [], exclude: [], includeIgnored: false, directories: false },
    (batch) => {
      labels.push(...batch.map(({ path }) => accessLabel({ folder: root.folder, path }, files)));
      return labels.length < mostListed && !stopped.aborted;
    },
    stopped,
  );
  const tests = accesses.map((one) => ({ one, test: accessTest(one) }));
  const isCovered = (resource: string): boolean => tests.every(({ one, test }) => test({ ...one, resource }));
  const inside = labels.filter(isCovered);
  const outside = labels.filter((label) => !isCovered(label));
  const nearest = outside.sort((a, b) => Number(isBelow(b, folder)) - Number(isBelow(a, folder)));
  return {
    alsoAllows: inside.filter((label) => !known.has(label)).slice(0, mostNamed),
    files: inside.length,
    nearMisses: nearest.slice(0, mostNamed),
  };
}

const isBelow = (label: string, folder: string): boolean => label.startsWith(`${folder}/`);

/** The folder before the first wildcard; undefined for a pattern that names one thing. */
function folderOf(pattern: string): string | undefined {
  if (pattern.startsWith('=')) return undefined;
  const plain = pattern.replace(/\/(?:\*\*\/)?\*[^/]*$/, '');
  return plain === pattern ? undefined : plain.replace(/\\(.)/g, '$1');
}
