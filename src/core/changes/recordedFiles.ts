import { joinedBytes } from '../base/bytes';
import { ForwardingFiles } from '../files/forwardingFiles';
import { displayPath, missingFolders, splitPath } from '../files/paths';
import type { PlaceState } from '../ports/changes';
import type { DeleteOptions, FileSystem, FolderOptions, Made, MoveOptions, WriteOptions } from '../ports/files';
import type { WorkspacePath } from '../ports/workspacePath';
import { toolError } from '../vocabulary/errors';
import { changePlace, isSameName, openPlace } from './changePlace';
import { deletedStates } from './deletedStates';
import type { CallRecorder, Told } from './recorder';

const nothing: PlaceState = { kind: 'nothing' };
const folderState: PlaceState = { kind: 'folder' };

/** The files of one call: what it changes through them is kept first, so that it can be taken back. */
export class RecordedFiles extends ForwardingFiles {
  readonly #recorder: CallRecorder;
  readonly #isSecret: (path: WorkspacePath) => boolean;

  /** @param isSecret names the files whose content is not kept. */
  constructor(files: FileSystem, recorder: CallRecorder, isSecret: (path: WorkspacePath) => boolean) {
    super(files);
    this.#recorder = recorder;
    this.#isSecret = isSecret;
  }

  override async writeFile(path: WorkspacePath, content: Uint8Array, options: WriteOptions = {}): Promise<Made> {
    const size = options.append === true ? ((await this.files.stat(path))?.size ?? 0) : 0;
    if (size > this.#recorder.mostBytes) {
      const [before, after] = [sized(size), sized(size + content.length)];
      return this.#recorded([{ ...changePlace(path), action: 'write', before, after, notKept: 'too_large' }], () =>
        this.files.writeFile(path, content, options),
      );
    }
    const made: WorkspacePath[] = [];
    let ids: readonly string[] = [];
    const check = (current: Uint8Array | undefined): void => {
      if (options.mustCreate && current !== undefined)
        throw toolError('already_exists', `\`${displayPath(path, this)}\` is there already`);
      options.check?.(current);
      const after = options.append && current ? joinedBytes(current, content) : content;
      ids = this.#recorder.begin([...made.map(madeFolder), this.#written(path, current, after, bits)]);
    };
    const bits = await this.#bits(path, options);
    const onFolder = (folder: WorkspacePath): void => {
      made.push(folder);
      options.onFolder?.(folder);
    };
    return this.#ended(
      () => ids,
      () => this.files.writeFile(path, content, { ...options, check, onFolder }),
    );
  }

  override async makeDirectory(path: WorkspacePath, options?: FolderOptions): Promise<Made> {
    const missing = await missingFolders(this.files, path);
    return this.#recorded(missing.map(madeFolder), () => this.files.makeDirectory(path, options));
  }

  override async makeLink(path: WorkspacePath, target: string): Promise<void> {
    return this.#recorded(
      [{ ...changePlace(path), action: 'write', before: nothing, after: { kind: 'link', target } }],
      () => super.makeLink(path, target),
    );
  }

  override async delete(path: WorkspacePath, options: DeleteOptions): Promise<void> {
    const found = await this.#deletedStates(path, options.recursive);
    const ids = this.#recorder.begin(found);
    try {
      await this.files.delete(path, options);
    } catch (error) {
      await this.#endDeleted(found, ids);
      throw error;
    }
    // With a judge, some of it may have stayed.
    if (options.judge) await this.#endDeleted(found, ids);
    else this.#recorder.end(ids);
  }

  override async rename(from: WorkspacePath, to: WorkspacePath, options: MoveOptions): Promise<void> {
    const moving = await this.files.stat(from);
    const replaced = options.overwrite && !isSameName(from, to, this) ? await this.files.stat(to) : undefined;
    const parent = splitPath(to)?.parent;
    const missing = parent ? await missingFolders(this.files, parent) : [];
    const told: Told[] = missing.map(madeFolder);
    if (replaced && replaced.type !== 'directory') told.push(...(await this.#deletedStates(to, false)));
    if (moving) {
      const state: PlaceState =
        moving.type === 'directory'
          ? folderState
          : moving.type === 'file'
            ? sized(moving.size)
            : { kind: moving.type === 'symlink' ? 'link' : 'other' };
      told.push({ ...changePlace(from), action: 'move', to: changePlace(to), before: state, after: nothing });
    }
    return this.#recorded(told, () => this.files.rename(from, to, options));
  }

  /** Does what is told. */
  async #recorded<T>(told: readonly Told[], work: () => Promise<T>): Promise<T> {
    const ids = told.length === 0 ? [] : this.#recorder.begin(told);
    return this.#ended(() => ids, work);
  }

  async #ended<T>(ids: () => readonly string[], work: () => Promise<T>): Promise<T> {
    try {
      const done = await work();
      this.#recorder.end(ids());
      return done;
    } catch (error) {
      this.#recorder.end(ids(), true);
      throw error;
    }
  }

  #deletedStates(path: WorkspacePath, isRecursive: boolean): Promise<readonly Told[]> {
    return deletedStates(this.files, path, { recorder: this.#recorder, isSecret: this.#isSecret, isRecursive });
  }

  async #endDeleted(found: readonly Told[], ids: readonly string[]): Promise<void> {
    for (const [index, told] of found.entries()) {
      const place = openPlace(told, this);
      const id = ids[index];
      if (!place || id === undefined) continue;
      const stays = await this.files.stat(place).catch(() => undefined);
      this.#recorder.end([id], stays !== undefined);
    }
  }

  /** The permission bits of a file that is replaced by one with others. */
  async #bits(path: WorkspacePath, { mode, mustCreate }: WriteOptions): Promise<Bits | undefined> {
    if (mode === undefined || mustCreate === true) return undefined;
    const was = (await this.files.stat(path))?.mode;
    return was === undefined || was === mode ? undefined : { before: was, after: mode };
  }

  #written(path: WorkspacePath, current: Uint8Array | undefined, after: Uint8Array, bits: Bits | undefined): Told {
    if (this.#isSecret(path))
      return {
        ...changePlace(path),
        action: 'write',
        before: current ? sized(current.length) : nothing,
        after: sized(after.length),
        notKept: 'secret',
      };
    const { crypto } = this.#recorder;
    const [beforeHash, afterHash] = [current && crypto.sha256(current), crypto.sha256(after)];
    return {
      ...changePlace(path),
      action: 'write',
      before: current && beforeHash !== undefined ? fileState(beforeHash, current, bits?.before) : nothing,
      after: fileState(afterHash, after, bits?.after),
      images: [
        ...(current && beforeHash !== undefined ? [{ hash: beforeHash, bytes: current }] : []),
        { hash: afterHash, bytes: after },
      ],
    };
  }
}

/** The permission bits before and after. */
interface Bits {
  readonly before: number;
  readonly after: number;
}

/** A file whose bytes are not kept. */
const sized = (size: number): PlaceState => ({ kind: 'file', size });

const fileState = (hash: string, bytes: Uint8Array, mode: number | undefined): PlaceState => ({
  kind: 'file',
  hash,
  size: bytes.length,
  ...(mode === undefined ? {} : { mode }),
});

const madeFolder = (folder: WorkspacePath): Told => ({
  ...changePlace(folder),
  action: 'make_folder',
  before: nothing,
  after: folderState,
});
