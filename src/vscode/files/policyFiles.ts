import * as vscode from 'vscode';
import { type Event, Emitter } from '../../core/base/event';
import { DisposableStore } from '../../core/base/lifecycle';
import { say } from '../../core/base/sentence';
import type { PolicyFile } from '../../core/policy/rules/boundaryFile';
import type { Log } from '../../core/ports/platform';
import { fileText, isMissing } from './fileText';
import { type LocalFiles, settledMs } from './localFiles';
import { shownPath } from './namedFile';
import { isPolicyFolder, type PolicyFolders } from './policyFolders';

/** A larger file holds no rules. */
const mostBytes = 1_000_000;

export interface PolicyFilesOptions {
  /** Picks the files by their names. */
  readonly accepts: (name: string) => boolean;
  readonly folders: Pick<PolicyFolders, 'onDidChange'>;
  readonly log: Log;
  /** Reads nothing but regular files of a bounded size. */
  readonly local: LocalFiles;
}

/**
 * Files of `.vscode/capabilities` in every workspace folder, read before anything is judged and again whenever one
 * changes. A file that is there but cannot be read says why; whoever judges by it keeps what it said before (invariant:
 * nothing lost). Rules only tighten, so an untrusted workspace's count too.
 */
export class PolicyFiles extends DisposableStore {
  readonly #changed = this.add(new Emitter<void>());
  readonly #accepts: (name: string) => boolean;
  readonly #log: Log;
  readonly #local: LocalFiles;
  #files: readonly PolicyFile[] = [];
  /** What the files' times and sizes were just before they were read; undefined where those do not tell enough. */
  #stamp: string | undefined;
  #latest = 0;
  #refreshing: Promise<void> = Promise.resolve();
  readonly onDidChange: Event<void> = this.#changed.event;

