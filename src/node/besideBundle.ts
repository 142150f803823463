import path from 'node:path';

/**
 * The path of another bundle of ours. Bundles stand beside the command line's; tests name their folder by the
 * environment, because they run elsewhere.
 */
export function besideBundle(environment: NodeJS.ProcessEnv, name: string): string {
  const beside = path.join(__dirname, __dirname.endsWith('chunks') ? '..' : '.');
  return path.join(environment['AGENT_CAPABILITIES_BUNDLES'] ?? beside, name);
}
