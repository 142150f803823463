import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { say, saidBy, type Sentence } from '../../core/base/sentence';
import { type Agent, type AgentId, agents } from '../../core/protection/agents';
import { foundEntries } from '../../core/protection/entries';
import type { HookProgram } from '../../core/protection/entryCommand';
import { installPlan } from '../../core/protection/installPlan';
import {
  entryPath,
  type FileChange,
  type InstallContext,
  type Plan,
  type Receipt,
  trustPath,
} from '../../core/protection/plan';
import { trustNotes } from '../../core/protection/trustNotes';
import {
  type AgentProtection,
  type CanaryResult,
  type LastHookAnswer,
  protectionOf,
  type UnansweredCall,
} from '../../core/protection/meter';
import { type SwitchedOff, switchedOff, switchFiles } from '../../core/protection/switchOffs';
import { serverFiles, startsOurServer } from '../../core/protection/ourServer';
import { uninstallPlan } from '../../core/protection/undoPlan';
import { folderOf, placeOf, type UserFolders } from '../../core/vocabulary/agentPlaces';
import { namesIn } from '../folders/quietly';
import { readSmallFile } from '../regularFile';
import { tryEntry } from './canary';
import { launchedHook, unansweredCall } from './hookNotes';
import { ownProgramTest } from './ownPrograms';
import { Receipts } from './receipts';
import { readUserFile, removeFolders, writeUserFile } from './userFiles';

