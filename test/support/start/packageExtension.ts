import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../editor/processes';
import { stagePackage } from '../release/stage';

const VSCE_FLAGS = ['--no-dependencies', '--no-rewrite-relative-links', '--allow-missing-repository'];

/** Packages the extension whose manifest is in `folder`, under a name that appears only when the file is complete. */
export async function packageExtension(folder: string, root: string, target: string): Promise<string> {
  const temporary = join(root, '.build', `package-${process.pid}.vsix`);
  await mkdir(join(root, '.build'), { recursive: true });
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  await runProgram(process.execPath, [vsce, 'package', ...VSCE_FLAGS, '--out', temporary], { cwd: folder });
  await rename(temporary, target);
  return target;
}

/** The buttons in the sample's README, packaged. */
export const packageGuide = (root: string): Promise<string> =>
  packageExtension(join(root, 'test', 'support', 'start', 'guide'), root, join(root, '.build', 'guide.vsix'));

/** Builds the project's extension and packages it at the top of the repository. */
export async function buildAndPackage(root: string): Promise<string> {
  const script = join(root, 'esbuild.mjs');
  if (!existsSync(script)) throw new Error('esbuild.mjs is missing: there is nothing to build the extension with');
  // The whole run has just built it, and its tests read what was built.
  if (!process.env['AGENT_CAPABILITIES_BUILT']) await runProgram(process.execPath, [script], { cwd: root });
  const staged = join(root, '.build', `package-${process.pid}`);
  await stagePackage(root, staged);
  try {
    return await packageExtension(staged, root, join(root, 'agent-capabilities.vsix'));
  } finally {
    await rm(staged, { recursive: true, force: true });
  }
}
