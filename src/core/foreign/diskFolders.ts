import { resolveDots } from './machinePath';
import { isToolError } from '../vocabulary/errors';
import type { DirectoryEntry, FileSystem } from '../ports/files';
import type { WorkspacePath } from '../ports/workspacePath';
import type { PlaceLabels } from './placeLabels';

/** So many names of a folder are looked at. */
export const mostEntries = 2000;

/** So many folders outside of the workspace are looked into for all patterns together. */
const mostOutside = 300;

export interface DiskPlaces {
  readonly files: FileSystem;
  readonly labels: PlaceLabels;
}

type DiskEntry = Pick<DirectoryEntry, 'name' | 'type'>;

/** What stands at a path; `unknown` where that cannot be told, as of what lies outside of the workspace. */
type Standing =
  { readonly type: 'folder'; readonly at: WorkspacePath } | { readonly type: 'file' | 'nothing' | 'unknown' };

/** Looks into folders of the workspace by the paths of a command line, at each place once. */
export class DiskFolders {
  readonly #places: DiskPlaces;
  #outsideLeft = mostOutside;
  readonly #standing = new Map<string, Promise<Standing>>();
  readonly #entries = new Map<string, Promise<readonly DiskEntry[] | undefined>>();

  constructor(places: DiskPlaces) {
    this.#places = places;
  }

  /** The same text for every way to write a path, its links left as they are. */
  absolute(path: string): string {
    const { cwd } = this.#places.labels;
    const slashes = this.#slashed(path);
    const isWhole = /^(?:[/~]|[a-z]:\/)/i.test(slashes) || cwd === undefined;
    return resolveDots(isWhole ? slashes : `${this.#slashed(cwd)}/${slashes}`);
  }

  /** True for a folder that is open itself, as it is written. */
  isOpen(path: string): boolean {
    return this.#places.files.folders().some((one) => this.#slashed(one.path) === this.absolute(path));
  }

  /** True for a folder above or within which a folder of the workspace or the person's own lies. */
  async holdsOurs(folder: string): Promise<boolean> {
    const { files, labels } = this.#places;
    const home = await files.realPath?.('~', labels.cwd);
    const ours = files.folders().map((one) => this.#slashed(one.path));
    return [...ours, ...(home ? [this.#slashed(home)] : [])].some(
      (one) => one === folder || one.startsWith(`${folder}/`) || folder.startsWith(`${one}/`),
    );
  }

  async standsAt(path: string): Promise<Standing['type']> {
    return (await this.#look(path)).type;
  }

  /**
   * The names in a folder, those that begin with a point first; none in what is no folder. Undefined where that cannot
   * be told.
   */
  entries(path: string): Promise<readonly DiskEntry[] | undefined> {
    let entries = this.#entries.get(path);
    if (!entries) this.#entries.set(path, (entries = this.#list(path)));
    return entries;
  }

  async #list(path: string): Promise<readonly DiskEntry[] | undefined> {
    const standing = await this.#look(path);
    if (standing.type !== 'folder') return standing.type === 'unknown' ? undefined : [];
    try {
      const all = await this.#places.files.readDirectory(standing.at);
      const isHidden = ({ name }: DiskEntry): boolean => name.startsWith('.');
      return [...all.filter(isHidden), ...all.filter((one) => !isHidden(one))].slice(0, mostEntries);
    } catch {
      return undefined;
    }
  }

  /** The folders and links in a folder that lies outside of the workspace, of so many folders in all. */
  async outside(path: string): Promise<readonly DiskEntry[]> {
    if (this.#outsideLeft-- <= 0) return [];
    const { files, labels } = this.#places;
    const real = await files.realPath?.(this.absolute(path), labels.cwd);
    return real ? ((await files.foldersIn?.(real)) ?? []).slice(0, mostEntries) : [];
  }

  #look(path: string): Promise<Standing> {
    let standing = this.#standing.get(path);
    if (!standing) this.#standing.set(path, (standing = this.#find(path)));
    return standing;
  }

  async #find(path: string): Promise<Standing> {
    const { files } = this.#places;
    const plain = await this.#plain(path);
    if (plain === undefined) return { type: 'unknown' };
    for (const folder of files.folders()) {
      const root = folder.path.replaceAll('\\', '/').replace(/(?<!\/)\/+$/, '');
      if (plain !== root && !plain.startsWith(`${root}/`)) continue;
      try {
        const at = await files.canonical({ folder, path: plain.slice(root.length + 1) }, { follow: true });
        const stat = await files.stat(at);
        if (!stat) return { type: 'nothing' };
        return stat.type === 'directory' ? { type: 'folder', at } : { type: 'file' };
      } catch (error) {
        if (isToolError(error) && /^(?:not_found|not_a_directory)$/.test(error.data.code)) return { type: 'nothing' };
        // None of ours: it may lie in another folder.
      }
    }
    return { type: 'unknown' };
  }

  /** An absolute path without points in it. Where it goes up, the disk is asked, which goes through links first. */
  async #plain(path: string): Promise<string | undefined> {
    const { files, labels } = this.#places;
    const written = this.#slashed(path);
    const isWhole = /^(?:[/~]|[a-z]:\/)/i.test(written) || labels.cwd === undefined;
    const absolute = isWhole ? written : `${this.#slashed(labels.cwd)}/${written}`;
    if (/^~|(?:^|\/)\.\.(?:\/|$)/.test(absolute)) return (await files.realPath?.(absolute, labels.cwd)) ?? undefined;
    return resolveDots(absolute);
  }

  #slashed(path: string): string {
    return this.#places.files.style === 'windows' ? path.replaceAll('\\', '/') : path;
  }
}
