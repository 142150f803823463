import * as vscode from 'vscode';
import { agentFileName, agentFileText, agentName, type AgentFileTerm, ownership } from '../../core/agent/agentFile';
import { planAgentFile } from '../../core/agent/agentFilePlan';
import type { AgentOfProfile } from '../../core/agent/ownAgent';
import { type AgentFileFault, agentFileFolder, WorkspaceAgentFile } from '../../core/agent/workspaceAgentFile';
import { offeredTools } from '../../core/profiles/offeredTools';
import type { Crypto, KeyValueStore, Log } from '../../core/ports/platform';
import type { FileSystem } from '../../core/ports/files';
import { type Problem, problem } from '../../core/base/problem';
import { say } from '../../core/base/sentence';
import type { Event } from '../../core/base/event';
import type { ProfileStore } from '../../core/profiles/profileStore';
import type { RuntimeAgent } from '../../core/profiles/runtimeAgent';
import type { Settings } from '../../core/settings/settings';
import { agentToolNames } from '../tools/agentToolNames';
import type { ReadOnlyText } from '../files/readOnlyText';
import { uriOf } from '../files/workspaceFiles';
import type { WorkspaceFolder } from '../../core/ports/workspacePath';

const writtenKey = 'customAgent.written';
export interface AgentFileOptions {
  readonly profiles: ProfileStore;
  readonly settings: () => Settings;
  readonly runtimeAgent: () => RuntimeAgent;
  /** The agent of a profile as the user's own parts make it. */
  readonly ownAgent: (profileId: string) => AgentOfProfile | undefined;
  readonly isTrusted: () => boolean;
  readonly report: (surface: string, problems: readonly Problem[]) => void;
  /** Fires when the agent may be another. */
  readonly onDidChange: Event<void>;
  readonly files: FileSystem;
  readonly crypto: Crypto;
  readonly storage: KeyValueStore;
  readonly log: Log;
  readonly texts: ReadOnlyText;
  /** The user's folder of agents. */
  readonly userFolder: vscode.Uri;
  readonly extensionId: string;
}

/** A file of ours: where it is, what it says and whose word decides whether it is still ours. */
interface AgentFile {
  readonly uri: vscode.Uri;
  readonly name: string;
  readonly text: string;
  readonly term: AgentFileTerm;
  /** Left out for the user's own agents. */
  readonly folder?: WorkspaceFolder;
  readonly agentName: string;
}

/** An agent, and what it says of itself. */
interface DescribedAgent extends AgentOfProfile {
  readonly description: string;
}

/**
 * Keeps the active profile as a custom agent of the editor. Only the active one exists; a file that a person changed is
 * never written over: the person is shown the difference and decides. Outside of the workspace stands nothing that
 * comes from it.
 */
export class AgentFileKeeper {
  readonly #options: AgentFileOptions;
  readonly #declined = new Set<string>();
  readonly #workspace: WorkspaceAgentFile;
  #hasSwept = false;

  constructor(options: AgentFileOptions) {
    this.#options = options;
    this.#workspace = new WorkspaceAgentFile(options.files, (text) => options.crypto.sha256(text));
  }

