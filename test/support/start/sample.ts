import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tourPrompts } from './scriptedModel';

/** In the sample's README, stands for the prompts of the tour. */
const PROMPTS = '<!-- the prompts of the tour -->';

/** In the sample's README, stands for the address of the running sample site. */
const SITE = 'http://127.0.0.1:4580';

/** Copies the sample project, so that what an agent does to it is gone at the next start. */
export async function copySample(root: string, target: string, siteUrl: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  await mkdir(dirname(target), { recursive: true });
  await cp(join(root, 'test', 'support', 'sample-workspace'), target, { recursive: true });
  const readme = join(target, 'README.md');
  const steps = tourPrompts(siteUrl);
  const prompts = [...steps.map(({ prompt }) => prompt), 'Show me the record.'].map((prompt) => `> ${prompt}`);
  const text = (await readFile(readme, 'utf8')).replaceAll(SITE, siteUrl);
  await writeFile(readme, text.replace(PROMPTS, prompts.join('\n\n')));
  // Starters of the chat are prompt files; the settings name them.
  const starters = join(target, '.github', 'prompts');
  await mkdir(starters, { recursive: true });
  for (const { id, title, prompt } of steps)
    await writeFile(
      join(starters, `tour-${id}.prompt.md`),
      `---\ndescription: ${title}\nagent: agent\n---\n${prompt}\n`,
    );
}

/** What lets the sample's agent fetch the sample site, which is on this machine. */
export const SAMPLE_SETTINGS: Record<string, unknown> = {
  'agentCapabilities.network.allowedPrivateHosts': ['127.0.0.1'],
  'chat.promptFilesRecommendations': { 'tour-look': true, 'tour-secret': true, 'tour-change': true },
};
