import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installOnce, isInstalled } from '../support/editor/cache';
import { npmInstallLocked } from '../support/editor/npm';
import type { RealAgent } from './agents';
import { whyOutOfReach } from './outcome';

/** A registry that does not answer is not waited for longer. */
const longestMs = 180_000;

/** The version that the lock of an agent names. */
export function versionOf({ id, package: name }: RealAgent): string {
  const { dependencies } = JSON.parse(readFileSync(path.join(locks(id), 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return dependencies[name] ?? '';
}

const locks = (id: string): string => path.join('test', 'realAgents', 'locks', id);

/**
 * The program of an agent in the cache, installed on first use: the exact versions of its lock, with the hashes that
 * stand there, and without scripts.
 * @param isOutOfReach true where the registry was not reached before, so that it is not tried again.
 * @returns why not, where the registry is out of reach. Throws for all else, such as a hash that is another one or a
 *   package that the registry does not have.
 */
export async function installAgent(
  agent: RealAgent,
  node: string,
  isOutOfReach: boolean,
): Promise<{ readonly program: string } | { readonly skipped: string }> {
  const name = `agent-${agent.id}-${versionOf(agent)}`;
  if (isOutOfReach && !isInstalled(name)) return { skipped: 'the registry was out of reach before' };
  try {
    const folder = await installOnce(name, console.log, async (partial) => {
      cpSync(locks(agent.id), partial, { recursive: true });
      await npmInstallLocked(partial, path.dirname(node), { isWhole: agent.isLockPartial !== true, longestMs });
    });
    return { program: path.join(folder, 'node_modules', agent.program()) };
  } catch (error) {
    const skipped = whyOutOfReach(String(error));
    if (skipped === undefined) throw error;
    return { skipped };
  }
}
