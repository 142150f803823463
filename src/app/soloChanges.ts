import path from 'node:path';
import { HostFiles } from '../core/changes/hostFiles';
import type { FileSystem } from '../core/ports/files';
import type { Settings } from '../core/settings/settings';
import { begunFolder } from '../node/hooks/begunFolder';
import { NodeFileSystem } from '../node/nodeFileSystem';
import { nodeCrypto, systemClock } from '../node/system';

interface SoloChangesOptions {
  readonly privateFolder: string;
  /** The folders of whose files anything is kept. */
  readonly roots: () => readonly string[];
  /** The files by whose folders policy names places. */
  readonly judged: FileSystem;
  readonly settings: Settings;
}

/** Keeps what stands in files before other agents change them, for the next editor or command that takes it in. */
export function soloChanges({
  privateFolder,
  roots,
  judged,
  settings,
}: SoloChangesOptions): Pick<HostFiles, 'begin' | 'end'> {
  const begun = begunFolder(privateFolder);
  /** Where a call began that ends now: it may be told in another folder. */
  const ending = new Set<string>();
  const disk = new NodeFileSystem({
    folders: () =>
      [...new Set([...roots(), ...ending])].map((root) => ({ name: path.basename(root), path: root, scheme: 'file' })),
  });
  const files = new HostFiles({
    begun,
    judged,
    filesOf: () => disk,
    keepsSecrets: () => settings.get('changes.keepSecrets'),
    clock: systemClock,
    crypto: nodeCrypto,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  return {
    begin: (call) => files.begin(call),
    end(id) {
      for (const { call } of begun.begun()) if (call.id === id) for (const { root } of call.places) ending.add(root);
      return files.end(id);
    },
  };
}
