import type { PastCall } from '../../core/audit/recentCalls';
import type { Event } from '../../core/base/event';
import type { ToolRouter } from '../../core/gate/router';
import type { ChangesPort } from '../../core/ports/changes';
import type { FileSystem } from '../../core/ports/files';
import type { Crypto, KeyValueStore } from '../../core/ports/platform';
import type { ContextKeys } from '../settings/contextKeys';

/** What the view shows and takes back. */
export interface ShownChanges {
  readonly changes: ChangesPort;
  readonly files: FileSystem;
  readonly crypto: Crypto;
  readonly router: Pick<ToolRouter, 'invoke' | 'preview'>;
  readonly storage: KeyValueStore;
  readonly keys: ContextKeys;
  readonly profileName: (id: string) => string;
  readonly toolTitle: (id: string) => string;
  readonly decorates: () => boolean;
  /** How a call of this window ended, by its id. */
  readonly pastCall: (call: string) => PastCall | undefined;
  /** Fires when something was kept. */
  readonly onDidChange: Event<void>;
  readonly onDidChangeSettings: Event<unknown>;
  readonly onProblem: (message: string) => void;
}
