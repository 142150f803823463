import { rmSync } from 'node:fs';
import { mkdtemp, mkdir, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { OpenTour } from '../core/agent/tour';
import { Emitter } from '../core/base/event';
import { DisposableStore } from '../core/base/lifecycle';
import { worded } from '../core/base/sentence';
import type { Confirmer } from '../core/policy/approvals/approvals';
import type { Log } from '../core/ports/platform';
import type { SettingsLayers } from '../core/settings/settings';
import { AuditService } from '../node/audit/auditService';
import { FolderReader } from '../node/audit/folderReader';
import { ownPlaces } from '../node/files/ownPlaces';
import { makeSearchEngine } from '../node/files/search/searchEngine';
import { lateHttpClient } from '../node/lazyPorts';
import { environmentSecrets, memoryStore } from '../node/memory';
import { NodeFileSystem } from '../node/nodeFileSystem';
import { scryptHasher } from '../node/scrypt';
import { nodeCrypto, systemClock } from '../node/system';
import { writeTourProject } from '../node/tour/tourProject';
import { startTourSite } from '../node/tour/tourSite';
import { createWorkerPool } from '../node/workerPool';
import { compose, type Core } from './compose';

interface TourOptions {
  /** Asks the person about the one change. */
  readonly confirmer: Confirmer;
  /** The file of the worker's bundle. */
  readonly worker: string;
  readonly log: Log;
  readonly version: string;
}

/**
 * The same core as the editor's, over a folder of its own: real files, rules, limits, questions and record, the shipped
 * settings, and nothing of the user's: no workspace, no settings, no secrets, no storage.
 */
export async function composeTour({ confirmer, worker, log, version }: TourOptions): Promise<OpenTour> {
  const store = new DisposableStore();
  const base = await realpath(await mkdtemp(path.join(tmpdir(), 'agent-capabilities-tour-')));
  const close = async (): Promise<void> => {
    store.dispose();
    // At once: a window that closes waits for nobody.
    rmSync(base, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 });
  };
  try {
    const folder = path.join(base, 'ferry-times');
    const records = path.join(base, 'record');
    await mkdir(folder);
    await writeTourProject(folder);
    const site = await startTourSite();
    store.add({ dispose: () => site.close() });
    const layers: SettingsLayers = {
      managed: {},
      user: { 'network.allowedPrivateHosts': ['127.0.0.1'] },
      workspace: {},
    };
    const audit = store.add(
      new AuditService({
        dir: records,
        version,
        settings: () => core.settings(),
        onProblem: (said) => log.error(worded(said)),
      }),
    );
    const pool = store.add(createWorkerPool(worker));
    const files = new NodeFileSystem({
      folders: () => [{ name: path.basename(folder), path: folder, scheme: 'file' }],
      search: () => makeSearchEngine({ worker: pool }),
    });
    const core: Core = store.add(
      compose({
        clock: systemClock,
        crypto: nodeCrypto,
        log,
        files,
        http: (settings) =>
          lateHttpClient({ allowedPrivateHosts: () => settings().get('network.allowedPrivateHosts') }),
        worker: pool,
        changes: async (settings) =>
          (await import('../node/changes/changeFolder')).changeFolder({
            storage: path.join(base, 'changes'),
            folders: [folder],
            settings,
            onDropped: () => undefined,
          }),
        secrets: environmentSecrets({}),
        tokenHasher: scryptHasher,
        storage: memoryStore(),
        userStorage: memoryStore(),
        settings: { read: () => layers, onDidChange: store.add(new Emitter<void>()).event },
        boundaryFiles: { read: () => [], onDidChange: store.add(new Emitter<void>()).event },
        approvals: { type: 'person', confirmer },
        audit,
        ownPlaces: () => ownPlaces(files.folders(), [records]),
      }),
    );
    await Promise.all([core.ready, audit.loadRules()]);
    return {
      folder,
      site: site.url,
      router: core.gate.router,
      registry: core.tools.registry,
      profiles: core.tools.profiles,
      record: new FolderReader(records, { before: () => audit.store.flush() }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
