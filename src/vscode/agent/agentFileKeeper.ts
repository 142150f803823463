import { stringsIn } from '../../core/base/json';
import * as vscode from 'vscode';
import { pause } from '../../core/base/pause';
import {
  agentFileName,
  agentFileNames,
  agentFileText,
  agentNames,
  type AgentFileTerm,
  ownership,
} from '../../core/agent/agentFile';
import { planAgentFile } from '../../core/agent/agentFilePlan';
import type { AgentOfProfile } from '../../core/agent/ownAgent';
import { type AgentFileFault, agentFileFolder, WorkspaceAgentFile } from '../../core/agent/workspaceAgentFile';
import { offeredTools } from '../../core/profiles/offeredTools';
import { changeStored, type Crypto, type KeyValueStore, type Log } from '../../core/ports/platform';
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
import { findImpostors } from '../../core/agent/impostors';
import { showError, showWarning } from '../notices';
import { saidToPerson } from '../saidToPerson';
import { fileTextIfThere, statIfThere, type WriteText } from '../files/fileText';
import { makeSeen } from '../files/makeSeen';
import { watchFiles } from '../files/watchFiles';
import { Apart } from './apart';

const writtenKey = 'customAgent.written';
export interface AgentFileOptions {
  readonly profiles: ProfileStore;
  readonly settings: () => Settings;
  readonly runtimeAgent: (profileId?: string) => RuntimeAgent;
  /** The agent of a profile as the user's own parts make it. */
  readonly ownAgent: (profileId: string) => AgentOfProfile | undefined;
  readonly isTrusted: () => boolean;
  readonly report: (surface: string, problems: readonly Problem[]) => void;
  /** Fires when the agent may be another. */
  readonly onDidChange: Event<void>;
  readonly files: FileSystem;
  readonly crypto: Crypto;
  /** What is remembered of this workspace. */
  readonly storage: KeyValueStore;
  /** What is remembered of the user, in every workspace. */
  readonly userStorage: KeyValueStore;
  readonly log: Log;
  readonly texts: ReadOnlyText;
  /** The user's folder of agents. */
  readonly userFolder: vscode.Uri;
  /** How a file of that folder is written: the editor reads it when it likes. */
  readonly writeText: WriteText;
  readonly extensionId: string;
}

/** A file of ours: where it is, what it says and how long it stays. */
interface AgentFile {
  readonly uri: vscode.Uri;
  readonly text: string;
  readonly term: AgentFileTerm;
  /** Left out for the user's own agents. */
  readonly folder?: WorkspaceFolder;
}

/** An agent that stands in the editor's list. */
export interface ListedAgent {
  readonly uri: string;
  readonly name: string;
  /** True where it stands in the workspace, because that brings something to it or the user wants it there. */
  readonly isOfWorkspace: boolean;
  /** True where another file of the workspace takes the name: choosing by name could choose that one. */
  readonly isDisputed: boolean;
  /** When it came into the list, in milliseconds since 1970. */
  readonly listedAt: number;
}

/**
 * Keeps the active profile as a custom agent of the editor: one file of one name, whose content follows the profile. A
 * file that a person changed is never written over: the person is shown the difference and decides. Outside of the
 * workspace stands nothing that comes from it.
 */
export class AgentFileKeeper {
  readonly #options: AgentFileOptions;
  readonly #declined = new Set<string>();
  readonly #apart: Apart;
  readonly #workspace: WorkspaceAgentFile;
  readonly #userFile: vscode.Uri;
  #hasStarted = false;
  #listed: { readonly uri: string; readonly at: number } | undefined;
  #said: string | undefined;
  #hasWritten = false;
  /** What this window last put into the user's file, or found there as its own. */
  #mine: string | undefined;
  /** What is to stand in the files now. */
  #wantedNow: readonly AgentFile[] = [];
  #isAnother = false;

