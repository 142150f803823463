import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** A ripgrep on this machine's search path, for tests and benchmarks only; the product never looks there. */
export function installedRipgrep(): string | undefined {
  const found = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, process.platform === 'win32' ? 'rg.exe' : 'rg'))
    .find((file) => existsSync(file));
  if (found === undefined) return undefined;
  try {
    // Editors ship 14 and newer, which knows CRLF line ends; a distribution's may be older.
    const version = /^ripgrep (\d+)/.exec(execFileSync(found, ['--version'], { encoding: 'utf8' }))?.[1];
    return Number(version) >= 14 ? found : undefined;
  } catch {
    return undefined;
  }
}
