import type { Translate } from '../core/base/translate';
import type { AuditSink } from '../core/audit/event';
import type { CallApprover } from '../core/call/gateCall';
import type { DefinitionApprover } from '../core/definitions/approval';
import type { DefinitionWatcher } from '../core/definitions/files';
import type { ServerUser } from '../core/foreign/serverUser';
import type { PromptWatch } from '../core/agent/promptFiles';
import type { TokenHasher } from '../core/policy/approvals/adminToken';
import type { Confirmer } from '../core/policy/approvals/approvals';
import type { OwnPlaces } from '../core/policy/rules/ownFiles';
import type { PolicyFileSource } from '../core/policy/rules/policySources';
import type { Disposable } from '../core/base/lifecycle';
import type { ChangeStore } from '../core/ports/changes';
import type { Checkpoints } from '../core/ports/checkpoints';
import type { BlobStore } from '../core/ports/blobs';
import type { FileSystem } from '../core/ports/files';
import type { WorkspaceFolder } from '../core/ports/workspacePath';
import type { HttpClient } from '../core/ports/http';
import type { Clock, Crypto, KeyValueStore, Log, SecretStore, WorkerPool } from '../core/ports/platform';
import type { Prober } from '../core/ports/prober';
import type { ToolPorts } from '../core/ports/toolPorts';
import type { SecondReader } from '../core/ports/secondReader';
import type { VersionControl } from '../core/ports/versions';
import type { Settings } from '../core/settings/settings';
import type { SettingsSource } from '../core/settings/settingsInForce';
import type { ToolDefinition } from '../core/vocabulary/toolDefinition';

/** Who answers a confirmation: a person through a queue, or (on the command line) the way the command was started. */
type ApprovalSurface =
  | {
      readonly type: 'person';
      readonly confirmer: Confirmer;
      /** The model of `approvals.reader`; nobody reads where it is left out. */
      readonly reader?: () => Promise<SecondReader>;
    }
  | { readonly type: 'preset'; readonly approver: CallApprover };

/** Where calls of other agents wait for their end. */
interface HostCalls {
  /** The user's private folder. */
  readonly privateFolder: string;
  /** The folders of the disk in which agents change files. */
  readonly folders: () => readonly WorkspaceFolder[];
  /** True for the surface that shows these changes: it leaves none that it took in. */
  readonly isOwner: boolean;
}

/** What differs between the editor and the command line. */
export interface Platform {
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly log: Log;
  readonly files: FileSystem;
  /** Made after the settings are read, which decide on private hosts. */
  readonly http: (settings: () => Settings) => HttpClient;
  readonly worker: WorkerPool;
  /** Keeps what was there before calls changed it; nothing can be taken back where it is left out. */
  readonly changes?: (settings: () => Settings) => Promise<ChangeStore & Disposable>;
  /**
   * Remembers what stands in the workspace; what calls change without our files cannot be found where it is left out.
   */
  readonly checkpoints?: (settings: () => Settings) => Promise<Checkpoints>;
  /** What stood in files that tools of other agents named; nothing of it is kept where it is left out. */
  readonly hostCalls?: HostCalls;
  /** Tells what version control holds of files; nothing is said of it where it is left out. */
  readonly versions?: () => Promise<VersionControl>;
  /** Keeps fetched pages; nothing is cached where it is left out. */
  readonly blobs?: BlobStore;
  readonly secrets: SecretStore;
  readonly tokenHasher: TokenHasher;
  /** Kept for this workspace and user. */
  readonly storage: KeyValueStore;
  /** Kept for this user in every workspace. */
  readonly userStorage: KeyValueStore;
  readonly settings: SettingsSource;
  /**
   * `.vscode/capabilities/boundaries.json` of every folder. Boundaries only tighten, so they count in an untrusted
   * workspace too.
   */
  readonly boundaryFiles: PolicyFileSource;
  /**
   * What the resolver reads of `.vscode/capabilities`: `requirements.json`, `grants.json`, `boundaries.json` and
   * `*.capability.json`; none where nothing is to be resolved.
   */
  readonly resolverFiles?: PolicyFileSource;
  /** Runs probes, over the http client that tools use; nothing is probed where it is left out. */
  readonly prober?: (http: HttpClient) => Prober;
  /** Probes that run a program or send a secret need no approval of their own. */
  readonly approvesProbes?: boolean;
  /** Capabilities of one's own from the workspace; none are loaded where it is left out. */
  readonly definitions?: {
    readonly watcher: DefinitionWatcher;
    readonly approver: DefinitionApprover;
    /** False in an untrusted workspace, where nothing of it acts. */
    readonly trusted: () => boolean;
  };
  /** The version of a Node that brings no SQLite; undefined where it does. */
  readonly withoutSqlite?: string | undefined;
  /** What a built-in tool says to people, by its name, where the surface has it in their language. */
  readonly toolWords?: (name: string) => Partial<Pick<ToolDefinition, 'localTitle' | 'userDescription'>>;
  /** The language of the person, for the names of built-in capabilities; they stay as they are where it is left out. */
  readonly translate?: Translate;
  /** What only some surfaces have: programs, databases, mail, the sandbox, the editor's commands and notifications. */
  readonly extras?: Pick<
    ToolPorts,
    'programs' | 'commands' | 'notifier' | 'databases' | 'mail' | 'sandbox' | 'trustedModules'
  >;
  readonly approvals: ApprovalSurface;
  readonly audit: AuditSink;
  /** Where the program keeps what is its own, which no tool may touch; asked again whenever the rules are gathered. */
  readonly ownPlaces?: () => OwnPlaces;
  /** Tells when base prompts that stand in files of the workspace may have changed; without it they are read once. */
  readonly prompts?: PromptWatch;
  /**
   * Answers what MCP servers ask: to act, to have their tools approved, to know something. Nobody answers where it is
   * left out.
   */
  readonly serverUser?: ServerUser;
  /** The environment from which servers inherit what they need to run; empty where it is left out. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}
