import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { nameTable } from '../../../core/base/json';
import { Turns } from '../../../core/base/turns';
import type { FolderCheckpoint } from '../../../core/ports/checkpoints';
import { makeFolder } from '../../folders/makeFolder';
import { foldersAbove } from '../../../core/base/slashPath';
import { bareFolders, foldersAmong, withoutEmpty } from './bareFolders';
import {
  changedModes,
  ignoredWorthKeeping,
  type Sorted,
  sortCandidates,
  stillRecent,
  type UsualModes,
} from './candidates';
import { type FolderState, readState, writeState } from './folderState';
import { type Git, GitFault } from './git';
import { withProcessLock } from '../../processes/processLock';

/** So many files are taken in at once; between, the work can be told and cancelled. */
const filesAtOnce = 2000;
/** From so many on, git is told to write one pack and no file for each. */
const packFrom = 200;
/** Once so much was taken in since the first checkpoint, all is begun anew; in bytes. */
const mostAdded = 512_000_000;
/** So many names are handed over as arguments. */
const namesAtOnce = 200;
/** More files that git refuses mean that something else is wrong. */
const mostRefused = 20;

/** Attributes that a folder of the workspace cannot undo: bytes are kept as they are, and no program is run on them. */
const attributes = '* -text -eol -crlf -ident -filter -working-tree-encoding -diff -merge\n';

/** What is left out where the workspace does not say so itself: what a package manager or an interpreter makes anew. */
const ignored = 'node_modules/\n.venv/\n__pycache__/\n.tox/\n.hg/\n.svn/\n.DS_Store\n';

/** What a tree of git holds at a place. */
interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly id: string;
}

interface TakeFolder {
  readonly isSecret: (path: string) => boolean;
  /** True where nobody needs the earlier checkpoints any more. */
  readonly mayForget: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, all: number) => void;
}

/** Takes checkpoints of one folder of the workspace, with objects and an index of its own below `folder`. */
export class CheckpointFolder {
  readonly #folder: string;
  readonly #root: string;
  readonly #git: Git;
  readonly #usual: UsualModes;
  /** What was last taken in of the files that are kept although they are ignored. */
  #worth: ReadonlyMap<string, string> = new Map();
  /** Those of them whose content was not taken in: they are looked at each time. */
  #left: readonly string[] = [];
  /** Held files of which git does not notice that their permissions change again. */
  #recent: Sorted['recent'] = new Map();
  readonly #turns = new Turns();

  constructor(folder: string, root: string, git: (gitFolder: string) => Git, usual: UsualModes) {
    this.#folder = folder;
    this.#root = root;
    this.#usual = usual;
    this.#git = git(this.#gitFolder);
  }

  get #gitFolder(): string {
    return path.join(this.#folder, 'git');
  }

  get #stateFile(): string {
    return path.join(this.#folder, 'state.json');
  }

  run(args: readonly string[], signal: AbortSignal, stdin?: string): Promise<Buffer> {
    return this.#git({ args, signal, ...(stdin === undefined ? {} : { stdin }) });
  }

  /** What a tree holds at places. */
  async entriesIn(tree: string, paths: readonly string[], signal: AbortSignal): Promise<readonly TreeEntry[]> {
    const found: TreeEntry[] = [];
    for (let from = 0; from < paths.length; from += namesAtOnce) {
      const names = paths.slice(from, from + namesAtOnce);
      const wanted = new Set(names);
      const output = await this.run(['ls-tree', '-z', '-t', '--full-tree', tree, '--', ...names], signal);
      for (const line of namesIn(output)) {
        const [, mode = '', type = '', id = '', name = ''] = /^(\d{6}) (\w+) ([0-9a-f]+)\x09(.*)$/s.exec(line) ?? [];
        if (wanted.has(name)) found.push({ path: name, mode, type, id });
      }
    }
    return found;
  }

