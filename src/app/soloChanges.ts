import path from 'node:path';
import { HostFiles } from '../core/changes/hostFiles';
import type { FileSystem } from '../core/ports/files';
import type { Settings } from '../core/settings/settings';
import { begunFolder } from '../node/hooks/begunFolder';
import { NodeFileSystem } from '../node/nodeFileSystem';
import { nodeCrypto, systemClock } from '../node/system';

interface SoloChangesOptions {
  readonly privateFolder: string;
  /** The outermost folder of whose files anything is kept. */
  readonly root: string;
  /** The files by whose folders policy names places. */
  readonly judged: FileSystem;
  readonly settings: Settings;
}

/** Keeps what stands in files before other agents change them, for the next editor or command that takes it in. */
export function soloChanges({ privateFolder, root, judged, settings }: SoloChangesOptions): HostFiles {
  const disk = new NodeFileSystem({ folders: () => [{ name: path.basename(root), path: root, scheme: 'file' }] });
  return new HostFiles({
    begun: begunFolder(privateFolder),
    judged,
    filesOf: () => disk,
    keepsSecrets: () => settings.get('changes.keepSecrets'),
    clock: systemClock,
    crypto: nodeCrypto,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
}
