import { existsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { isWithin, realOf } from '../folders/quietly';

/** Tells whether a folder brings something to a decision. */
type Counts = (folder: string) => boolean;

/**
 * The workspaces whose rules count for an agent that works in `cwd`, that one's own first: the nearest folder above it
 * that is a repository or has settings of ours, else `cwd` itself; then each further one above that has settings of
 * ours, so that a repository within a workspace does not lift the rules of that one; then those of the other folders,
 * as far as they are there. Looked for along each path as it is written and as links lead. Never the home folder or one
 * above, unless that is `cwd`. Throws where `cwd` is no folder.
 * @param folders where its session worked and was started, and what it has open.
 * @param counts true for what counts as a folder with settings of ours.
 */
export function hookWorkspaces(
  cwd: string,
  folders: readonly string[] = [],
  counts: Counts = hasOwn,
): readonly [string, ...string[]] {
  const start = path.resolve(cwd);
  if (!statSync(start).isDirectory()) throw new Error(`\`${start}\` is no folder`);
  const [nearest = start, ...others] = marked(start, counts, true);
  const elsewhere = [...new Set(folders.map((one) => path.resolve(one)))].filter(
    (one) => one !== start && statSync(one, { throwIfNoEntry: false })?.isDirectory(),
  );
  const led = (one: string): readonly string[] => marked(realOrWritten(one), counts, false);
  const further = [
    ...others,
    ...led(start).filter(counts),
    ...elsewhere.flatMap((one) => [...marked(one, counts, false), ...led(one)]),
  ];
  const known = new Set([realOrWritten(nearest)]);
  return [nearest, ...further.filter((one) => !known.has(realOrWritten(one)) && known.add(realOrWritten(one)))];
}

/** The workspaces that hold one of the places: each nearest one, and those above it with settings of ours. */
export function workspacesHolding(places: Iterable<string>, counts: Counts = hasOwn): readonly string[] {
  return [...new Set([...new Set(places)].flatMap((place) => marked(place, counts, false)))];
}

/** The nearest folder with a mark that is a place or above it, and those above that one that count. */
function marked(place: string, counts: Counts, mayBeHome: boolean): readonly string[] {
  const home = userInfo().homedir;
  const found: string[] = [];
  const start = absolute(place);
  for (let at = start; ; at = path.dirname(at)) {
    if (!(mayBeHome && at === start) && (at === home || home.startsWith(`${at}${path.sep}`))) break;
    if (counts(at) || (found.length === 0 && existsSync(path.join(at, '.git')))) found.push(at);
    if (path.dirname(at) === at) break;
  }
  return found;
}

const own = [path.join('.vscode', 'capabilities'), path.join('.vscode', 'settings.json')];

/** True for a folder that has settings of ours, or that was in plan mode in an editor. */
export const countsBy =
  (modes: Readonly<Record<string, string>>): Counts =>
  (folder) =>
    hasOwn(folder) || modes[folder] === 'plan';

/** True for a workspace that says something beside the editor in which `cwd` is open: that knows the user's rules. */
export const isBeside = (workspace: string, cwd: string, counts: Counts): boolean =>
  counts(workspace) || depthIn(workspace, cwd) < 0;

const hasOwn: Counts = (folder) => own.some((mark) => existsSync(path.join(folder, mark)));

/**
 * How deep a place lies in the tree of a folder that holds it, as the length of that folder's path; -1 where it lies
 * elsewhere, both by what is written and by where links lead.
 */
export function depthIn(folder: string, place: string): number {
  const written = absolute(place);
  return isWithin(written, folder) || isWithin(realOrWritten(written), realOrWritten(folder)) ? folder.length : -1;
}

const realOrWritten = (place: string): string => realOf(place) ?? path.resolve(place);

/** A path of which the first name may stand for the user's home. */
const absolute = (place: string): string =>
  path.resolve(/^~(?=$|[/\\])/.test(place) ? `${userInfo().homedir}${place.slice(1)}` : place);