  /** Which of some paths a tree holds as folders. */
  async foldersIn(tree: string, paths: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const found = await this.entriesIn(tree, paths, signal);
    return new Set(found.filter(({ type }) => type === 'tree').map((one) => one.path));
  }

  /**
   * One after the other, in the order in which they are asked for: the look after a call comes before the next call's.
   */
  take(options: TakeFolder): Promise<FolderCheckpoint> {
    return this.#turns.take('', () => this.#takeInTurn(options));
  }

  async #takeInTurn(options: TakeFolder): Promise<FolderCheckpoint> {
    makeFolder(this.#folder);
    return withProcessLock(path.join(this.#folder, 'lock'), options.signal, async () => {
      try {
        return await this.#take(options);
      } catch (error) {
        // What a kill or a full disk left behind is made anew, once.
        if (!(error instanceof GitFault)) throw error;
        await this.#forget();
        return this.#take(options);
      }
    });
  }

  async #take(options: TakeFolder): Promise<FolderCheckpoint> {
    const state = await this.#begun(options);
    const { changed, fresh, worth, bareTops } = await this.#look(options.signal);
    const sorted = await sortCandidates(changed, fresh, {
      root: this.#root,
      isSecret: options.isSecret,
      held: state,
      usual: this.#usual,
      signal: options.signal,
    });
    const isChanged = sorted.taken.length + sorted.forgotten.length > 0;
    const ahead = isChanged ? { ...state, tree: '', modes: withModes(state.modes, sorted) } : state;
    // Until the tree is written the index is ahead of it: who is cut short leaves that to be finished.
    if (isChanged) await writeState(this.#stateFile, ahead);
    const refused = await this.#takeIn(sorted, options);
    const { tree, modes } = ahead.tree === '' ? await this.#write(ahead, sorted, options.signal) : ahead;
    // What was left by its last file, and what nothing is taken in of, is known once the index is as the folder is.
    const tops = isChanged && mayMoveTops(sorted, bareTops) ? (await this.#others(options.signal)).tops : bareTops;
    const folders = await bareFolders(this.#root, tops, options.signal);
    this.#worth = worth;
    this.#recent = stillRecent(this.#recent, sorted.recent);
    this.#left = Object.keys(sorted.uncovered).filter((name) => worth.has(name));
    const uncovered = nameTable(sorted.uncovered);
    for (const name of refused) uncovered[name] = { why: 'kind', size: 0, stamp: '' };
    return { root: this.#root, tree, modes, uncovered, ...(folders ? { folders } : {}) };
  }

  async #begun({ mayForget, signal }: TakeFolder): Promise<FolderState> {
    const known = await readState(this.#stateFile);
    if (known && !(mayForget && known.added > mostAdded)) {
      await rm(path.join(this.#gitFolder, 'index.lock'), { force: true });
      return known;
    }
    await this.#forget();
    makeFolder(this.#gitFolder);
    await this.run(['init', '-q', '--template='], signal);
    makeFolder(path.join(this.#gitFolder, 'info'));
    await writeFile(path.join(this.#gitFolder, 'info', 'attributes'), attributes, { mode: 0o600 });
    await writeFile(path.join(this.#gitFolder, 'info', 'exclude'), ignored, { mode: 0o600 });
    return { tree: '', files: 0, bytes: 0, added: 0, modes: nameTable() };
  }

  async #forget(): Promise<void> {
    this.#recent = new Map();
    this.#worth = new Map();
    await rm(this.#stateFile, { force: true });
    await rm(this.#gitFolder, { recursive: true, force: true });
  }

  /** Files that may not be as they are held, files that are not held, and folders that hold none that is. */
  async #look(signal: AbortSignal) {
    const [changed, { names, tops }, worth, modes] = await Promise.all([
      this.run(['diff-files', '-z', '--name-only', '--ignore-submodules=all'], signal),
      this.#others(signal),
      ignoredWorthKeeping(this.#root),
      changedModes(this.#root, this.#recent),
    ]);
    const known = namesIn(changed);
    // A file that became a folder is not named.
    const open = [...(await withoutEmpty(this.#root, tops)), ...(await foldersAmong(this.#root, known))];
    const few = open.length > namesAtOnce ? [] : ['--', ...open];
    const others = ['ls-files', '-z', '--others', '--exclude-standard', ...few];
    const below = open.length === 0 ? [] : namesIn(await this.run(others, signal));
    const touched = [...worth].filter(([name, stamp]) => this.#worth.get(name) !== stamp).map(([name]) => name);
    const unknown = new Set([...names, ...below, ...touched, ...this.#left.filter((name) => worth.has(name))]);
    return { changed: new Set([...known, ...modes]), fresh: [...unknown], worth, bareTops: tops };
  }

  /** Files that are not held, and folders of which nothing is. */
  async #others(signal: AbortSignal): Promise<{ readonly names: readonly string[]; readonly tops: readonly string[] }> {
    const found = partsIn(await this.run(['ls-files', '-z', '--others', '--directory', '--exclude-standard'], signal));
    const tops = found.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
    return { names: found.filter((name) => !name.endsWith('/')), tops };
  }

  /** Answers the files that git refused, such as those that cannot be read. */
  async #takeIn({ taken, forgotten }: Sorted, { signal, onProgress }: TakeFolder): Promise<readonly string[]> {
    if (forgotten.length > 0)
      await this.run(['update-index', '-z', '--force-remove', '--stdin'], signal, listed(forgotten));
    const refused: string[] = [];
    const add = async (names: readonly string[]): Promise<void> => {
      const pack = names.length >= packFrom ? ['-c', 'core.bigFileThreshold=1'] : [];
      try {
        const args = [...pack, 'update-index', '-z', '--add', '--remove', '--replace', '--stdin'];
        await this.run(args, signal, listed(names));
      } catch (error) {
        if (!(error instanceof GitFault) || refused.length >= mostRefused) throw error;
        const [first] = names;
        if (names.length === 1 && first !== undefined) {
          refused.push(first);
          return;
        }
        const half = names.length >> 1;
        await add(names.slice(0, half));
        await add(names.slice(half));
      }
    };
    for (let from = 0; from < taken.length; from += filesAtOnce) {
      if (taken.length > filesAtOnce) onProgress(from, taken.length);
      await add(taken.slice(from, from + filesAtOnce));
    }
    return refused;
  }

  async #write(state: FolderState, { held, bytes }: Sorted, signal: AbortSignal): Promise<FolderState> {
    const tree = (await this.run(['write-tree'], signal)).toString('latin1').trim();
    const next = { ...state, ...held, tree, added: state.files === 0 ? 0 : state.added + bytes };
    await writeState(this.#stateFile, next);
    return next;
  }
}

/** True where other folders than before may hold no file that is held, once this is taken in. */
function mayMoveTops({ taken, forgotten, hasGone }: Sorted, tops: readonly string[]): boolean {
  if (hasGone || tops.length === 0) return hasGone;
  const bare = new Set(tops);
  return forgotten.length > 0 || taken.some((name) => foldersAbove(name).some((above) => bare.has(above)));
}

function withModes(
  known: Readonly<Record<string, number>>,
  { taken, forgotten, modes: found }: Sorted,
): Readonly<Record<string, number>> {
  const modes = nameTable(known);
  for (const name of [...taken, ...forgotten]) {
    const mode = found.get(name);
    if (mode === undefined) delete modes[name];
    else modes[name] = mode;
  }
  return modes;
}

const listed = (names: readonly string[]): string => names.map((name) => `${name}\0`).join('');

/** Names that are no UTF-8 are left out. */
const partsIn = (output: Buffer): readonly string[] =>
  output
    .toString('utf8')
    .split('\0')
    .filter((name) => name !== '' && !name.includes('\ufffd'));

/** The same without folders, which are other repositories. */
const namesIn = (output: Buffer): readonly string[] => partsIn(output).filter((name) => !name.endsWith('/'));
