import { pathKeys } from '../policy/rules/pathKey';
import { isSecretFile } from '../policy/rules/secretFiles';
import type { Access } from '../vocabulary/access';
import { unpackedName } from '../shell/unpackedName';
import type { ShellPut, ShellReading } from '../shell/shellReading';
import { type DiskFolders, mostEntries } from './diskFolders';
import { filledFolders } from './filledFolders';
import { isMade, mostFolders, namesOnDisk } from './namesOnDisk';
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
    const plain = from.replace(/[\\/]+$/, '');
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
    return isMade || (type === 'unknown' && !/[^/]\.[^/]*$/.test(path)) ? 'either' : 'no';
  }

  async #place(put: ShellPut, { from, to }: Placed, target: string): Promise<void> {
    for (const path of to) if (path !== target) await this.#write(path);
    if (!put.isTree) return;
    const type = await this.#disk.standsAt(from);
    if (type === 'file') return;
    const { names, isWhole } = type === 'folder' ? await this.#below(from) : notListed;
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
    for (const name of put.does === 'links' ? [] : plain) {
      for (const folder of gone) this.accesses.push({ effect: 'fs.delete', resource: within(folder, name) });
      for (const folder of to) await this.#write(`${folder}/${name}`);
    }
    if (isPlain && put.does !== 'links') return;
    // Anything may come to stand below a name that is not one of a file.
    for (const folder of places)
      if (!/[^/]\.[^/]*$/.test(folder)) this.accesses.push({ effect: 'fs.write', resource: within(folder, '**') });
  }

  async #write(path: string): Promise<void> {
    for (const resource of await this.#labelsOf(path)) this.accesses.push({ effect: 'fs.write', resource });
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
  async #below(folder: string): Promise<{ readonly names: readonly string[]; readonly isWhole: boolean }> {
    const names: string[] = [];
    const open = [''];
    for (let at = 0; at < open.length; at++) {
      const under = open[at] ?? '';
      const path = under === '' ? folder : `${folder}/${under}`;
      const entries = await this.#disk.entries(path);
      if (--this.#folders < 0 || entries === undefined) return { names, isWhole: false };
      for (const { name, type } of entries) {
        const inner = under === '' ? name : `${under}/${name}`;
        if (isMade(name, path, true)) continue;
        if (--this.#names < 0) return { names, isWhole: false };
        if (type !== 'directory') names.push(inner);
        // A link may lead to a folder.
        if (type === 'directory' || type === 'symlink') open.push(inner);
      }
    }
    return { names, isWhole: true };
  }
}

/** Of what is not there yet, and of what lies outside of the workspace. */
const notListed = { names: [], isWhole: false } as const;

const within = (folder: string, name: string): string =>
  /^\.?$/.test(folder) ? name : `${folder.replace(/\/+$/, '')}/${name}`;
