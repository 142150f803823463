import { pathKeys } from '../policy/rules/pathKey';
import { isSecretFile } from '../policy/rules/secretFiles';
import type { Access } from '../vocabulary/access';
import { unpackedName } from '../shell/unpackedName';
import type { ShellPut, ShellReading } from '../shell/shellReading';
import { type DiskFolders, mostEntries } from './diskFolders';
import { filledFolders } from './filledFolders';
import { isMade, mostFolders, namesOnDisk } from './namesOnDisk';
import { leavesOut } from '../shell/leftOut';
import { isGoverningFile } from '../policy/rules/governingFiles';
import type { PlaceLabels } from './placeLabels';

/** Where the files go that the commands of a line put somewhere. */
export interface PutsOnDisk {
  readonly accesses: readonly Access[];
  /** Targets whose sources could not be listed as a whole. */
  readonly unlisted: readonly string[];
}

/**
 * What becomes of files whose new names only the disk tells: a copy into a folder, with all below a folder that is
 * copied. The nearest to the top and what begins with a point come first; of the whole line, as many folders and names
 * are looked at as for one pattern.
 */
export async function putsOnDisk(
  reading: ShellReading,
  disk: DiskFolders,
  labels: PlaceLabels,
  seesDots: boolean,
): Promise<PutsOnDisk> {
  const listing = new PutListing(reading, disk, labels, seesDots);
  for (const put of reading.puts) await listing.add(put);
  return listing;
}

/** A file or folder that is taken, and the places where it comes to stand. */
interface Placed {
  readonly from: string;
  readonly to: readonly string[];
}

class PutListing implements PutsOnDisk {
  readonly accesses: Access[] = [];
  readonly unlisted: string[] = [];
  readonly #reading: ShellReading;
  readonly #disk: DiskFolders;
  readonly #labels: PlaceLabels;
  readonly #seesDots: boolean;
  /** Folders that the line makes, as far as it is read. */
  readonly #made: Set<string>;
  readonly #links = new Map<string, Promise<ReadonlySet<string> | undefined>>();
  #folders = mostFolders;
  #names = mostEntries;

  constructor(reading: ShellReading, disk: DiskFolders, labels: PlaceLabels, seesDots: boolean) {
    this.#reading = reading;
    this.#disk = disk;
    this.#labels = labels;
    this.#seesDots = seesDots;
    const made = reading.accesses.flatMap(({ effect, resource, recursive, words }) =>
      effect === 'fs.write' && (recursive === true || /^(?:mkdir|md)\s/.test(words)) ? [resource] : [],
    );
    this.#made = new Set(made.map((path) => disk.absolute(path)));
  }

