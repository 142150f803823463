import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** In the sample's README, stands for the address of the running sample site. */
const SITE = 'http://127.0.0.1:4580';

/** Copies the sample project, so that what an agent does to it is gone at the next start. */
export async function copySample(root: string, target: string, siteUrl: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  await mkdir(dirname(target), { recursive: true });
  await cp(join(root, 'test', 'support', 'sample-workspace'), target, { recursive: true });
  const readme = join(target, 'README.md');
  await writeFile(readme, (await readFile(readme, 'utf8')).replaceAll(SITE, siteUrl));
}

/** What lets the sample's agent fetch the sample site, which is on this machine. */
export const SAMPLE_SETTINGS: Record<string, unknown> = {
  'agentCapabilities.network.allowedPrivateHosts': ['127.0.0.1'],
};