interface ProtectionOptions {
  readonly user: UserFolders;
  /** The folder in which hooks and editors meet. */
  readonly privateFolder: string;
  /** The folders that are worked in. */
  readonly folders: () => readonly string[];
  /** What the entries start. */
  readonly program: HookProgram;
  /** Where programs are looked for. */
  readonly searchPath: string;
  /** Our own command lines, absolute. */
  readonly ownPrograms: readonly string[];
  /** What the hook wrote down about an agent's last call. */
  readonly lastAnswer: (agent: Agent) => LastHookAnswer | undefined;
  readonly isEditorOpen: () => boolean;
  readonly knownTools: (agent: Agent) => readonly string[];
  /** Our own tools, as every agent is offered them that has our server, and the agent of this window. */
  readonly ourTools: () => readonly string[];
  /** The agent of the window that this runs in. */
  readonly window?: AgentId;
  /** The settings in force in that window that switch its agent's hooks off, wherever they stand. */
  readonly switchedOffInWindow?: () => readonly SwitchedOff[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Puts our hook into the files of other agents, takes it out again, and tells how far each agent is under the gate. */
export class Protection {
  readonly #options: ProtectionOptions;
  readonly #receipts: Receipts;
  readonly #trials = new Map<Agent, CanaryResult>();

  constructor(options: ProtectionOptions) {
    this.#options = options;
    this.#receipts = new Receipts(options.privateFolder);
  }

  /** What an installation would change. Nothing is written. */
  planInstall(agent: Agent): Plan {
    return this.#plan(agent, (context, receipt) => installPlan(agent, this.#options.program, context, receipt));
  }

  planUninstall(agent: Agent): Plan {
    return this.#plan(agent, (context, receipt) => uninstallPlan(agent, context, receipt));
  }

  #plan(agent: Agent, make: (context: InstallContext, receipt: Receipt | undefined) => Plan): Plan {
    let reading = '';
    const context: InstallContext = {
      user: this.#options.user,
      read: (file) => {
        reading = file;
        return readUserFile(file, this.#folderOf(agent));
      },
      sha256,
    };
    try {
      return make(context, this.#receiptOf(agent));
    } catch (error) {
      return { refused: saidBy(error), path: reading };
    }
  }

  /** Writes what was planned, if the files still are as they were; throws a SaidError where they are not. */
  install(agent: Agent, changes: readonly FileChange[]): void {
    const known = this.#receipts.of(agent);
    const files = new Map(known?.files.map((file) => [file.path, file]));
    for (const { path: file, before, after, insertions } of changes) {
      const old = files.get(file);
      const folders = writeUserFile(file, before, after, this.#folderOf(agent));
      files.set(file, {
        path: file,
        isNew: before === undefined || old?.isNew === true,
        insertions,
        folders: [...(old?.folders ?? []), ...folders],
      });
      this.#receipts.keep(agent, { files: [...files.values()] });
    }
    this.#trials.delete(agent);
  }

  /** Takes back what was installed. */
  uninstall(agent: Agent, changes: readonly FileChange[]): void {
    for (const { path: file, before, after } of changes) writeUserFile(file, before, after, this.#folderOf(agent));
    const gone = this.#receiptOf(agent)?.files ?? [];
    for (const { folders } of gone) removeFolders(folders);
    const paths = gone.map((one) => one.path);
    const files = this.#receipts.of(agent)?.files.filter((one) => !paths.includes(one.path)) ?? [];
    this.#receipts.keep(agent, files.length > 0 ? { files } : undefined);
    this.#trials.delete(agent);
  }

  notes(agent: Agent): readonly Sentence[] {
    return trustNotes(agent, this.#options.user);
  }

  #folderOf({ id }: Agent): string {
    return folderOf(id, this.#options.user);
  }

  /** What was installed where the agent's files are now; those of another home folder stay in the receipt. */
  #receiptOf(agent: Agent): Receipt | undefined {
    const here = [entryPath(agent, this.#options.user), trustPath(agent, this.#options.user)];
    const files = this.#receipts.of(agent)?.files.filter(({ path: file }) => here.includes(file)) ?? [];
    return files.length > 0 ? { files } : undefined;
  }

  /** Tries an installed entry by a dry call that is always denied; undefined where none is installed. */
  async try(agent: Agent, limitMs?: number): Promise<CanaryResult | undefined> {
    const text = this.#read(entryPath(agent, this.#options.user));
    const entry = typeof text === 'string' ? foundEntries(agent, text)[0] : undefined;
    if (!entry || this.#options.program.platform === 'win32') return undefined;
    const cwd = this.#options.folders()[0] ?? this.#options.user.home;
    const unanswered = (): UnansweredCall | undefined => unansweredCall(this.#options.privateFolder, agent);
    const noted = unanswered()?.at;
    const told = await tryEntry(agent, entry.command, cwd, this.#options.now, limitMs);
    const note = unanswered();
    // Some entries deny in the agent's own words where our program did not answer, and leave a note of it.
    const isAnswered = told.outcome !== 'denied' || note === undefined || note.at === noted;
    const result: CanaryResult = isAnswered
      ? told
      : { ...told, outcome: 'failed', detail: say('exit_status', note.status) };
    this.#trials.set(agent, result);
    return result;
  }

  /** The meter of one agent, from the files as they are now. */
  status(agent: Agent): AgentProtection {
    const { user, lastAnswer, isEditorOpen, knownTools, ourTools, privateFolder } = this.#options;
    const own = entryPath(agent, user);
    return protectionOf(agent, {
      user,
      isHere: this.#isHere(agent),
      receipt: this.#receiptOf(agent),
      read: (file) => this.#read(file),
      exists: (file) => this.#isStartable(file),
      siblings: siblingsOf(own),
      switchedOff: this.#switchedOff(agent),
      canary: this.#trials.get(agent),
      last: lastAnswer(agent),
      unanswered: unansweredCall(privateFolder, agent),
      knownTools: knownTools(agent),
      ourTools: this.isOffered(agent) ? ourTools() : [],
      isEditorOpen: isEditorOpen(),
      sha256,
    });
  }

  /** The meters of all agents, those that are used here first. */
  all(): readonly AgentProtection[] {
    const found = agents.map((agent) => this.status(agent));
    return [...found.filter(({ isHere }) => isHere), ...found.filter(({ isHere }) => !isHere)];
  }

  /** Every file on which the meters depend. */
  watched(): readonly string[] {
    const { user, folders, privateFolder } = this.#options;
    const files = agents.flatMap((agent) => [
      entryPath(agent, user),
      trustPath(agent, user) ?? [],
      ...switchFiles(agent, user, folders()),
      ...serverFiles(agent, user, folders()),
    ]);
    return [...new Set([...files.flat(), path.join(privateFolder, 'installed.json')])];
  }

  /** True for an agent that has our tools: that of this window, and one whose own settings start our server. */
  isOffered(agent: Agent): boolean {
    const { user, folders, window, ownPrograms, searchPath } = this.#options;
    if (agent.id === window) return true;
    const own = new Set(serverFiles(agent, user, []));
    const isOurProgram = ownProgramTest({ programs: ownPrograms, searchPath, folders: folders() });
    return serverFiles(agent, user, folders()).some((file) => {
      const text = this.#read(file);
      return typeof text === 'string' && startsOurServer(text, file, own.has(file) ? undefined : isOurProgram);
    });
  }

  #switchedOff(agent: Agent): readonly SwitchedOff[] {
    const { user, folders, window, switchedOffInWindow } = this.#options;
    const inFiles = switchedOff(agent, user, folders(), (file) => {
      const read = readSmallFile(file);
      return read.type === 'text' ? read.text : undefined;
    });
    if (agent.id !== window || !switchedOffInWindow) return inFiles;
    return [...inFiles, ...switchedOffInWindow().filter(({ key }) => inFiles.every((one) => one.key !== key))];
  }

  #read(file: string): string | Sentence | undefined {
    const read = readSmallFile(file);
    if (read.type === 'absent') return undefined;
    return read.type === 'text' ? read.text : read.fault;
  }

  /** True for a program that is there, and the launcher whose hook is there. */
  #isStartable(file: string): boolean {
    if (file !== this.#options.program.hook) return isProgram(file);
    const hook = launchedHook(this.#options.privateFolder);
    return isProgram(file) && hook !== undefined && isProgram(hook);
  }

  #isHere(agent: Agent): boolean {
    const { user, window } = this.#options;
    if (agent.id === window) return true;
    if (agent.traces.some((trace) => existsSync(placeOf(agent.id, user, trace)))) return true;
    const folders = this.#options.searchPath.split(path.delimiter).filter((folder) => folder !== '');
    return folders.some((folder) => agent.programs.some((name) => isProgram(path.join(folder, name))));
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The other files of hooks beside an entry that is a file of its own. */
function siblingsOf(file: string): readonly string[] {
  return namesIn(path.dirname(file))
    .filter((name) => name.endsWith('.json') && name !== path.basename(file))
    .map((name) => path.join(path.dirname(file), name))
    .sort();
}
