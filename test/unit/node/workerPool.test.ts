import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isToolError } from '../../../src/core/vocabulary/errors';
import { createWorkerPool } from '../../../src/node/workerPool';

const script = `
const { parentPort } = require('node:worker_threads');
let served = 0;
const tasks = {
  echo: (input) => input,
  count: () => ++served,
  hang: () => { for (;;); },
  wait: (ms) => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms); return 'waited'; },
  eat: () => { const all = []; for (;;) all.push(new Array(100000).fill(Math.random())); },
  exit: () => process.exit(3),
};
parentPort.on('message', ({ id, task, input }) => {
  try { parentPort.postMessage({ id, ok: true, output: tasks[task](input) }); }
  catch (error) { parentPort.postMessage({ id, ok: false, message: String(error.message) }); }
});`;

describe('the worker pool', () => {
  let folder: string;
  let file: string;
  before(() => {
    mkdirSync('.build', { recursive: true });
    folder = mkdtempSync(path.join(process.cwd(), '.build', 'pool-'));
    file = path.join(folder, 'worker.cjs');
    writeFileSync(file, script);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  const codeOf = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'ok',
      (error: unknown) => (isToolError(error) ? error.data.code : String(error)),
    );

  it('runs tasks, keeps its threads between them, and lets the others wait', async () => {
    const pool = createWorkerPool(file, 1);
    const options = { timeoutMs: 5_000 };
    assert.deepEqual(await Promise.all([1, 2, 3].map((value) => pool.run('echo', { value }, options))), [
      { value: 1 },
      { value: 2 },
      { value: 3 },
    ]);
    assert.deepEqual([await pool.run('count', 0, options), await pool.run('count', 0, options)], [1, 2]);
    pool.dispose();
    assert.match(await codeOf(pool.run('echo', 1, options)), /closed/);
  });

  it('stops a task that takes too long or too much, and goes on with the next', async () => {
    const pool = createWorkerPool(file, 1);
    const started = performance.now();
    assert.equal(await codeOf(pool.run('hang', 0, { timeoutMs: 200 })), 'timeout');
    assert.ok(performance.now() - started < 5_000);
    assert.equal(await codeOf(pool.run('eat', 0, { timeoutMs: 20_000, memoryMb: 32 })), 'too_large');
    assert.match(await codeOf(pool.run('exit', 0, { timeoutMs: 5_000 })), /ended with code 3/);
    assert.match(await codeOf(pool.run('nope', 0, { timeoutMs: 5_000 })), /not a function/);
    assert.equal(await pool.run('echo', 'still here', { timeoutMs: 5_000 }), 'still here');
    pool.dispose();
  });

  it('lets a task that waited for the processor have its time, and stops it all the same in the end', async () => {
    const pool = createWorkerPool(file, 1);
    // A task that only waits uses no processor time, as one that other programs keep from it.
    assert.equal(await pool.run('wait', 1_000, { timeoutMs: 500 }), 'waited');
    assert.equal(await codeOf(pool.run('wait', 60_000, { timeoutMs: 200 })), 'timeout');
    pool.dispose();
  });

  it('stops a task that is cancelled, before and while it runs', async () => {
    const pool = createWorkerPool(file, 1);
    const controller = new AbortController();
    const running = codeOf(pool.run('hang', 0, { timeoutMs: 10_000, signal: controller.signal }));
    setTimeout(() => controller.abort(), 50);
    assert.equal(await running, 'cancelled');
    assert.equal(await codeOf(pool.run('echo', 0, { timeoutMs: 1_000, signal: controller.signal })), 'cancelled');
    pool.dispose();
  });
});
