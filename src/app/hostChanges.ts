import type { CallChanges } from '../core/call/gateCall';
import { HostFiles } from '../core/changes/hostFiles';
import { keepersOf } from '../core/changes/keepers';
import type { ChangeStore } from '../core/ports/changes';
import type { SettingsInForce } from '../core/settings/settingsInForce';
import { begunFolder } from '../node/hooks/begunFolder';
import { NodeFileSystem } from '../node/nodeFileSystem';
import type { Platform } from './platform';

/** What of the platform keeps what calls change. */
export type KeepingPlatform = Pick<Platform, 'checkpoints' | 'clock' | 'crypto' | 'files' | 'hostCalls' | 'log'>;

/** Who keeps what calls change through our files, and who finds what they change without. */
export function keepersFor(platform: KeepingPlatform, settings: SettingsInForce, store: ChangeStore): CallChanges {
  const { checkpoints: open, clock, crypto, files, log } = platform;
  const checkpoints = open && (() => open(() => settings.now));
  return keepersOf({ store, checkpoints, settings: () => settings.now, files, clock, crypto, log });
}

/** Who keeps and records what calls of other agents change in the files that they name. */
export function hostFilesOf(
  { hostCalls, clock, crypto, files, log }: KeepingPlatform,
  settings: SettingsInForce,
  store: ChangeStore,
): HostFiles | undefined {
  if (!hostCalls) return undefined;
  const { privateFolder, folders, isOwner } = hostCalls;
  const disk = new NodeFileSystem({ folders });
  return new HostFiles({
    begun: begunFolder(privateFolder),
    judged: files,
    // The editor's own agent works on what its editors hold; all others on the disk.
    filesOf: (agent) => (agent === 'vscode' ? files : disk),
    keepsSecrets: () => settings.now.get('changes.keepSecrets'),
    store,
    isOwner,
    clock,
    crypto,
    log,
  });
}

/** The same store, into which what hooks kept meanwhile is taken before anything is read. */
export function takingIn(store: ChangeStore, hostFiles: () => Promise<HostFiles | undefined>): ChangeStore {
  return withThese(store, {
    read: async () => {
      await (await hostFiles())?.takeIn();
      return store.read();
    },
  });
}

/** The same store, which tells when something was kept. */
export function told(store: ChangeStore, tell: () => void): ChangeStore {
  return withThese(store, {
    append(records, images) {
      store.append(records, images);
      tell();
    },
  });
}

function withThese(store: ChangeStore, own: Partial<Pick<ChangeStore, 'append' | 'read'>>): ChangeStore {
  return {
    append: (records, images) => store.append(records, images),
    fault: () => store.fault(),
    get mostBytes() {
      return store.mostBytes;
    },
    read: () => store.read(),
    image: (hash) => store.image(hash),
    ...own,
  };
}
