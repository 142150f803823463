import { build } from 'esbuild';
import path from 'node:path';
import { createSandbox } from '../../src/node/sandbox/sandbox';
import { createWorkerPool } from '../../src/node/workerPool';

const built = new Map<string, Promise<string>>();

/** Builds one of the entries of threads and processes as the product does, once a process. */
export function buildThread(name: 'sandboxWorker' | 'worker' | 'sqliteProcess'): Promise<string> {
  const known = built.get(name);
  if (known) return known;
  const outfile = path.resolve(`.build/threads/${name}-${process.pid}.cjs`);
  const made = build({
    entryPoints: [`src/${name}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    packages: 'external',
    mainFields: ['module', 'main'],
    logLevel: 'warning',
  }).then(() => outfile);
  built.set(name, made);
  return made;
}

export async function makeSandbox() {
  return createSandbox(await buildThread('sandboxWorker'));
}

export async function makeWorkerPool() {
  return createWorkerPool(await buildThread('worker'));
}
