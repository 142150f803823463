import * as vscode from 'vscode';
import { pause } from '../../core/base/pause';
import { Emitter } from '../../core/base/event';
import { canonicalJson, type Json, type JsonObject } from '../../core/base/json';
import { DisposableStore } from '../../core/base/lifecycle';
import type { Problem } from '../../core/base/problem';
import type { Log } from '../../core/ports/platform';
import { ChangedMeanwhile, type ProfileSettings, type SaveTarget } from '../../core/profiles/profileEditor';
import { settingId, settingSpecs } from '../../core/settings/settingTable';
import type { SettingsLayers } from '../../core/settings/settings';
import type { WriteText } from '../files/fileText';
import { type LocalFiles, settledMs } from '../files/localFiles';
import { letRead } from './letRead';
import type { SettingsFile } from './settingsFile';

const section = 'agentCapabilities';

/** The settings that our own interface writes in whole. */
type WrittenKey = 'profiles' | 'policy.boundaries';

/** How long to wait before each further try to write settings. */
const retryPausesMs = [300, 1200, 3000];

/** What we wrote into a file and the editor has not read yet. */
interface Ahead {
  readonly file: SettingsFile;
  readonly key: WrittenKey;
  readonly value: Json | undefined;
}

interface EditorSettingsParts {
  /**
   * The content of the managed file and what is wrong with it, as it was read last; `refresh` answers whether it
   * changed since.
   */
  readonly managed: {
    readonly values: Readonly<Record<string, unknown>>;
    readonly problems: readonly Problem[];
    refresh(): boolean;
  };
  readonly local: Pick<LocalFiles, 'read' | 'stamp'>;
  readonly globalStorage: vscode.Uri;
  /** How a settings file is written. */
  readonly writeText: WriteText;
  readonly log: Log;
}

/**
 * The editor's settings scope by scope; never the merged value, because the scopes meet by rules of our own
 * (`core/settings`).
 */
export class EditorSettings extends DisposableStore implements ProfileSettings {
  readonly #changed = this.add(new Emitter<void>());
  readonly #parts: EditorSettingsParts;
  readonly onDidChange = this.#changed.event;
  /**
   * By scope, a settings file whose profiles the editor reads otherwise than we do, such as one with two keys of one
   * name: not waited for again.
   */
  readonly #unlike: Record<SaveTarget, string> = { user: '', workspace: '' };
  /**
   * By scope, the text of its file that the editor has read, and the file's stamp, empty while it vouches for nothing.
   */
  readonly #seen = new Map<SaveTarget, { readonly text: string; readonly stamp: string }>();
  #looking: Promise<void> = Promise.resolve();
  /** By scope and key. */
  readonly #ahead = new Map<string, Ahead>();

