import { build } from 'esbuild';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { WorkerPool } from '../../src/core/ports';
import { toolError } from '../../src/core/errors';
import { cacheDir } from './editor/cache';

/** The newer Node that the editor harness brings, undefined where it has not been installed. This process's own where it is new enough. */
export function newNode(): string | undefined {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return process.execPath;
  const cache = cacheDir();
  for (const name of existsSync(cache) ? readdirSync(cache) : [])
    for (const platform of [`node-${process.platform}-${process.arch}`]) {
      const file = path.join(cache, name, 'node_modules', platform, 'bin', 'node');
      if (existsSync(file)) return file;
    }
  return undefined;
}

/** A worker pool that runs the task `sqlite` in a process of the newer Node, one for each call. */
export async function newNodePool(node: string): Promise<WorkerPool> {
  const outfile = path.resolve(`.build/threads/sqlite-${process.pid}.cjs`);
  await build({
    stdin: {
      contents:
        "import { sqliteTask } from './src/node/databases/sqliteTask'; let text = ''; process.stdin.on('data', (d) => (text += d)).on('end', async () => process.stdout.write(JSON.stringify(await sqliteTask(JSON.parse(text)))));",
      resolveDir: process.cwd(),
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    logLevel: 'warning',
  });
  return {
    run: (task, input, { timeoutMs, signal }) =>
      new Promise((resolve, reject) => {
        if (task !== 'sqlite') return reject(new Error(`no task ${task}`));
        const child = spawn(node, ['--no-warnings', outfile], { stdio: ['pipe', 'pipe', 'inherit'] });
        let text = '';
        const stop = (error: Error): void => {
          child.kill('SIGKILL');
          reject(error);
        };
        // Starting a process takes longer than waking a thread; the limit is for the query.
        const timer = setTimeout(() => stop(toolError('timeout', 'the query took too long')), timeoutMs + 3000);
        signal?.addEventListener('abort', () => stop(toolError('cancelled', 'cancelled')), { once: true });
        child.stdout.on('data', (data) => (text += String(data)));
        child.on('close', () => {
          clearTimeout(timer);
          if (text !== '') resolve(JSON.parse(text));
          else reject(new Error('no answer'));
        });
        child.stdin.end(JSON.stringify(input));
      }),
  };
}
