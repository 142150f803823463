import * as vscode from 'vscode';
import type { ChangeStore, PlaceState } from '../../core/ports/changes';
import { setLast } from '../../core/base/maps';
import { keptScheme } from './names';

const empty = 'empty';
/** So many texts of files as they were at a moment are held. */
const mostHeld = 20;

/** Shows kept content to the editor's comparisons: bytes as they were, by their hash, that nobody can change. */
export class KeptContent {
  readonly #store: () => Promise<ChangeStore>;
  readonly #held = new Map<string, Uint8Array>();

  constructor(store: () => Promise<ChangeStore>) {
    this.#store = store;
  }

  /** The address of what stood at a place; undefined where that is not kept. @param path begins with `/`. */
  address(path: string, state: PlaceState): vscode.Uri | undefined {
    if (state.kind !== 'file') return this.#uri(path, empty);
    return state.hash === undefined ? undefined : this.#uri(path, state.hash);
  }

  /** The address of content as it is now. */
  hold(path: string, hash: string, bytes: Uint8Array): vscode.Uri {
    setLast(this.#held, hash, bytes, mostHeld);
    return this.#uri(path, hash);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { length } = await this.readFile(uri);
    return {
      type: vscode.FileType.File,
      size: length,
      ctime: 0,
      mtime: 0,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    if (uri.query === empty) return new Uint8Array();
    const bytes = this.#held.get(uri.query) ?? (await (await this.#store()).image(uri.query));
    if (!bytes) throw vscode.FileSystemError.FileNotFound(vscode.l10n.t('This content is no longer kept.'));
    return bytes;
  }

  #uri(path: string, query: string): vscode.Uri {
    return vscode.Uri.from({ scheme: keptScheme, path, query });
  }
}
