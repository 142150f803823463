import path from 'node:path';

/**
 * Folders of a command below the user's folder for program state, so that the next command removes what a killed one
 * left: `writes` notes in which folders it writes, `sessions` holds the files of its session. They are empty, and gone,
 * once every command has ended. `changes` keeps what stood there before a call changed it, for a bounded time;
 * `bundles` the signed bundles that were in force last. Undefined where the environment names no such folder.
 */
export function stateFolder(
  name: 'writes' | 'sessions' | 'changes' | 'bundles',
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const { XDG_STATE_HOME: state, HOME: home, LOCALAPPDATA: local } = environment;
  const { platform } = process;
  const below = platform === 'darwin' ? ['Library', 'Caches'] : ['.local', 'state'];
  const base = platform === 'win32' ? local : state || (home ? path.join(home, ...below) : undefined);
  return base && path.isAbsolute(base) ? path.join(base, `agent-capabilities-${name}`) : undefined;
}
