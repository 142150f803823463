import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

function isProject(folder: string): boolean {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return false;
  const parsed = JSON.parse(readFileSync(manifest, 'utf8')) as { name?: string; devDependencies?: unknown };
  return parsed.name === 'agent-capabilities' && parsed.devDependencies !== undefined;
}

/**
 * Bundling moves `__dirname`, so the project is looked for upwards, from where the command runs and from the bundle.
 */
export function projectRoot(): string {
  for (const start of [process.cwd(), __dirname]) {
    for (let folder = resolve(start); ; folder = dirname(folder)) {
      if (isProject(folder)) return folder;
      if (dirname(folder) === folder) break;
    }
  }
  throw new Error('the agent-capabilities project was not found: run this from inside the repository');
}
