import { strict as assert } from 'node:assert';
import type { WorkerPool } from '../../../../src/core/ports/platform';
import { BuiltInSearch } from '../../../../src/node/files/search/builtIn';
import { searchBatchTask } from '../../../../src/node/files/search/searchBatch';
import { makeWorkspace } from '../../../support/workspace';

describe('a search in worker threads', () => {
  it('answers what a search in one thread answers, in the same order', async () => {
    let tasks = 0;
    const worker: WorkerPool = {
      // Later parts are ready first, as threads may be.
      run: async (task, input) => {
        assert.equal(task, 'searchFiles');
        const wait = 30 - 10 * tasks++;
        const result = searchBatchTask(structuredClone(input));
        await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)));
        return structuredClone(result);
      },
    };
    const threads = makeWorkspace({ search: async () => new BuiltInSearch(worker) });
    threads.put(
      Object.fromEntries(
        Array.from({ length: 2500 }, (_, file) => [`d${file % 9}/f${file}`, file % 50 === 0 ? 'needle' : 'hay']),
      ),
    );
    const many = await threads.ok('grep_files', { pattern: 'needle', limit: 1000 });
    threads.dispose();
    const paths: string[] = many['matches'].map((match: any) => match.path);
    assert.deepEqual([paths.length, tasks > 1], [50, true]);
    assert.deepEqual(paths, paths.toSorted());
  });
});
