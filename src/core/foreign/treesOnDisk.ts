import { inputGlob } from '../base/pathGlob';
import { compileExclude, type PathMatcher } from '../files/globs';
import { accessLabel } from '../ports/accessLabel';
import type { ListEntry, ListQuery } from '../ports/fileSearch';
import type { WorkspacePath } from '../ports/workspacePath';
import { leavesOut } from '../shell/leftOut';
import type { ShellReading, ShellTree } from '../shell/shellReading';
import { isNarrowed } from '../shell/trees';
import type { Access } from '../vocabulary/access';
import { isToolError } from '../vocabulary/errors';
import type { DiskFolders, DiskPlaces } from './diskFolders';
import { isMade, namesOnDisk } from './namesOnDisk';

/** So many files and folders are looked at for one line; what lies beyond asks. */
const mostBelow = 30_000;
/** So many links are followed. */
const mostLinks = 100;
/** What makes a folder a workspace of its own. */
const settings = /^(.*)\/\.vscode\/(?:capabilities\/.|settings\.json$)/;
/** What nobody keeps his own in. */
const made = ['node_modules', '**/.git/{objects,refs,logs,lfs,modules,worktrees}'];
/** By these a search passes over more, or over less, than a repository ignores. */
const ownIgnores = ['.ignore', '.rgignore', '.agignore'];
/** What makes a folder a workspace, also where it is ignored. */
const ofWorkspaces = ['**/.vscode/settings.json', '**/.vscode/capabilities/**'];
const never = { aborted: false, reason: undefined };

/**
 * What lies below the folders that the commands of a line read or copy as a whole: rules that deny judge each file as
 * if it was named. Looked into are folders of the workspace, also where they lie below the one that is named; of others
 * the folders are told, as far as they are looked into. What a preset closes is no reason to deny a copy on this
 * machine, which asks by itself.
 */
export async function treesOnDisk(
  { trees, puts }: Pick<ShellReading, 'trees' | 'puts'>,
  disk: DiskFolders,
  places: DiskPlaces,
  seesDots: boolean,
): Promise<readonly Access[]> {
  const listing = new TreeListing(disk, places);
  for (const tree of trees) {
    const search = { seesDots, changes: false, isFilled: () => false };
    const found = tree.isPattern ? await namesOnDisk(tree.path, disk, search) : [tree];
    for (const { path } of found) await listing.add(tree, path);
    // Such a name is an option, which may take in again what another one leaves out.
    if (tree.isPattern && isNarrowed(tree) && found.some(({ path }) => /(?:^|\/)-/.test(path))) listing.ask(tree);
    // What the same line moves or links there is read too.
    for (const put of puts)
      if (put.does !== 'copies' && isRelated(disk.absolute(put.to), disk.absolute(tree.path)))
        await listing.add(tree, put.from);
  }
  return listing.accesses;
}

const isRelated = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);

type ListHow = Pick<ListQuery, 'includeIgnored' | 'include' | 'exclude'>;
type Traits = Pick<Access, 'below' | 'mentioned'>;

class TreeListing {
  readonly accesses: Access[] = [];
  readonly #disk: DiskFolders;
  readonly #places: DiskPlaces;
  /** Where what command was there, as links may lead in a circle. */
  readonly #known = new Set<string>();
  /** What was listed, by its query: several commands of a line read one folder. */
  readonly #lists = new Map<string, Promise<readonly ListEntry[]>>();
  #left = mostBelow;
  #links = mostLinks;

  constructor(disk: DiskFolders, places: DiskPlaces) {
    this.#disk = disk;
    this.#places = places;
  }

  /** What is read nobody can tell. */
  ask({ words }: ShellTree): void {
    this.accesses.push({ effect: 'system.exec', resource: words });
  }

