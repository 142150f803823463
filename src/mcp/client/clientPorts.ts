import type { AuditSink } from '../../core/audit/event';
import type { Clock, Crypto, KeyValueStore, Log, SecretStore } from '../../core/ports/platform';
import type { FileSystem } from '../../core/ports/files';
import type { HttpClient } from '../../core/ports/http';
import type { ServerUser } from '../../core/foreign/serverUser';
import type { CapabilityRegistry } from '../../core/registry/registry';
import type { Settings } from '../../core/settings/settings';

/** What the servers' manager works with; made in `compose.ts`. */
export interface McpClientPorts {
  readonly registry: CapabilityRegistry;
  readonly clock: Clock;
  readonly crypto: Crypto;
  readonly log: Log;
  /** What `${secret:…}` in entries may name. */
  readonly secrets: SecretStore;
  /** Keeps the tokens of signed-in servers, where `${secret:…}` cannot reach them. */
  readonly tokens: SecretStore;
  /** The machine's files, in which a server reads its paths. */
  readonly files: FileSystem;
  /** The one way out, for servers over HTTP. */
  readonly http: HttpClient;
  /**
   * The files of the active profile: the workspace's, or the session's own. Their folders are what a server is told.
   */
  readonly rooted: () => FileSystem;
  /** False in an untrusted workspace, whose folders no server is told. */
  readonly trusted: () => boolean;
  /** Keeps pins, accepted workspace entries and what servers were found to speak. */
  readonly storage: KeyValueStore;
  readonly settings: () => Settings;
  readonly user: ServerUser;
  readonly audit: AuditSink;
  readonly environment: Readonly<Record<string, string | undefined>>;
}
