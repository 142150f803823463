import * as vscode from 'vscode';
import { type Event, Emitter } from '../core/base/event';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import { isInsideWorkspace, type PromptSource, type PromptText, promptTextOf } from '../core/promptText';

/**
 * Base prompts that stand in files of the workspace. A file is read when it is first asked for and followed from then on;
 * `onDidChange` tells when there is something new to ask for.
 */
export class PromptFiles implements Disposable, PromptSource {
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  readonly #texts = new Map<string, PromptText>();
  readonly #readings = new Map<string, number>();
  #watchers = new DisposableStore();
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor() {
    this.#store.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#watchers.dispose();
        this.#watchers = new DisposableStore();
        for (const path of this.#texts.keys()) {
          this.#follow(path);
          void this.#load(path);
        }
      }),
    );
  }

  /** What is known of a workspace-relative file; where several folders are open its path begins with the folder's name. */
  read(path: string): PromptText {
    const known = this.#texts.get(path);
    if (known) return known;
    const pending: PromptText = { type: 'pending' };
    this.#texts.set(path, pending);
    this.#follow(path);
    void this.#load(path);
    return pending;
  }

  #follow(path: string): void {
    const place = placeOf(path);
    if (!place) return;
    const watcher = this.#watchers.add(vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(place.folder, place.rest)));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete])
      this.#watchers.add(event(() => void this.#load(path)));
  }

  async #load(path: string): Promise<void> {
    // What an earlier reading saw may be older, whichever ends first.
    const reading = (this.#readings.get(path) ?? 0) + 1;
    this.#readings.set(path, reading);
    const now = await readPrompt(path);
    if (this.#store.isDisposed || this.#readings.get(path) !== reading) return;
    const before = this.#texts.get(path);
    this.#texts.set(path, now);
    if (JSON.stringify(before) !== JSON.stringify(now)) this.#changed.fire();
  }

  dispose(): void {
    this.#watchers.dispose();
    this.#store.dispose();
  }
}

async function readPrompt(path: string): Promise<PromptText> {
  if (!isInsideWorkspace(path)) return { type: 'unreadable', reason: 'is not a path inside the workspace' };
  const place = placeOf(path);
  if (!place)
    return {
      type: 'unreadable',
      reason: vscode.workspace.workspaceFolders?.length
        ? 'must begin with the name of a workspace folder'
        : 'cannot be read without an open folder',
    };
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(place.folder.uri, place.rest));
    return promptTextOf(new TextDecoder().decode(bytes).replace(/^\ufeff/, ''));
  } catch (error) {
    const missing = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
    return {
      type: 'unreadable',
      reason: missing ? 'does not exist' : `cannot be read (${error instanceof Error ? error.message : String(error)})`,
    };
  }
}

/** The folder and the path within it: with one folder open the whole path, with several the folder's name comes first. */
function placeOf(path: string): { readonly folder: vscode.WorkspaceFolder; readonly rest: string } | undefined {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const [only] = folders;
  if (!only || !isInsideWorkspace(path)) return undefined;
  if (folders.length === 1) return { folder: only, rest: path };
  const [name, ...rest] = path.split(/[/\\]/);
  const folder = folders.find((one) => one.name === name);
  return folder && { folder, rest: rest.join('/') };
}