  async add(tree: ShellTree, path: string): Promise<void> {
    const { at, real, isOutside } = await this.#places.labels.placesBelow(path);
    const key = `${real} ${tree.words}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    // Who judges for the folder that the line runs in tells of other workspaces.
    if (isOutside && !(await this.#places.labels.placesBelow('.')).isOutside) await this.#outside(path);
    const about: Traits = tree.isCopied ? { below: true, mentioned: true } : { below: true };
    for (const { within, place } of at) {
      const isRead = readBelow(tree, path);
      const before = accessLabel({ ...place, path: '/' }, this.#places.files).slice(0, -1);
      for (const entry of await this.#below(tree, place)) {
        const inner = place.path === '' ? entry.path : entry.path.slice(place.path.length + 1);
        const own = entry.path.includes('/.vscode/') ? settings.exec(entry.path)?.[1] : undefined;
        if (own !== undefined) this.#tell(accessLabel({ ...place, path: own }, this.#places.files), {});
        if (entry.type === 'directory' || !isRead(`${within}${inner}`)) continue;
        this.#tell(`${before}${entry.path}`, about);
        if (entry.type !== 'symlink' || !tree.follows || this.#links-- <= 0) continue;
        const link = `${place.folder.path}/${entry.path}`;
        for (const resource of await this.#places.labels.ofSuspect(link)) this.#tell(resource, about);
        await this.add(tree, link);
      }
      if (this.#left < 0) this.ask(tree);
    }
  }

  #tell(resource: string, about: Traits): void {
    this.accesses.push({ effect: 'fs.read', resource, suspected: 'written', ...about });
  }

  /** The files, links and folders below a place; none below what is no folder. */
  async #below(tree: ShellTree, root: WorkspacePath): Promise<readonly ListEntry[]> {
    // Below the folder itself a name stands for the same whatever is above.
    const pruned = root.path === '' ? (tree.leftOut ?? []).filter((glob) => /^\*\*\/[^/]+\/\*\*$/.test(glob)) : [];
    // Links are met by their own names.
    const include = tree.follows ? [] : (tree.only ?? []).map(anywhere);
    const everything = async (): Promise<readonly ListEntry[]> => [
      ...(await this.#list(root, { includeIgnored: true, include, exclude: pruned })),
      ...(include.length > 0 ? await ofOthers() : []),
    ];
    const ofOthers = (): Promise<readonly ListEntry[]> =>
      this.#list(root, { includeIgnored: true, include: ofWorkspaces, exclude: pruned });
    const top = root.folder.path;
    if (!tree.skipsIgnored || (await this.#disk.standsAt(`${top}/.git`)) === 'nothing') return everything();
    const met = await this.#list(root, { includeIgnored: false, include: [], exclude: pruned });
    // These may take in again what is ignored.
    const isTold = ({ path }: ListEntry): boolean => /(?:^|\/)\.(?:rg|ag)?ignore$/.test(path);
    const ofTop = await Promise.all(ownIgnores.map((name) => this.#disk.standsAt(`${top}/${name}`)));
    if (met.some(isTold) || ofTop.some((one) => one !== 'nothing')) return everything();
    return [...met, ...(await ofOthers())];
  }

  #list(root: WorkspacePath, how: ListHow): Promise<readonly ListEntry[]> {
    const key = JSON.stringify([root.folder.path, root.path, how]);
    const known = this.#lists.get(key) ?? this.#listed({ ...how, root });
    this.#lists.set(key, known);
    return known;
  }

  async #listed(query: ListHow & Pick<ListQuery, 'root'>): Promise<readonly ListEntry[]> {
    if (this.#left < 0) return [];
    const found: ListEntry[] = [];
    const sink = (batch: readonly ListEntry[]): boolean => {
      found.push(...batch);
      return (this.#left -= batch.length) >= 0;
    };
    const exclude = [...made, ...query.exclude];
    const whole = { ...query, exclude, directories: query.include.length === 0, byRepository: true };
    await this.#places.files.list(whole, sink, never).catch((error: unknown) => {
      // What is read nobody can tell then.
      if (!isToolError(error) || !/^(?:not_found|not_a_directory)$/.test(error.data.code)) this.#left = -1;
    });
    return found;
  }

  /** The folders below one that lies outside of the workspace; those with settings of ours are workspaces. */
  async #outside(folder: string): Promise<void> {
    const open = [folder];
    // What is added meanwhile is visited too.
    for (const path of open) {
      const entries = await this.#disk.outside(path);
      const isWorkspace = entries.some(({ name }) => name === '.vscode');
      if (path !== folder) this.#tell(this.#disk.absolute(path), isWorkspace ? {} : { below: true });
      for (const { name, type } of entries)
        if (type === 'directory' && !isMade(name, path, false)) open.push(`${path}/${name}`);
    }
  }
}

const anywhere = (glob: string): string => `**/${glob.replace(/^\//, '')}`;

/** Tells whether a program reads a file, by its path below the folder that it is given. */
function readBelow({ leftOut, leftOutFiles, byRsync, only, skipsHidden }: ShellTree, folder: string): PathMatcher {
  const tests: PathMatcher[] = [];
  if (leftOut) tests.push(compileExclude(leftOut));
  for (const glob of leftOutFiles ?? []) {
    const matches = inputGlob(glob.replace(/^\//, ''));
    tests.push((path) => matches(glob.startsWith('/') ? path : path.slice(path.lastIndexOf('/') + 1)));
  }
  if (byRsync) tests.push(leavesOut(byRsync.names, folder, byRsync.keepsPath));
  if (skipsHidden) tests.push((path) => /(?:^|\/)\./.test(path));
  if (only) {
    const chosen = only.map((glob) => inputGlob(anywhere(glob)));
    tests.push((path) => !chosen.some((matches) => matches(path)));
  }
  return tests.length === 0 ? () => true : (path) => !tests.some((isLeftOut) => isLeftOut(path));
}