  #text({ profile, agent, description }: DescribedAgent, term: AgentFileTerm = 'lasting'): string {
    const { crypto, extensionId } = this.#options;
    const names = offeredTools(profile, agent).flatMap((tool) => agentToolNames(tool, extensionId));
    const parts = { agent, description, tools: [...new Set(names)] };
    return agentFileText(parts, (text) => crypto.sha256(text), term);
  }

  /** What is to be written, in the order in which it is tried. */
  #wanted(): readonly AgentFile[] {
    const { profiles, files, userFolder } = this.#options;
    const active = profiles.active();
    const { name: called, description } = profiles.wordsFor(active.id);
    const effective = { profile: active, agent: { ...this.#options.runtimeAgent(), name: called }, description };
    const made = this.#options.ownAgent(active.id);
    const own = made && { ...made, description: made.profile.profile.description };
    const [folder] = files.folders();
    const name = agentFileName(active.id);
    const plan = planAgentFile({
      location: this.#options.settings().get('customAgent.location'),
      isTrusted: this.#options.isTrusted(),
      hasFolder: folder !== undefined,
      own: own && this.#text(own),
      effective: this.#text(effective),
    });
    const userWide: readonly AgentFile[] = own
      ? [
          {
            uri: vscode.Uri.joinPath(userFolder, name),
            name,
            text: this.#text(own),
            term: 'lasting',
            agentName: agentName(own.agent.name),
          },
        ]
      : [];
    if (plan.place === 'none') return [];
    if (plan.place === 'user' || !folder) return userWide;
    const { term } = plan;
    const uri = uriOf({ folder, path: `${agentFileFolder}/${name}` });
    const here: AgentFile = {
      uri,
      folder,
      name,
      term,
      text: this.#text(effective, term),
      agentName: agentName(effective.agent.name),
    };
    return term === 'window' ? [here, ...userWide] : [here];
  }

  /** Brings the file up to date, and answers the agent's name in the editor's list; undefined where there is none. */
  async write(): Promise<string | undefined> {
    const { report, storage } = this.#options;
    const before = storage.get(writtenKey);
    const [first, second] = this.#wanted();
    const fault = first && (await this.#put(first));
    const isThere = fault === undefined || fault === 'asked';
    if (!isThere && second) await this.#put(second);
    const file = isThere ? first : second;
    if (!file) await storage.set(writtenKey, undefined);
    await this.#removeOther(before, file);
    report('customAgent', first && !isThere ? [leftOut(fault, first)] : []);
    if (!this.#hasSwept) {
      this.#hasSwept = true;
      await this.sweep(file?.folder && file.name);
    }
    return file?.agentName;
  }

  async #put(file: AgentFile): Promise<AgentFileFault | 'asked' | undefined> {
    const { storage, crypto } = this.#options;
    // Remembered before it is written: what a crash leaves is found by it.
    await storage.set(writtenKey, file.uri.toString());
    const { folder, name, text, term } = file;
    if (folder) {
      const fault = await this.#workspace.write(folder, name, text, term);
      if (fault !== 'taken' || term === 'window') return fault;
      const mine = await this.#workspace.read(folder, name);
      if (mine === undefined) return fault;
      this.#offer(file);
      return 'asked';
    }
    const existing = await readText(file.uri);
    if (existing === text) return undefined;
    if (existing !== undefined && ownership(existing, (one) => crypto.sha256(one)) !== 'ours') {
      this.#offer(file);
      return 'asked';
    }
    await vscode.workspace.fs.writeFile(file.uri, new TextEncoder().encode(text));
    return undefined;
  }

  /** Takes away the file that was written before, where it is another one now. */
  async #removeOther(before: unknown, wanted: AgentFile | undefined): Promise<void> {
    const { crypto, userFolder, files } = this.#options;
    if (typeof before !== 'string' || before === wanted?.uri.toString()) return;
    const uri = vscode.Uri.parse(before);
    const name = uri.path.split('/').at(-1) ?? '';
    if (vscode.Uri.joinPath(userFolder, name).toString() === uri.toString()) {
      const text = await readText(uri);
      if (text !== undefined && ownership(text, (one) => crypto.sha256(one)) === 'ours')
        await vscode.workspace.fs.delete(uri);
      return;
    }
    const folder = files
      .folders()
      .find((one) => uriOf({ folder: one, path: `${agentFileFolder}/${name}` }).toString() === uri.toString());
    for (const term of ['lasting', 'window'] as const) if (folder) await this.#workspace.remove(folder, name, term);
  }

  /** Takes away what windows wrote for their own time, but for the file that is wanted now. */
  async sweep(keep?: string): Promise<void> {
    for (const folder of this.#options.files.folders()) await this.#workspace.sweep(folder, keep);
  }

  #offer(file: AgentFile): void {
    const { uri, text } = file;
    const key = `${uri.toString()} ${this.#options.crypto.sha256(text)}`;
    if (this.#declined.has(key)) return;
    this.#declined.add(key);
    const compare = vscode.l10n.t('Show Difference');
    const replace = vscode.l10n.t('Replace');
    const ask = async (): Promise<void> => {
      const answer = await vscode.window.showWarningMessage(
        vscode.l10n.t(
          '{0} was changed by hand, so the profile is not written into it.',
          uri.path.split('/').at(-1) ?? '',
        ),
        compare,
        replace,
      );
      if (answer === replace) await this.#replace(file);
      else if (answer === compare) {
        const generated = this.#options.texts.put('generated.agent.md', text);
        await vscode.commands.executeCommand(
          'vscode.diff',
          uri,
          generated,
          vscode.l10n.t('Yours ↔ generated from the profile'),
        );
        await ask();
      }
    };
    void ask();
  }

  async #replace({ folder, name, uri, text }: AgentFile): Promise<void> {
    if (folder) await this.#workspace.replace(folder, name, text);
    else await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  }
}

function leftOut(fault: AgentFileFault, { name, term }: AgentFile): Problem {
  const file = `${agentFileFolder}/${name}`;
  const said = say(term === 'window' ? 'agent_file_window' : 'agent_file', file, say(`agent_file_${fault}`));
  return problem({ severity: 'warning', code: 'agent_file', said });
}

async function readText(file: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}
