import { build } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../../src/core/base/lifecycle';
import type { WorkerPool } from '../../src/core/ports/platform';
import { createWorkerPool } from '../../src/node/workerPool';

/** Bundles one of the programs that ship beside the extension; the caller removes the folder that it lies in. */
async function bundleEntry(entry: string): Promise<string> {
  const folder = mkdtempSync(path.join(process.cwd(), '.build', 'entry-'));
  const outfile = path.join(folder, 'entry.cjs');
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    mainFields: ['module', 'main'],
  });
  return outfile;
}

/** The real pool over the real worker, bundled for this test run. */
export async function startWorkerPool(size?: number): Promise<WorkerPool & Disposable> {
  const outfile = await bundleEntry('src/worker.ts');
  const pool = createWorkerPool(outfile, size);
  return {
    run: (task, input, options) => pool.run(task, input, options),
    dispose() {
      pool.dispose();
      rmSync(path.dirname(outfile), { recursive: true, force: true });
    },
  };
}
