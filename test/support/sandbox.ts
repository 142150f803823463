import { build } from 'esbuild';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { createSandbox } from '../../src/node/sandbox/sandbox';
import { createWorkerPool } from '../../src/node/workerPool';

const built = new Map<string, Promise<string>>();

type Thread = 'sandboxWorker' | 'worker' | 'sqliteProcess';

/**
 * Builds one of the entries of threads and processes as the product does, once for all processes of a run, which begins
 * by removing what an earlier one built.
 */
export function buildThread(name: Thread): Promise<string> {
  const known = built.get(name);
  if (known) return known;
  const made = buildOnce(name, path.resolve(`.build/threads/${name}.cjs`));
  built.set(name, made);
  return made;
}

async function buildOnce(name: Thread, target: string): Promise<string> {
  if (existsSync(target)) return target;
  const outfile = `${target}.${process.pid}.cjs`;
  await build({
    entryPoints: [`src/${name}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    packages: 'external',
    mainFields: ['module', 'main'],
    logLevel: 'warning',
  });
  // Two processes may build it at once; whoever loads it sees a whole one.
  await rename(outfile, target);
  return target;
}

export async function makeSandbox() {
  return createSandbox(await buildThread('sandboxWorker'));
}

export async function makeWorkerPool(size?: number) {
  return createWorkerPool(await buildThread('worker'), size);
}
