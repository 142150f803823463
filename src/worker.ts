import { parentPort } from 'node:worker_threads';
import type { WorkerAnswer, WorkerRequest } from './node/workerPool';
import { messageOf } from './core/base/errorText';

/** The tasks of the worker bundle, each loaded on first use. */
const tasks: Readonly<Record<string, () => Promise<(input: unknown) => unknown>>> = {
  readPage: async () => (await import('./capabilities/webFetch/page/readPage')).readPageTask,
  searchFiles: async () => (await import('./node/files/search/searchBatch')).searchBatchTask,
};

async function answer({ id, task, input }: WorkerRequest): Promise<WorkerAnswer> {
  try {
    const load = tasks[task];
    if (!load) throw new Error(`the worker has no task \`${task}\``);
    const run = await load();
    return { id, ok: true, output: await run(input) };
  } catch (error) {
    return { id, ok: false, message: messageOf(error) };
  }
}

parentPort?.on('message', (request: WorkerRequest) => {
  void answer(request).then((reply) => parentPort?.postMessage(reply));
});
