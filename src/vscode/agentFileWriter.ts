import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../core/base/lifecycle';
import { agentFileName, agentFileText, agentName, ownership } from '../core/agent/agentFile';
import { offeredTools } from '../core/offered';
import type { Crypto, KeyValueStore, Log } from '../core/ports';
import type { AgentSystem } from '../core/system';
import { agentToolNames } from './agentToolNames';
import type { ReadOnlyText } from './readOnlyText';

const writtenKey = 'customAgent.written';
/** A profile changes in bursts; the file is written once for each. */
const burstMs = 300;

export interface AgentFileOptions {
  readonly core: AgentSystem;
  readonly crypto: Crypto;
  readonly storage: KeyValueStore;
  readonly log: Log;
  readonly texts: ReadOnlyText;
  /** The user's folder of agents. */
  readonly userFolder: vscode.Uri;
  readonly extensionId: string;
}

/**
 * Keeps the active profile as a custom agent of the editor. Only the active one exists; a file that a person changed is never written over:
 * the person is shown the difference and decides.
 */
export class AgentFileWriter implements Disposable {
  readonly #options: AgentFileOptions;
  readonly #store = new DisposableStore();
  readonly #declined = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: AgentFileOptions) {
    this.#options = options;
    this.#store.add(options.core.onDidChange(() => this.#schedule()));
    this.#schedule();
  }

  /** The agent's name in the editor's list, after its file has been brought up to date. */
  async current(): Promise<string> {
    await this.write();
    return agentName(this.#options.core.profiles.active().profile.name);
  }

  /** Writes the file now, after what is being written. */
  write(): Promise<void> {
    this.#running = this.#running
      .then(() => this.#write())
      .catch((error: unknown) => this.#options.log.warn(`the custom agent was not written: ${String(error)}`));
    return this.#running;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.write(), burstMs);
  }

  #folder(): vscode.Uri | undefined {
    const where = this.#options.core.settings().string('customAgent.location');
    if (where === 'off') return undefined;
    if (where === 'user') return this.#options.userFolder;
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    return folder && vscode.Uri.joinPath(folder, '.github', 'agents');
  }

  #text(): string {
    const { core, crypto, extensionId } = this.#options;
    const profile = core.profiles.active();
    const names = offeredTools(profile).flatMap((tool) => agentToolNames(tool, extensionId));
    return agentFileText({ agent: core.runtimeAgent(), description: profile.profile.description, tools: [...new Set(names)] }, (text) =>
      crypto.sha256(text),
    );
  }

  async #write(): Promise<void> {
    const { core, storage } = this.#options;
    const folder = this.#folder();
    const target = folder && vscode.Uri.joinPath(folder, agentFileName(core.profiles.active().id));
    const before = storage.get(writtenKey);
    if (typeof before === 'string' && before !== target?.toString()) await this.#remove(vscode.Uri.parse(before));
    if (!target) {
      await storage.set(writtenKey, undefined);
      return;
    }
    const text = this.#text();
    const existing = await readText(target);
    if (existing === text) return void (await storage.set(writtenKey, target.toString()));
    if (existing !== undefined && ownership(existing, (one) => this.#options.crypto.sha256(one)) !== 'ours')
      return this.#offer(target, text);
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
    await storage.set(writtenKey, target.toString());
  }

  /** Takes away a file of ours; one that a person changed stays. */
  async #remove(file: vscode.Uri): Promise<void> {
    const text = await readText(file);
    if (text !== undefined && ownership(text, (one) => this.#options.crypto.sha256(one)) === 'ours') await vscode.workspace.fs.delete(file);
  }

  async #offer(target: vscode.Uri, text: string): Promise<void> {
    const key = `${target.toString()} ${this.#options.crypto.sha256(text)}`;
    if (this.#declined.has(key)) return;
    this.#declined.add(key);
    const compare = vscode.l10n.t('Show Difference');
    const replace = vscode.l10n.t('Replace');
    const ask = async (): Promise<void> => {
      const answer = await vscode.window.showWarningMessage(
        vscode.l10n.t('{0} was changed by hand, so the profile is not written into it.', target.path.split('/').at(-1) ?? ''),
        compare,
        replace,
      );
      if (answer === replace) await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
      else if (answer === compare) {
        const generated = this.#options.texts.put('generated.agent.md', text);
        await vscode.commands.executeCommand('vscode.diff', target, generated, vscode.l10n.t('Yours ↔ generated from the profile'));
        await ask();
      }
    };
    void ask();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
  }
}

async function readText(file: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}
