import { userInfo } from 'node:os';
import path from 'node:path';
import { LooksBetween } from '../core/changes/looksBetween';
import { isInside } from '../core/files/isInside';
import type { Settings } from '../core/settings/settings';
import { gitCheckpoints } from '../node/changes/checkpoints/checkpoints';
import { begunFolder } from '../node/hooks/begunFolder';
import { dropLooks, looksFolder } from '../node/hooks/looksFolder';
import { NodeFileSystem } from '../node/nodeFileSystem';
import { nodeCrypto, systemClock } from '../node/system';

interface SoloLooksOptions {
  readonly privateFolder: string;
  /** The outermost folder of whose files anything is kept. */
  readonly root: string;
  readonly settings: Settings;
  /** So long a look may take, in milliseconds. */
  readonly mostMs: number;
}

const drive = 'C:\\';
/** Where systems keep `git`: a hook's environment is the workspace's to choose. */
const environment: NodeJS.ProcessEnv =
  process.platform === 'win32'
    ? { PATH: path.join(drive, 'Program Files', 'Git', 'cmd'), SystemRoot: path.join(drive, 'Windows') }
    : { PATH: '/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin:/run/current-system/sw/bin' };

/**
 * Finds what other agents' commands change, for the next editor or command that takes it in. Undefined for the home
 * folder and those above it, which nobody opens as a workspace.
 */
export function soloLooks(
  options: SoloLooksOptions,
): { readonly between: LooksBetween; drop(): Promise<void> } | undefined {
  const { privateFolder, root, settings, mostMs } = options;
  if (isInside(userInfo().homedir, root) || path.dirname(root) === root) return undefined;
  const folder = { name: path.basename(root), path: root, scheme: 'file' };
  const looks = looksFolder(privateFolder, root);
  const between = new LooksBetween({
    looks,
    checkpoints: gitCheckpoints({
      storage: looks.storage,
      environment,
      keepsSecrets: () => settings.get('changes.keepSecrets'),
    }),
    begun: begunFolder(privateFolder),
    folder,
    files: new NodeFileSystem({ folders: () => [folder] }),
    settings,
    mostMs,
    clock: systemClock,
    crypto: nodeCrypto,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  return { between, drop: () => dropLooks(privateFolder, systemClock.now()) };
}
