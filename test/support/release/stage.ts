import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';

/** The pages of the package that link: the market shows them apart from the files that lie beside them. */
export const linkedPages: readonly string[] = ['CHANGELOG.md', 'README.md'];

/** Copies what goes into the package to a folder of its own; pictures and links of its pages get whole addresses. */
export async function stagePackage(root: string, target: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  for (const file of files) {
    const copy = path.join(target, file);
    await mkdir(path.dirname(copy), { recursive: true });
    if (file.endsWith('.json')) await writeFile(copy, await shortJson(path.join(root, file)));
    else await cp(path.join(root, file), copy);
  }
  const { homepage } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  for (const page of linkedPages) {
    const text = await readFile(path.join(root, page), 'utf8');
    await writeFile(path.join(target, page), withAddresses(text, files, homepage.replace(/#.*$/, '')));
  }
}

/**
 * A page whose links to files that are not in the package lead to the repository, and so do its pictures: the
 * editor shows none that lie beside the page or within its text.
 */
export function withAddresses(markdown: string, packaged: readonly string[], repository: string): string {
  return markdown.replaceAll(
    /(!\[[^\]]*)?\]\((?![a-z]+:|#)([^)#]+)/g,
    (link, alt: string | undefined, file: string) => {
      if (alt !== undefined) return `${alt}](${repository}/raw/HEAD/${file}`;
      return packaged.includes(file) ? link : `](${repository}/blob/HEAD/${file}`;
    },
  );
}

/** Without the spaces that are there for people; what only a developer needs of the manifest stays out. */
export async function shortJson(file: string): Promise<string> {
  const value = JSON.parse(await readFile(file, 'utf8'));
  if (path.basename(file) === 'package.json') {
    delete value.devDependencies;
    delete value.scripts;
    delete value.allowScripts;
  }
  return JSON.stringify(value);
}