  async add(put: ShellPut): Promise<void> {
    const { names: sources, isOpen } = await this.#named(put.from, put.isPattern);
    if (put.into === 'beside') {
      for (const from of sources) {
        const to = unpackedName(from);
        if (to !== undefined) await this.#write(to);
      }
      return;
    }
    for (const to of (await this.#named(put.to, put.isPatternTo)).names)
      for (const from of sources) {
        if (--this.#names < 0) return void this.unlisted.push(put.to);
        await this.#place(put, { from, to: await this.#targets(put, from, to) }, to);
      }
    if (put.isTree) this.#made.add(this.#disk.absolute(put.to));
    // What a folder that cannot be listed holds may go there.
    if (put.isTree && isOpen) this.unlisted.push(put.to);
  }

  /** What a path or a pattern stands for; open where that cannot be told as a whole. */
  async #named(
    path: string,
    isPattern: boolean,
  ): Promise<{ readonly names: readonly string[]; readonly isOpen: boolean }> {
    if (!isPattern) return { names: [path], isOpen: false };
    const search = { seesDots: this.#seesDots, changes: true, isFilled: () => false };
    const found = await namesOnDisk(path, this.#disk, search);
    const names = found.filter(({ certainty }) => certainty === 'there').map(({ path: name }) => name);
    return { names, isOpen: names.length < found.length };
  }

  /** Where a source comes to stand, in each way that its target may be meant. */
  async #targets({ into, keepsPath, isTree }: ShellPut, from: string, to: string): Promise<readonly string[]> {
    const plain = from.replace(/(?<![\\/])[\\/]+$/, '');
    const name = plain.split(/[\\/]/).at(-1) ?? '';
    const holds = into === 'itself' ? 'no' : into === 'folder' ? 'yes' : await this.#mayHold(to);
    // `x/.` is what is in x; so is `x/`, for some programs.
    const inside = /^\.{0,2}$/.test(name) ? [to] : [...(plain === from ? [] : [to]), `${to}/${name}`];
    const kept = from.replace(/^.*\/\.\//, '').replace(/^(?:\.?\/)+/, '');
    return [
      ...new Set([
        ...(holds === 'yes' || !isTree ? [] : [to]),
        ...(holds === 'no' ? [] : inside),
        ...(keepsPath ? [`${to}/${kept}`] : []),
      ]),
    ].map((path) => path.replace(/\/{2,}/g, '/'));
  }

  /** Whether a target is a folder that takes what is put there under its own name. */
  async #mayHold(path: string): Promise<'yes' | 'no' | 'either'> {
    const type = await this.#disk.standsAt(path);
    if (type === 'folder') return 'yes';
    if (type === 'file') return 'no';
    const place = this.#disk.absolute(path);
    const isMade = [...this.#made].some((made) => made === place || made.startsWith(`${place}/`));
    // Outside of the workspace nobody can look: a name without an ending is one of a folder there.
    return isMade || (type === 'unknown' && !hasEnding(path)) ? 'either' : 'no';
  }

  async #place(put: ShellPut, { from, to }: Placed, target: string): Promise<void> {
    for (const path of to)
      if (path !== target) await this.#write(path, from, (await this.#isThrownAway(path)) ? 'thrownAway' : undefined);
    if (!put.isTree) return;
    const type = await this.#disk.standsAt(from);
    if (type === 'file') return;
    // A folder that is open takes what nobody can list: a person may say so.
    if (type === 'unknown' && to.some((path) => this.#disk.isOpen(path)))
      this.accesses.push({ effect: 'system.exec', resource: put.words });
    const { names, isWhole } = type === 'folder' ? await this.#below(from, put) : notListed;
    const gone = put.does === 'moves' ? await this.#labels.ofSuspect(from) : [];
    const places = (await Promise.all(to.map((path) => this.#labels.ofSuspect(path)))).flat();
    const isSecret = (name: string): boolean =>
      places.some((folder) => isSecretFile(pathKeys(within(folder, name)))) || isSecretFile(pathKeys(name));
    const plain = names.filter((name) => !isSecret(name));
    const isPlain = isWhole && plain.length === names.length;
    // A folder is no reason to deny what lies in it: a person may say so.
    if (plain.length < names.length) this.accesses.push({ effect: 'system.exec', resource: put.words });
    // What is not there yet and comes out of a program that is not understood asks as such.
    const isOpen = type === 'nothing' ? filledFolders(this.#reading, this.#disk, this.unlisted)(from) : !isPlain;
    if (isOpen) this.unlisted.push(...to);
    const isOurs = this.#disk.isOpen(from) && !(await this.#bringsHook(from, names, isWhole));
    const targets = await Promise.all(
      to.map(async (folder) => {
        if (await this.#isThrownAway(folder)) return { folder, place: 'thrownAway' } as const;
        return isOurs && !this.#disk.isOpen(folder) ? ({ folder, place: 'ours' } as const) : { folder };
      }),
    );
    for (const name of put.does === 'links' ? [] : plain) {
      for (const folder of gone) this.accesses.push({ effect: 'fs.delete', resource: within(folder, name) });
      for (const { folder, place } of targets) await this.#write(`${folder}/${name}`, within(from, name), place);
    }
    if (isPlain && put.does !== 'links') return;
    // Anything may come to stand below a name that is not one of a file.
    for (const folder of places)
      if (!hasEnding(folder)) this.#tell(within(folder, '**'), await this.#isThrownAway(folder));
  }

  /**
   * @param from what it was before, where it is taken from the disk.
   * @param place where it comes to stand: a governing file that keeps its name governs nothing in a folder that is
   * thrown away, nor in a copy of the whole workspace within it, where none stood before. There only rules that deny
   * have a say.
   */
  async #write(path: string, from?: string, place?: 'thrownAway' | 'ours'): Promise<void> {
    const labels = await this.#labelsOf(path);
    const isIdle =
      place !== undefined &&
      from !== undefined &&
      isGoverningFile(pathKeys(from)) &&
      (place === 'thrownAway' || (labels.length === 1 && (await this.#disk.standsAt(path)) === 'nothing'));
    for (const resource of labels) this.#tell(resource, isIdle);
  }

  #tell(resource: string, isIdle: boolean): void {
    this.accesses.push({ effect: 'fs.write', resource, ...(isIdle ? { suspected: 'written' } : {}) });
  }

  /** True for a folder with what git runs by itself; the samples that it puts there do nothing. */
  async #bringsHook(folder: string, names: readonly string[], isWhole: boolean): Promise<boolean> {
    if (names.some((name) => isHook.test(name))) return true;
    const hooks = isWhole ? [] : await this.#disk.entries(`${folder}/.git/hooks`);
    return hooks?.every(({ name }) => name.endsWith('.sample')) !== true;
  }

  /** True for a folder in which nobody works: one below those that the system clears. */
  async #isThrownAway(folder: string): Promise<boolean> {
    const labels = await this.#labels.ofSuspect(folder);
    const isOurs = await Promise.all(labels.map((one) => this.#disk.holdsOurs(one)));
    return labels.every((one, at) => thrownAway.test(one) && isOurs[at] === false);
  }

  /** Names a new file by its folder, which is looked up once for all of them; one that is a link there by itself. */
  async #labelsOf(path: string): Promise<readonly string[]> {
    const [, folder = '.', name = path] = /^(.*)\/([^/]+)$/s.exec(path) ?? [];
    const links = /^\.{0,2}$/.test(name) || folder === '' ? undefined : await this.#linksIn(folder);
    if (!links || links.has(name.toLowerCase())) return this.#labels.ofSuspect(path);
    return (await this.#labels.ofSuspect(folder)).map((label) => within(label, name));
  }

  /** The links in a folder, in small letters; undefined where not all of them are known. */
  #linksIn(folder: string): Promise<ReadonlySet<string> | undefined> {
    let links = this.#links.get(folder);
    if (!links) {
      const listed = this.#disk.entries(folder);
      links = listed.then((entries) =>
        entries && entries.length < mostEntries
          ? new Set(entries.flatMap(({ name, type }) => (type === 'symlink' ? [name.toLowerCase()] : [])))
          : undefined,
      );
      this.#links.set(folder, links);
    }
    return links;
  }

  /** The files below a folder, the nearest first. */
  async #below(
    folder: string,
    { leftOut, keepsPath }: ShellPut,
  ): Promise<{ readonly names: readonly string[]; readonly isWhole: boolean }> {
    const names: string[] = [];
    const isLeftOut = leavesOut(leftOut ?? [], folder, keepsPath);
    const open = [''];
    let isWhole = true;
    for (let at = 0; at < open.length; at++) {
      const under = open[at] ?? '';
      const path = under === '' ? folder : `${folder}/${under}`;
      const entries = await this.#disk.entries(path);
      if (--this.#folders < 0) return { names, isWhole: false };
      isWhole &&= entries !== undefined;
      for (const { name, type } of entries ?? []) {
        const inner = under === '' ? name : `${under}/${name}`;
        if (isMade(name, path, true) || isLeftOut(inner)) continue;
        if (--this.#names < 0) return { names, isWhole: false };
        if (type !== 'directory') names.push(inner);
        // A link may lead to a folder.
        if (type === 'directory' || type === 'symlink') open.push(inner);
      }
    }
    return { names, isWhole };
  }
}

const thrownAway = /^\/(?:private\/)?(?:tmp|var\/(?:tmp|folders))\/./;

const isHook = /(?:^|\/)(?:\.git\/hooks|\.husky|\.?git-?hooks)\/(?!.*\.sample$)/i;

/** Of what is not there yet, and of what lies outside of the workspace. */
const notListed = { names: [], isWhole: false } as const;

const hasEnding = (path: string): boolean => path.lastIndexOf('.') > path.lastIndexOf('/') + 1;

const within = (folder: string, name: string): string =>
  /^\.?$/.test(folder) ? name : `${folder.replace(/(?<!\/)\/+$/, '')}/${name}`;
