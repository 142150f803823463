import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installOnce } from '../support/editor/cache';
import { npmInstallLocked } from '../support/editor/npm';
import type { RealAgent } from './agents';

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

/** What npm says where the registry cannot be reached, or does not have the package. */
const unreachable = /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|E40[134]|E5\d\d|SIGTERM/;

/**
 * The program of an agent in the cache, installed on first use: the exact versions of its lock, with the hashes that
 * stand there, and without scripts.
 * @returns why not, where the registry is out of reach. Throws for all else, such as a hash that is another one.
 */
export async function installAgent(
  agent: RealAgent,
  node: string,
): Promise<{ readonly program: string } | { readonly skipped: string }> {
  const name = `agent-${agent.id}-${versionOf(agent)}`;
  try {
    const folder = await installOnce(name, console.log, async (partial) => {
      cpSync(locks(agent.id), partial, { recursive: true });
      await npmInstallLocked(partial, path.dirname(node), { isWhole: agent.isLockPartial !== true, longestMs });
    });
    return { program: path.join(folder, 'node_modules', agent.program()) };
  } catch (error) {
    const code = unreachable.exec(String(error))?.[0];
    if (code === undefined) throw error;
    return { skipped: code === 'SIGTERM' ? `not installed within ${longestMs / 1000} s` : `the registry said ${code}` };
  }
}