  /** @param apartMs how long after a change of agents the next one may come. */
  constructor(options: AgentFileOptions, apartMs: number) {
    this.#options = options;
    this.#apart = new Apart(apartMs);
    this.#workspace = new WorkspaceAgentFile(options.files, (text) => options.crypto.sha256(text), {
      makeSeen: (place, make) => makeSeen(uriOf({ ...place, path: '' }), place.path, make),
      apart: () => this.#apart.whole(),
      changing: () => this.#apart.changing('workspace'),
      changed: () => this.#apart.changed(),
    });
    this.#userFile = vscode.Uri.joinPath(options.userFolder, agentFileName);
  }

  #textOf({ profile, agent }: AgentOfProfile, description: string, term: AgentFileTerm): string {
    const { crypto, extensionId } = this.#options;
    const names = offeredTools(profile, agent).flatMap((tool) => agentToolNames(tool, extensionId));
    const parts = { agent, description, tools: [...new Set(names)] };
    return agentFileText(parts, (text) => crypto.sha256(text), term);
  }

  /** The file as the user's own parts make it. */
  #ownText(profileId: string): string | undefined {
    const own = this.#options.ownAgent(profileId);
    return own && this.#textOf(own, own.profile.profile.description, 'lasting');
  }

  /** The file with everything that the workspace brings. */
  #effectiveText(profileId: string, term: AgentFileTerm = 'lasting'): string | undefined {
    const { profiles, runtimeAgent } = this.#options;
    const profile = profileId === profiles.activeId ? profiles.active() : profiles.resolve(profileId);
    if (!profile) return undefined;
    const { name, description } = profiles.merged.wordsFor(profileId);
    return this.#textOf({ profile, agent: { ...runtimeAgent(profileId), name } }, description, term);
  }

  #isWorkspacePart(profileId: string): boolean {
    return this.#ownText(profileId) !== this.#effectiveText(profileId);
  }

  /**
   * The active profile's file of the user's own parts, and whether the workspace makes another of it. With thousands of
   * tools each of the two takes its time, so others get their turn in between; what changed then begins anew.
   */
  async #compared(): Promise<{ id: string; ownText: string | undefined; isWorkspacePart: boolean }> {
    const { profiles } = this.#options;
    for (let tried = 0; ; tried++) {
      const active = profiles.active();
      const ownText = this.#ownText(active.id);
      if (tried < 10) await pause(0);
      if (profiles.active() !== active) continue;
      return { id: active.id, ownText, isWorkspacePart: ownText !== this.#effectiveText(active.id) };
    }
  }

  /** What is to be written: the workspace's own first, which the chat should have. */
  async #wanted(before: readonly string[]): Promise<readonly AgentFile[]> {
    const { profiles, files, settings, isTrusted } = this.#options;
    const { id, ownText, isWorkspacePart } = await this.#compared();
    const [folder] = files.folders();
    const uri = folder && uriOf({ folder, path: `${agentFileFolder}/${agentFileName}` });
    const wasWritten =
      uri !== undefined &&
      before.includes(uri.toString()) &&
      (this.#hasStarted || [...profiles.profiles().keys()].some((one) => this.#isWorkspacePart(one)));
    const plan = planAgentFile({
      location: settings().get('customAgent.location'),
      isTrusted: isTrusted(),
      hasFolder: folder !== undefined,
      isWorkspacePart,
      wasWritten,
    });
    const wanted: AgentFile[] = [];
    if (plan.workspace && folder && uri) {
      const text = this.#effectiveText(id, plan.workspace);
      if (text !== undefined) wanted.push({ uri, folder, text, term: plan.workspace });
    }
    // A profile of the workspace's own has no words here: the user's stays.
    const own = plan.user ? (ownText ?? this.#ownText(profiles.merged.ownId())) : undefined;
    if (own !== undefined) wanted.push({ uri: this.#userFile, text: own, term: 'lasting' });
    return wanted;
  }

  /**
   * Brings the files up to date, and answers the agent that the chat should have; undefined where there is none.
   * @param again has the file of that agent written also where it is up to date.
   */
  async write(again: boolean): Promise<ListedAgent | undefined> {
    const { report, storage, files } = this.#options;
    const before = writtenBefore(storage.get(writtenKey));
    const wanted = await this.#wanted(before);
    this.#wantedNow = wanted;
    this.#hasWritten = false;
    const uris = wanted.map(({ uri }) => uri.toString());
    // Remembered before they are written: what a crash leaves is found by it.
    await changeStored(storage, writtenKey, (now) => [...new Set([...writtenBefore(now), ...uris])]);
    const problems: Problem[] = [];
    let listed: AgentFile | undefined;
    for (const file of wanted) {
      // The editor reads all of its agents when one changes: a second change in the same breath only disturbs it.
      const fault = await this.#put(file, again && listed === undefined);
      if (fault === undefined || fault === 'asked') listed ??= file;
      else problems.push(leftOut(fault, file));
    }
    for (const uri of before) if (!uris.includes(uri)) await this.#remove(uri);
    if (!this.#hasStarted) await this.#sweep(wanted.some(({ term }) => term === 'passing'));
    this.#hasStarted = true;
    // What another window wrote meanwhile is its own to remove.
    await changeStored(storage, writtenKey, (now) => {
      const others = writtenBefore(now).filter((uri) => !before.includes(uri) && !uris.includes(uri));
      return [...uris, ...others];
    });
    const impostors = await findImpostors(files, new Set(wanted.map(({ text }) => text)));
    for (const place of impostors) problems.push(impostor(place));
    report('customAgent', problems);
    const said = listed && `${listed.uri.toString()}\n${listed.text}`;
    this.#isAnother = said !== this.#said || this.#hasWritten;
    this.#said = said;
    if (!listed) return undefined;
    return {
      uri: listed.uri.toString(),
      name: agentNames[listed.term],
      isOfWorkspace: listed.folder !== undefined,
      isDisputed: impostors.length > 0,
      listedAt: this.#listedSince(listed.uri.toString()),
    };
  }

  /** Follows what the editor hears of these files, for as long as it is not disposed. */
  watch(): vscode.Disposable {
    const own = new vscode.RelativePattern(this.#options.userFolder, agentFileNames);
    return vscode.Disposable.from(
      watchFiles(own, () => this.#apart.heard('user')),
      watchFiles(`**/${agentFileFolder}/${agentFileNames}`, () => this.#apart.heard('workspace')),
    );
  }

  /** Whether the last write put another text or another file into the editor's list than stood there before. */
  get isAnother(): boolean {
    return this.#isAnother;
  }

  #listedSince(uri: string): number {
    if (this.#listed?.uri !== uri) this.#listed = { uri, at: Date.now() };
    return this.#listed.at;
  }

  async #put(file: AgentFile, again: boolean): Promise<AgentFileFault | 'asked' | undefined> {
    const { folder, text, term } = file;
    if (folder) {
      const fault = await this.#workspace.write(folder, agentFileName, text, term, again);
      if (fault !== 'taken' || term === 'passing') return fault;
      const mine = await this.#workspace.read(folder, agentFileName);
      if (mine === undefined) return fault;
      this.#offer(file);
      return 'asked';
    }
    try {
      return await this.#putOwn(file, again);
    } catch (error) {
      this.#options.log.warn(`the custom agent was not written: ${String(error)}`);
      return 'failed';
    }
  }

  /** Writes the one among the user's own agents. */
  async #putOwn(file: AgentFile, again: boolean): Promise<'asked' | undefined> {
    const { text, uri } = file;
    const existing = await fileTextIfThere(uri);
    if (existing === text) this.#mine = text;
    if (existing === text && !again) return undefined;
    if (existing !== undefined && ownership(existing, (one) => this.#options.crypto.sha256(one)) !== 'ours') {
      this.#offer(file);
      return 'asked';
    }
    // Another window wrote it, which is in front or was last: this one writes its own when it comes there.
    if (existing !== undefined && existing !== text && existing !== this.#mine && !vscode.window.state.focused)
      return undefined;
    const stat = existing === undefined ? undefined : await statIfThere(uri);
    if (!(await this.#apart.turn(stat?.mtime))) return this.#putOwn(file, again);
    await this.#writeOwn(uri, text);
    this.#mine = text;
    this.#hasWritten ||= existing !== text;
    return undefined;
  }

  /** Takes away a file that was written before and is not wanted any more. */
  async #remove(written: string): Promise<void> {
    const { crypto, userFolder, files } = this.#options;
    const uri = vscode.Uri.parse(written);
    const name = uri.path.split('/').at(-1) ?? '';
    if (vscode.Uri.joinPath(userFolder, name).toString() === uri.toString()) {
      const text = await fileTextIfThere(uri);
      if (text === undefined || ownership(text, (one) => crypto.sha256(one)) !== 'ours') return;
      // A person may have changed it in a pause.
      if (!(await this.#apart.turn())) return this.#remove(written);
      this.#apart.changing('user');
      await vscode.workspace.fs.delete(uri);
      this.#apart.changed();
      return;
    }
    const folder = files
      .folders()
      .find((one) => uriOf({ folder: one, path: `${agentFileFolder}/${name}` }).toString() === uri.toString());
    if (!folder) return;
    for (const term of ['lasting', 'passing'] as const) await this.#workspace.remove(folder, name, term);
    await this.#workspace.sweep(folder);
  }

  /** Takes away what an earlier window left in the workspace. */
  async #sweep(isWanted: boolean): Promise<void> {
    for (const [at, folder] of this.#options.files.folders().entries())
      await this.#workspace.sweep(folder, isWanted && at === 0 ? agentFileName : undefined);
  }

  #offer(file: AgentFile): void {
    const { uri } = file;
    const key = `${uri.toString()} ${this.#options.crypto.sha256(file.text)}`;
    if (this.#declined.has(key)) return;
    this.#declined.add(key);
    const compare = vscode.l10n.t('Show Difference');
    const replace = vscode.l10n.t('Replace');
    const ask = async (): Promise<void> => {
      const answer = await showWarning(
        vscode.l10n.t('{0} was changed by hand, so the profile is not written into it.', agentFileName),
        compare,
        replace,
      );
      // The notice may be older than the profile that is active now.
      const now = this.#wantedNow.find((one) => one.uri.toString() === uri.toString());
      if (!now) return;
      if (answer === replace) await this.#replace(now);
      else if (answer === compare) {
        const generated = this.#options.texts.put('generated.agent.md', now.text);
        await vscode.commands.executeCommand(
          'vscode.diff',
          uri,
          generated,
          vscode.l10n.t('Yours ↔ generated from the profile'),
        );
        await ask();
      }
    };
    ask().catch((error: unknown) => void showError(saidToPerson(error)));
  }

  async #replace({ folder, uri, text }: AgentFile): Promise<void> {
    if (folder) await this.#workspace.replace(folder, agentFileName, text);
    else {
      await this.#apart.whole();
      await this.#writeOwn(uri, text);
    }
  }

  async #writeOwn(uri: vscode.Uri, text: string): Promise<void> {
    this.#apart.changing('user');
    await this.#options.writeText(uri, text);
    this.#apart.changed();
  }
}

/** What was written before; a version before this one remembered a single file. */
function writtenBefore(stored: unknown): readonly string[] {
  if (typeof stored === 'string') return [stored];
  return stringsIn(stored);
}

function leftOut(fault: AgentFileFault, { term, folder, uri }: AgentFile): Problem {
  const file = `${agentFileFolder}/${agentFileName}`;
  const why = say(`agent_file_${fault}`);
  const said = folder
    ? say(term === 'passing' ? 'agent_file_passing' : 'agent_file', file, why)
    : say('agent_file_own', uri.fsPath, why);
  return problem({ severity: 'warning', code: 'agent_file', said });
}

function impostor(place: string): Problem {
  return problem({ severity: 'warning', said: say('agent_impostor', place) });
}
