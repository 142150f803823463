import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Where the editor of the tests, once it is installed, keeps its own ripgrep. */
function editorFolders(): readonly string[] {
  const cache = process.env['AGENT_CAPABILITIES_CACHE'] ?? path.resolve('.cache');
  if (!existsSync(cache)) return [];
  const inside = 'node_modules/code-server/lib/vscode/node_modules/@vscode/ripgrep-universal/bin';
  return readdirSync(cache).map((entry) => path.join(cache, entry, inside, `${process.platform}-${process.arch}`));
}

/**
 * A ripgrep on this machine's search path or in the editor of the tests, for tests and benchmarks only; the product
 * never looks there.
 */
export function installedRipgrep(): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), ...editorFolders()];
  return folders
    .map((folder) => path.join(folder, name))
    .filter((file) => existsSync(file))
    .find(isNewEnough);
}

/** Editors ship 14 and newer, which knows CRLF line ends; a distribution's may be older. */
function isNewEnough(file: string): boolean {
  try {
    const version = /^ripgrep (\d+)/.exec(execFileSync(file, ['--version'], { encoding: 'utf8' }))?.[1];
    return Number(version) >= 14;
  } catch {
    return false;
  }
}
