import { delimiter } from 'node:path';
import { runProgram } from './processes';

/** What the outer npm run exports about itself must not redirect the installations inside it. */
function npmEnvironment(nodeBin: string | undefined): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const key of Object.keys(env)) {
    if (
      /^npm_(package_|lifecycle_|config_(local_prefix|global_prefix|prefix|dry_run|json|workspace|omit|include|global|noproxy)$)/i.test(
        key,
      )
    ) {
      delete env[key];
    }
  }
  delete env['NODE_OPTIONS'];
  if (nodeBin) env['PATH'] = `${nodeBin}${delimiter}${env['PATH'] ?? ''}`;
  return env;
}

/** A registry that does not answer is tried once more, at once. */
const impatient = [
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=1000',
  '--fetch-timeout=30000',
];
const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs what the lock of the folder says, with the hashes that stand there.
 * @param isWhole false where packages for other systems stand in no registry: `npm ci` installs nothing then.
 * @param longestMs after which npm is ended, and this fails.
 */
export async function npmInstallLocked(
  folder: string,
  nodeBin: string | undefined,
  { isWhole, longestMs }: { readonly isWhole: boolean; readonly longestMs: number },
): Promise<void> {
  const how = isWhole ? ['ci'] : ['install', '--no-save'];
  await runProgram('npm', [...how, ...quiet, ...impatient], {
    cwd: folder,
    env: npmEnvironment(nodeBin),
    timeout: longestMs,
  });
}

export async function npmInstall(folder: string, nodeBin: string | undefined, args: string[]): Promise<void> {
  await runProgram('npm', ['install', '--prefix', folder, ...quiet, ...args], {
    cwd: folder,
    env: npmEnvironment(nodeBin),
  });
}
