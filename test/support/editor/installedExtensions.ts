import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from './root';

/** Each run begins with an empty one, as for what is compiled: what is installed is what was packaged for it. */
export const installedFolder = (): string => join(projectRoot(), '.build', 'editor-extensions');

const LIST = 'extensions.json';

/**
 * Lets the editor install these packages into `extensions`, the first time in a run; after that their files are copied,
 * for to install takes a process of the whole editor. The editor's list names them by their whole paths.
 */
export async function installOnce(
  vsix: readonly string[],
  extensions: string,
  install: () => Promise<void>,
): Promise<void> {
  const hash = createHash('sha256');
  for (const file of vsix) hash.update(await readFile(file));
  const kept = join(installedFolder(), hash.digest('hex'));
  const list = await readFile(join(kept, LIST), 'utf8').catch(() => undefined);
  if (list === undefined) {
    await install();
    await keep(extensions, kept);
    return;
  }
  await cp(kept, extensions, { recursive: true });
  const placed: { location: object; relativeLocation: string }[] = JSON.parse(list);
  for (const one of placed) one.location = { $mid: 1, scheme: 'file', path: join(extensions, one.relativeLocation) };
  await writeFile(join(extensions, LIST), JSON.stringify(placed));
}

/** Whole at once, for another process may be doing the same; then its copy stays. */
async function keep(extensions: string, kept: string): Promise<void> {
  await mkdir(installedFolder(), { recursive: true });
  const making = await mkdtemp(`${kept}-`);
  await cp(extensions, making, { recursive: true });
  await rename(making, kept).catch(() => rm(making, { recursive: true, force: true }));
}
