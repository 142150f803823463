import { build } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../../src/core/base/lifecycle';
import type { WorkerPool } from '../../src/core/ports';
import { createWorkerPool } from '../../src/node/workerPool';

/** The real pool over the real worker, bundled for this test run. */
export async function startWorkerPool(size?: number): Promise<WorkerPool & Disposable> {
  const folder = mkdtempSync(path.join(process.cwd(), '.build', 'worker-'));
  const outfile = path.join(folder, 'worker.cjs');
  await build({
    entryPoints: ['src/worker.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    mainFields: ['module', 'main'],
  });
  const pool = createWorkerPool(outfile, size);
  return {
    run: (task, input, options) => pool.run(task, input, options),
    dispose() {
      pool.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
