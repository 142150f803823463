import { say } from '../../src/core/base/sentence';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compose } from '../../src/app/compose';
import type { Platform } from '../../src/app/platform';
import type { AuditEvent } from '../../src/core/audit/event';
import { Emitter } from '../../src/core/base/event';
import { toolError } from '../../src/core/vocabulary/errors';
import type { CallApprover } from '../../src/core/call/gateCall';
import type { SettingsLayers } from '../../src/core/settings/settings';
import { NodeFileSystem } from '../../src/node/nodeFileSystem';
import { SessionRoots } from '../../src/node/files/sessionRoots';
import { scryptHasher } from '../../src/node/scrypt';
import { nodeCrypto, systemClock } from '../../src/node/system';
import { MemorySecrets, MemoryStore } from './toolContext';
import { temporaryWorkspace } from './cli';

export interface SystemOptions {
  files?: Readonly<Record<string, string>>;
  user?: Record<string, unknown>;
  workspace?: Record<string, unknown>;
  approve?: boolean;
  /** Is told of each time that the settings are read. */
  onSettingsRead?: () => void;
  platform?: Partial<Platform>;
}

/**
 * The whole system without an editor over a folder that is gone afterwards: real files and gate, a network that
 * refuses, heavy work in this process.
 */
export async function openSystem(options: SystemOptions = {}) {
  const { folder, dispose } = temporaryWorkspace(options.files);
  const sessions = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-session-'));
  const events: AuditEvent[] = [];
  const errors: string[] = [];
  const settingsChanged = new Emitter<void>();
  const filesChanged = new Emitter<void>();
  let layers: SettingsLayers = { managed: {}, user: options.user ?? {}, workspace: options.workspace ?? {} };
  const approver: CallApprover = {
    covering: () => undefined,
    ask: async () =>
      options.approve === true
        ? { outcome: 'allowed', by: 'user', waitedMs: 0 }
        : { outcome: 'denied', by: 'unavailable', why: say('as_it_is', 'the test says no'), waitedMs: 0 },
  };
  const core = compose({
    clock: systemClock,
    crypto: nodeCrypto,
    log: { debug() {}, info() {}, warn() {}, error: (message) => errors.push(message) },
    files: new NodeFileSystem({
      folders: () => [{ name: path.basename(folder), path: folder, scheme: 'file' }],
      sessionStorage: new SessionRoots(sessions),
      search: async () => new (await import('../../src/node/files/search/builtIn')).BuiltInSearch(),
    }),
    http: () => ({
      send: async (request) => {
        throw toolError('network_error', `\`${request.url}\` cannot be reached in a test`);
      },
    }),
    worker: { run: async () => Promise.reject(toolError('unsupported', 'no worker in this test')) },
    secrets: new MemorySecrets(),
    tokenHasher: scryptHasher,
    storage: new MemoryStore(),
    userStorage: new MemoryStore(),
    settings: {
      read: () => {
        options.onSettingsRead?.();
        return layers;
      },
      onDidChange: settingsChanged.event,
    },
    boundaryFiles: { read: () => [], onDidChange: filesChanged.event },
    approvals: { type: 'preset', approver },
    audit: { record: (event) => events.push(event) },
    ...options.platform,
  });
  await core.ready;
  return {
    core,
    folder,
    events,
    errors,
    layers: () => layers,
    write: (next: Partial<SettingsLayers>) => {
      layers = { ...layers, ...next };
      settingsChanged.fire();
    },
    /** What the editor says when folders of the workspace come or go, and with them the files of the policy. */
    placesChanged: () => filesChanged.fire(),
    call: (tool: string, input: unknown = {}, type: 'user' | 'agent' = 'agent') =>
      core.gate.router.invoke({ tool, input, actor: { type, id: 'test' }, surface: 'cli' }),
    dispose: () => {
      core.dispose();
      settingsChanged.dispose();
      filesChanged.dispose();
      dispose();
      rmSync(sessions, { recursive: true, force: true });
    },
  };
}
