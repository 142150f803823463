import path from 'node:path';

/**
 * Where a command notes in which folders it writes, so that the next one removes what a killed one left there: the
 * user's folder for program state. It is empty, and gone, once every command has ended. Undefined where the environment
 * names no such folder.
 */
export function writesFolder(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  return stateFolder('agent-capabilities-writes', environment, platform);
}

/**
 * Where a command keeps the files of its session, so that the next one removes those of a killed one; gone like the
 * other.
 */
export function sessionsFolder(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  return stateFolder('agent-capabilities-sessions', environment, platform);
}

function stateFolder(name: string, environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  const { XDG_STATE_HOME: state, HOME: home, LOCALAPPDATA: local } = environment;
  const base = platform === 'win32' ? local : state || (home ? path.join(home, ...below(platform)) : undefined);
  return base && path.isAbsolute(base) ? path.join(base, name) : undefined;
}

function below(platform: NodeJS.Platform): readonly string[] {
  return platform === 'darwin' ? ['Library', 'Caches'] : ['.local', 'state'];
}
