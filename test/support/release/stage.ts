import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';

/**
 * Copies what goes into the package to a folder of its own. The pictures of the README become part of its text, because
 * a page of the editor shows none that lie beside it, and its links to what stays out lead to the repository.
 */
export async function stagePackage(root: string, target: string): Promise<void> {
  await rm(target, { recursive: true, force: true });
  const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
  for (const file of files) {
    const copy = path.join(target, file);
    await mkdir(path.dirname(copy), { recursive: true });
    if (file.endsWith('.json')) await writeFile(copy, await shortJson(path.join(root, file)));
    else await cp(path.join(root, file), copy);
  }
  const readme = await readFile(path.join(root, 'README.md'), 'utf8');
  const { homepage } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const linked = withLinks(await withPictures(readme, root), files, homepage.replace(/#.*$/, ''));
  await writeFile(path.join(target, 'README.md'), linked);
}

/** A page whose links to files that are not in the package lead to the repository; those that are in it stay. */
export function withLinks(markdown: string, packaged: readonly string[], repository: string): string {
  return markdown.replaceAll(/\]\((?![a-z]+:|#)([^)#]+)/g, (link, file: string) =>
    packaged.includes(file) ? link : `](${repository}/blob/HEAD/${file}`,
  );
}

/** Without the spaces that are there for people; what only a developer needs of the manifest stays out. */
async function shortJson(file: string): Promise<string> {
  const value = JSON.parse(await readFile(file, 'utf8'));
  if (path.basename(file) === 'package.json') {
    delete value.devDependencies;
    delete value.scripts;
    delete value.allowScripts;
  }
  return JSON.stringify(value);
}

export async function withPictures(markdown: string, root: string): Promise<string> {
  const files = new Set([...markdown.matchAll(/!\[[^\]]*\]\((media\/[^)]+\.png)\)/g)].map((match) => match[1] ?? ''));
  let text = markdown;
  for (const file of files) {
    const data = (await readFile(path.join(root, file))).toString('base64');
    text = text.replaceAll(`](${file})`, `](data:image/png;base64,${data})`);
  }
  return text;
}
