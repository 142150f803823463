import * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifecycle';
import { shortName } from '../visible';
import type { Profile } from '../../core/profiles/profile';
import type { ProfileEditor } from '../../core/profiles/profileEditor';
import type { ProfileStore } from '../../core/profiles/profileStore';
import { promptScheme } from '../manifest/promptScheme';

/** What prompts are read from and written to. */
export interface PromptFilesContext {
  readonly profiles: Pick<ProfileStore, 'profiles' | 'onDidChange'>;
  readonly editor: Pick<ProfileEditor, 'change'>;
}

/** The editor's chat does not offer files of this ending as context. */
const unoffered = '/prompt.copilotmd';

/** Where the prompt of a profile is edited; the title is what the manifest has the editor show of the address. */
export function promptUri({ id, name }: Pick<Profile, 'id' | 'name'>): vscode.Uri {
  const title = vscode.l10n.t('Prompt of {0}', shortName(name));
  return vscode.Uri.from({
    scheme: promptScheme,
    path: `/${encodeURIComponent(id)}${unoffered}`,
    query: JSON.stringify({ title }),
  });
}

/**
 * The prompts of profiles as files that are edited and saved like any other. Only what the person has in an editor is
 * written: a save counts as their own hand, which nobody else's write may pass for.
 */
export class PromptFiles extends DisposableStore {
  readonly #context: PromptFilesContext;
  readonly #seen = new Map<string, { readonly text: string; readonly mtime: number }>();

  constructor(context: PromptFilesContext, changed: vscode.EventEmitter<vscode.FileChangeEvent[]>) {
    super();
    this.#context = context;
    this.add(
      context.profiles.onDidChange(() => {
        const open = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === promptScheme);
        changed.fire(open.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })));
      }),
    );
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const { text, mtime } = this.#now(uri);
    return { type: vscode.FileType.File, size: bytesOf(text).length, ctime: 0, mtime };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return bytesOf(this.#now(uri).text);
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const text = new TextDecoder().decode(content);
    const isTyped = vscode.workspace.textDocuments.some(
      (one) => one.uri.toString() === uri.toString() && one.getText() === text,
    );
    if (!isTyped) throw vscode.FileSystemError.NoPermissions(uri);
    const { id, name } = this.#profile(uri);
    const label = vscode.l10n.t('edit {0} of {1}', vscode.l10n.t('Prompt'), name);
    await this.#context.editor.change(id, label, (one) => ({ ...one, systemPrompt: text }));
    if (this.#profile(uri).systemPrompt !== text)
      throw vscode.FileSystemError.Unavailable(
        vscode.l10n.t('The prompt is not in force: review what the workspace changes in this profile first.'),
      );
  }

  /** The prompt as it is, with a time that is another one whenever it has changed. */
  #now(uri: vscode.Uri): { readonly text: string; readonly mtime: number } {
    const { id, systemPrompt } = this.#profile(uri);
    const before = this.#seen.get(id);
    if (before?.text === systemPrompt) return before;
    const now = { text: systemPrompt, mtime: Math.max(Date.now(), (before?.mtime ?? 0) + 1) };
    this.#seen.set(id, now);
    return now;
  }

  #profile(uri: vscode.Uri): Profile {
    const [, id = ''] = uri.path.split('/');
    const found = uri.path.endsWith(unoffered)
      ? this.#context.profiles.profiles().get(decodeURIComponent(id))?.profile
      : undefined;
    // A prompt that stands in a file of the workspace is edited there.
    if (!found || found.systemPromptFile !== undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return found;
  }
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
