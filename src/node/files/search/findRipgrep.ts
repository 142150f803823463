import path from 'node:path';
import { isExecutable } from '../../programs/searchPath';

/**
 * Where editors keep ripgrep below their application's folder; it moved between versions, and none of this is promised.
 */
function candidates(appRoot: string): readonly string[] {
  const { platform, arch } = process;
  const binary = platform === 'win32' ? 'rg.exe' : 'rg';
  const system = platform === 'win32' ? 'win32' : platform;
  const packages = [
    ['@vscode', 'ripgrep-universal', 'bin', `${system}-${arch}`],
    ['@vscode', 'ripgrep', 'bin'],
    ['@vscode', `ripgrep-${system}-${arch}`, 'bin'],
    ['vscode-ripgrep', 'bin'],
  ];
  return ['node_modules', 'node_modules.asar.unpacked'].flatMap((folder) =>
    packages.map((parts) => path.join(appRoot, folder, ...parts, binary)),
  );
}

/**
 * Finds the ripgrep that the editor ships. It is only looked for in the application's own folder, never by a setting or
 * on the search path: a workspace must not choose what is run. Undefined where there is none.
 */
export async function findRipgrep(appRoot: string): Promise<string | undefined> {
  for (const candidate of candidates(appRoot)) if (await isExecutable(candidate)) return candidate;
  return undefined;
}
