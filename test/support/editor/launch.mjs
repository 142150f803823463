// Builds a program of the harness, which is TypeScript, and runs it; so it needs no build step of its own.
import { spawn } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..');

/** Runs the TypeScript file `entry` (a path from the repository) with the arguments of this process. */
export async function launch(entry) {
  const outfile = join(root, '.build', 'harness', `${basename(entry, '.ts')}.js`);
  await build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  const child = spawn(process.execPath, ['--enable-source-maps', outfile, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // The child cleans up and decides the end; a signal to this process alone must reach it too.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal ? 1 : 0);
  });
}
