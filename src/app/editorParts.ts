import type * as vscode from 'vscode';
import type { AuditEvent, AuditSink } from '../core/audit/event';
import type { AuditReader } from '../core/audit/reader';
import type { RecentCalls } from '../core/audit/recentCalls';
import type { RecentInputs } from '../core/audit/recentInputs';
import type { Disposable } from '../core/base/lifecycle';
import type { AnsweredCalls } from '../core/learning/answeredCalls';
import type { KeyValueStore, Log, SecretStore } from '../core/ports/platform';
import type { ProfileEditor } from '../core/profiles/profileEditor';
import type { AgentFileWriter } from '../vscode/agent/agentFileWriter';
import type { CommandRuns } from '../vscode/commands/commandRuns';
import type { ModalQuestions } from '../vscode/confirm/modalQuestions';
import type { OutsideCalls } from '../vscode/confirm/outsideCalls';
import type { TextQuestions } from '../vscode/confirm/textQuestions';
import type { WriteText } from '../vscode/files/fileText';
import type { PolicyFiles } from '../vscode/files/policyFiles';
import type { PolicyFolders } from '../vscode/files/policyFolders';
import type { ReadOnlyText } from '../vscode/files/readOnlyText';
import type { ProtectionInTree } from '../vscode/protection/register';
import type { ContextKeys } from '../vscode/settings/contextKeys';
import type { EditorSettings } from '../vscode/settings/editorSettings';
import type { KeptCalls } from '../vscode/tools/keptCalls';
import type { CapabilitySwitch } from '../vscode/tree/capabilitySwitch';
import type { CapabilityView } from '../vscode/tree/capabilityView';
import type { Core } from './compose';

/** What the parts of the editor's system are made from; each part names what it needs. */
export interface EditorParts {
  readonly base: EditorBase;
  readonly core: Core;
  readonly editor: ProfileEditor;
  readonly tree: EditorTree;
  /** The wall in front of our own commands. */
  readonly outside: OutsideCalls;
  readonly agentFile: AgentFileWriter;
  readonly audit: EditorAudit;
  readonly policyFolders: PolicyFolders;
  readonly policyFiles: PolicyFiles;
}

/** What the core and everything around it stand on in an editor. */
export interface EditorBase {
  readonly context: vscode.ExtensionContext;
  /** The version of the extension that runs. */
  readonly version: string;
  readonly log: Log;
  readonly commands: CommandRuns;
  readonly settings: EditorSettings;
  readonly writeText: WriteText;
  /** What is remembered of this workspace. */
  readonly storage: KeyValueStore;
  /** What is remembered of the user, in every workspace. */
  readonly userStorage: KeyValueStore;
  readonly secrets: SecretStore;
  readonly keys: ContextKeys;
  readonly texts: ReadOnlyText;
  readonly questions: ModalQuestions;
  readonly textQuestions: TextQuestions;
  /** The title of a command, by its id. */
  readonly titleOf: (command: string) => string;
  /** What this window's calls were asked, what became of them, and which of them a person can be led back to. */
  readonly inputs: RecentInputs;
  readonly recent: RecentCalls;
  readonly answered: AnsweredCalls;
  readonly asked: KeptCalls;
}

/** The Capabilities view with its switches, and the groups of rows beside the capabilities. */
export interface EditorTree extends Disposable {
  readonly view: CapabilityView;
  readonly capabilitySwitch: CapabilitySwitch;
  readonly protection: ProtectionInTree;
  /** The tools of the editor that are neither ours nor come through us. */
  otherTools(): readonly vscode.LanguageModelToolInformation[];
}

/** The audit of one window. */
export interface EditorAudit extends Disposable {
  readonly sink: AuditSink;
  /** Records at once what is kept nowhere else then; answers how many events are on the disk, from the first on. */
  readonly keep: (events: readonly AuditEvent[]) => number;
  readonly reader: AuditReader;
}