  private constructor({ accepts, folders, log, local }: PolicyFilesOptions) {
    super();
    this.#local = local;
    this.#accepts = accepts;
    this.#log = log;
    this.add(
      folders.onDidChange((uris) => {
        if (uris.some((uri) => isPolicyFolder(uri) || accepts(nameOf(uri)))) void this.#refresh();
      }),
    );
    this.add(vscode.workspace.onDidChangeWorkspaceFolders(() => void this.#refresh()));
  }

  static async open(options: PolicyFilesOptions): Promise<PolicyFiles> {
    const files = new PolicyFiles(options);
    await files.#read();
    return files;
  }

  read(): readonly PolicyFile[] {
    return this.#files;
  }

  /**
   * Reads the files again where one changed since. The editor tells of changes late, and under load seconds late; what
   * is judged now is judged by what the files say now. Only files of this machine are looked at, because asking a
   * virtual folder can take as long as the call, and what could not be read: whatever serves a virtual folder may have
   * come only now.
   */
  async refresh(): Promise<void> {
    const isUnread = this.#files.some(({ fault }) => fault !== undefined);
    const stamp = isUnread ? undefined : await this.#currentStamp();
    if (stamp === undefined || stamp !== this.#stamp) await this.#refresh();
    else await this.#refreshing;
  }

  #refresh(): Promise<void> {
    return (this.#refreshing = this.#readAndTell());
  }

  async #readAndTell(): Promise<void> {
    const read = await this.#read();
    if (read === 'changed') this.#changed.fire();
    // A later reading knows more than this one.
    else if (read === 'overtaken') await this.#refreshing;
  }

  async #currentStamp(): Promise<string | undefined> {
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => policyFolder(uri)).filter(isLocal);
    try {
      return together(
        await Promise.all(folders.map(async (folder) => this.#stampOf(folder, await this.#namesIn(folder)))),
      );
    } catch {
      // One cannot be listed.
      return undefined;
    }
  }

  /** The names of files that count; none where the folder is missing. */
  async #namesIn(folder: vscode.Uri): Promise<readonly string[]> {
    if (isLocal(folder)) return ((await this.#local.names(folder.fsPath)) ?? []).filter(this.#accepts);
    try {
      return (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name).filter(this.#accepts);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Of these files in a folder of this machine; undefined where it tells too little to go by. */
  async #stampOf(folder: vscode.Uri, names: readonly string[]): Promise<string | undefined> {
    try {
      const stamps = await Promise.all(
        names.map((name) => this.#local.stamp(vscode.Uri.joinPath(folder, name).fsPath)),
      );
      const isSettled = stamps.every(({ at }) => Date.now() - at > settledMs);
      return isSettled ? stamps.map(({ text }, index) => `${names[index]}:${text}`).join('|') : undefined;
    } catch {
      // One went while it was looked at.
      return undefined;
    }
  }

  /**
   * `overtaken` where a later change began another reading: what an earlier one saw may be older, whichever ends first.
   */
  async #read(): Promise<'changed' | 'same' | 'overtaken'> {
    const reading = ++this.#latest;
    const folders = vscode.workspace.workspaceFolders ?? [];
    const read = await Promise.all(folders.map(({ uri }) => this.#readFolder(policyFolder(uri))));
    if (reading !== this.#latest) return 'overtaken';
    const before = JSON.stringify(this.#files);
    this.#files = read.flatMap(({ files }) => files);
    this.#stamp = together(read.map(({ stamp }) => stamp).filter((stamp) => stamp !== 'virtual'));
    return JSON.stringify(this.#files) === before ? 'same' : 'changed';
  }

  /** Its files, and what their times and sizes were just before. */
  async #readFolder(folder: vscode.Uri): Promise<ReadFolder> {
    let names: readonly string[];
    try {
      names = await this.#namesIn(folder);
    } catch (error) {
      this.#log.warn(`${folder.toString()} cannot be read: ${String(error)}`);
      const kept = this.#files.filter((file) => file.path.startsWith(shownPath(folder)));
      const path = shownPath(vscode.Uri.joinPath(folder, 'boundaries.json'));
      const files = kept.length > 0 ? kept : [{ path, text: '', fault: say('file_in_closed_folder') }];
      return { files, stamp: isLocal(folder) ? undefined : 'virtual' };
    }
    const stamp = isLocal(folder) ? await this.#stampOf(folder, names) : 'virtual';
    const workspace = vscode.Uri.joinPath(folder, '..', '..');
    const read = await Promise.all(names.map((name) => this.#readFile(vscode.Uri.joinPath(folder, name), workspace)));
    return { files: read.filter((file) => file !== undefined), stamp };
  }

  async #readFile(file: vscode.Uri, workspace: vscode.Uri): Promise<PolicyFile | undefined> {
    const path = shownPath(file);
    if (isLocal(file)) {
      const read = this.#local.read(file.fsPath, { within: workspace.fsPath });
      if (read.type === 'absent') return undefined;
      return read.type === 'text' ? { path, text: read.text } : { path, text: '', fault: read.fault };
    }
    try {
      const { type, size } = await vscode.workspace.fs.stat(file);
      if ((type & ~vscode.FileType.SymbolicLink) !== vscode.FileType.File)
        return { path, text: '', fault: say('file_is_none') };
      if (size > mostBytes) return { path, text: '', fault: say('file_bytes', mostBytes) };
      return { path, text: await fileText(file) };
    } catch (error) {
      if (isMissing(error)) return undefined;
      this.#log.warn(`${path} cannot be read: ${String(error)}`);
      return { path, text: '', fault: say('file_not_opened') };
    }
  }
}

interface ReadFolder {
  readonly files: readonly PolicyFile[];
  /** `virtual` for a folder that is not of this machine: it is not looked at before every call. */
  readonly stamp: string | undefined;
}

const isLocal = ({ scheme }: vscode.Uri): boolean => scheme === 'file';

/** Several stamps as one, where each tells enough. */
const together = (stamps: readonly (string | undefined)[]): string | undefined =>
  stamps.includes(undefined) ? undefined : stamps.join('\n');

const nameOf = (uri: vscode.Uri): string => uri.path.slice(uri.path.lastIndexOf('/') + 1);
const policyFolder = (workspace: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(workspace, '.vscode', 'capabilities');