  constructor(parts: EditorSettingsParts) {
    super();
    this.#parts = parts;
    this.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration(section)) return;
        for (const [name, ahead] of this.#ahead) void this.#caughtUpWith(name, ahead);
        this.#changed.fire();
      }),
    );
    this.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire()));
    this.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#changed.fire()));
  }

  /** To be called when the managed file changed. */
  refresh(): void {
    this.#changed.fire();
  }

  /**
   * Before a call: the settings are those that stand in the files of this machine now, also where the editor has not
   * been told of a change yet. It costs a look at each file, for a moment after a change its reading too, and one
   * question to the editor for each change.
   */
  lookAgain(): Promise<void> {
    this.#looking = this.#looking
      .then(() => this.#lookAgain())
      .catch((error: unknown) => this.#parts.log.warn(`settings were not looked at: ${String(error)}`));
    return this.#looking;
  }

  async #lookAgain(): Promise<void> {
    const { managed, globalStorage, local } = this.#parts;
    if (managed.refresh()) this.#changed.fire();
    const { settingsFile } = await import('./settingsFile');
    for (const target of ['user', 'workspace'] as const) {
      const file = settingsFile(target, globalStorage);
      if (file?.uri.scheme !== 'file') continue;
      const now = await local.stamp(file.uri.fsPath).catch(() => undefined);
      const seen = this.#seen.get(target);
      // For one that is not there the editor would make an empty one; what comes in its place is new to it.
      if (!now) this.#seen.delete(target);
      if (!now || now.text === seen?.stamp) continue;
      const read = local.read(file.uri.fsPath);
      if (read.type !== 'text' || (read.text !== seen?.text && !(await this.#readAnew(target)))) continue;
      this.#seen.set(target, { text: read.text, stamp: Date.now() - now.at > settledMs ? now.text : '' });
    }
  }

  /** All scopes of every setting. */
  layers(): SettingsLayers {
    const config = vscode.workspace.getConfiguration(section);
    const user: Record<string, unknown> = {};
    const workspace: Record<string, unknown> = {};
    for (const { key } of settingSpecs) {
      const found = config.inspect(key);
      if (found?.globalValue !== undefined) user[key] = found.globalValue;
      const own = found?.workspaceFolderValue ?? found?.workspaceValue;
      if (own !== undefined) workspace[key] = own;
    }
    for (const { file, key, value } of this.#ahead.values()) (file.target === 'user' ? user : workspace)[key] = value;
    const { values, problems } = this.#parts.managed;
    return { managed: values, managedProblems: problems, user, workspace };
  }

  target(id = ''): SaveTarget {
    const folders = vscode.workspace.workspaceFolders?.length ?? 0;
    const wanted = vscode.workspace.getConfiguration(section).inspect('saveTo')?.globalValue;
    const holds = (target: SaveTarget): boolean => Object.hasOwn(this.read(target) ?? {}, id);
    const isOwn = wanted === undefined && holds('user') && !holds('workspace');
    return folders === 0 || wanted === 'user' || isOwn ? 'user' : 'workspace';
  }

  read(target: SaveTarget, key: WrittenKey = 'profiles'): unknown {
    const ahead = this.#ahead.get(`${target} ${key}`);
    return ahead ? ahead.value : this.#known(target, key);
  }

  /** What the editor has read. */
  #known(target: SaveTarget, key: WrittenKey): unknown {
    const found = vscode.workspace.getConfiguration(section).inspect(key);
    return target === 'user' ? found?.globalValue : found?.workspaceValue;
  }

  async write(target: SaveTarget, value: JsonObject | undefined): Promise<void> {
    const isWritten = await this.#write('profiles', target, value, this.#unlike[target] === '');
    if (!isWritten) throw new ChangedMeanwhile();
  }

  /** Changes the user's own rules as they stand in their settings, where another window may have changed them. */
  async changeOwnRules(change: (rules: Json | undefined) => Json | undefined): Promise<void> {
    for (const givesWay of [true, true, false]) {
      await this.#readAnew('user');
      const before = this.read('user', 'policy.boundaries') as Json | undefined; // reason: settings are JSON
      const after = change(before);
      if (isSame(before, after) || (await this.#write('policy.boundaries', 'user', after, givesWay))) return;
    }
  }

  /**
   * What stands in the file holds then, also where the editor has not read it.
   * @param givesWay answers false, with nothing written, where somebody else has changed the setting since it was read.
   */
  async #write(key: WrittenKey, target: SaveTarget, value: Json | undefined, givesWay: boolean): Promise<boolean> {
    const { settingsFile, writeSetting } = await import('./settingsFile');
    const { globalStorage, writeText } = this.#parts;
    const file = settingsFile(target, globalStorage);
    const before = this.read(target, key) as Json | undefined; // reason: settings are JSON
    const written = file && (await writeSetting(file, settingId(key), before, value, writeText));
    if (written === 'changed' && givesWay) return false;
    const name = `${target} ${key}`;
    const byTheEditor = async (): Promise<true> => {
      await this.#update(key, value, target);
      this.#ahead.delete(name);
      this.#changed.fire();
      return true;
    };
    if (!file || typeof written !== 'object') return byTheEditor();
    const hasRead = await letRead(configurationTarget(target));
    const known = this.#known(target, key);
    if (isSame(known, value)) {
      if (this.#ahead.delete(name)) this.#changed.fire();
      return true;
    }
    // It has read a file of its own, which is not this one: a profile of the editor has settings of its own.
    if (target === 'user' && hasRead && isSame(known, before)) {
      const back = await writeSetting(file, settingId(key), value, before, writeText);
      if (typeof back === 'object') return byTheEditor();
    }
    const ahead = { file, key, value };
    this.#ahead.set(name, ahead);
    this.#changed.fire();
    // What the editor has read may be what somebody wrote since.
    await this.#caughtUpWith(name, ahead);
    return true;
  }

  /**
   * The editor reads the files anew, and what was ahead of it ends where somebody has written since. Answers whether it
   * did read.
   */
  async #readAnew(target: SaveTarget): Promise<boolean> {
    const hasRead = await letRead(configurationTarget(target));
    // Of a change back to what the editor knew no event tells.
    for (const [name, ahead] of this.#ahead) if (ahead.file.target === target) await this.#caughtUpWith(name, ahead);
    return hasRead;
  }

  /**
   * The editor refuses to write while it does not know the file as it is on the disk, as just after another window
   * wrote it. It learns of such a change within a second or so, on a busy machine later, and then writes.
   * @throws ChangedMeanwhile where what it learned of are other profiles.
   */
  async #update(key: WrittenKey, value: Json | undefined, target: SaveTarget): Promise<void> {
    const where = configurationTarget(target);
    const before = this.#known(target, key);
    for (const pauseMs of retryPausesMs) {
      try {
        return await vscode.workspace.getConfiguration(section).update(key, value, where);
      } catch (error) {
        this.#parts.log.debug(`${key} was not written at once: ${String(error)}`);
        await pause(pauseMs);
        if (key === 'profiles' && !isSame(this.#known(target, key), before)) throw new ChangedMeanwhile();
      }
    }
    await vscode.workspace.getConfiguration(section).update(key, value, where);
  }

  /** The editor has read something of ours: what we wrote is known now, or somebody else has written since. */
  async #caughtUpWith(name: string, ahead: Ahead): Promise<void> {
    const { file, key, value } = ahead;
    if (!isSame(this.#known(file.target, key), value)) {
      const { settingInFile } = await import('./settingsFile');
      if (isSame(await settingInFile(file, settingId(key)), value)) return;
    }
    if (this.#ahead.get(name) !== ahead) return;
    this.#ahead.delete(name);
    this.#changed.fire();
  }

  /**
   * Another window writes the same file, and the editor notices a moment later: a change that is made on what it knew
   * before would take the other window's change back. Where the file is open with changes that are not saved, the
   * editor refuses to write, so the person is asked to save them. The user's file can be read where the extensions run
   * on the machine that holds it.
   */
  catchUp(target: SaveTarget): Promise<void> {
    return this.#catchUp(target, true);
  }

  /**
   * Resolves once the profiles are known as the files of both scopes hold them, or the editor did not take them over in
   * time. Asks nobody, unlike `catchUp`, because nothing is written.
   */
  async caughtUp(): Promise<void> {
    await this.#catchUp('user', false);
    await this.#catchUp('workspace', false);
  }

  async #catchUp(target: SaveTarget, writes: boolean): Promise<void> {
    const { catchUpWithFile } = await import('./settingsCatchUp');
    this.#unlike[target] = await catchUpWithFile({
      target,
      globalStorage: this.#parts.globalStorage,
      onDidChange: this.onDidChange,
      read: () => this.read(target),
      letRead: async () => void (await this.#readAnew(target)),
      unlike: this.#unlike[target],
      writes,
    });
  }
}

const configurationTarget = (target: SaveTarget): vscode.ConfigurationTarget =>
  target === 'user' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;

/** Settings are JSON, and one that is not there is none. */
const isSame = (one: unknown, other: unknown): boolean =>
  canonicalJson((one ?? null) as Json) === canonicalJson((other ?? null) as Json);
