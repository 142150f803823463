import { strict as assert } from 'node:assert';
import { setTimeout } from 'node:timers/promises';
import type { Disposable } from '../../../../src/core/base/lifecycle';
import { isToolError } from '../../../../src/core/vocabulary/errors';
import type { WorkerPool } from '../../../../src/core/ports/platform';
import type { ReadPageInput, ReadPageOutput } from '../../../../src/capabilities/webFetch/page/readPage';
import { full } from '../../../support/counts';
import { hostilePages } from '../../../support/hostilePages';
import { makeWorkerPool } from '../../../support/sandbox';

/** The longest time in which this thread could do nothing else while the work ran. */
async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  const tick = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(tick, 1);
  await work();
  tick();
  clearInterval(timer);
  return longest;
}

describe('pages that bring converters to their knees', () => {
  let pool: WorkerPool & Disposable;
  before(async () => {
    pool = await makeWorkerPool(1);
    await convert('warm up', 'full');
  });
  after(() => pool.dispose());

  async function convert(html: string, focus: 'full' | 'main'): Promise<string> {
    const input: ReadPageInput = {
      body: new TextEncoder().encode(html),
      url: 'https://e.example/',
      contentType: 'text/html',
      format: 'markdown',
      focus,
      query: undefined,
      fragment: undefined,
      start: 0,
      maxLength: 5_000,
    };
    try {
      const page = (await pool.run('readPage', input, { timeoutMs: 2_000 })) as ReadPageOutput;
      return page.content;
    } catch (error) {
      // A reason that convert.ts knows, and answers by giving the page in a cheaper form.
      if (isToolError(error) && ['timeout', 'too_large'].includes(error.data.code)) return `[${error.data.code}]`;
      throw error;
    }
  }

  for (const [name, html] of Object.entries(hostilePages(full ? 1 : 0.1))) {
    it(`S3.web-fetch: end within 2 s and do not hold up the thread that asked: ${name}`, async () => {
      for (const focus of ['full', 'main'] as const) {
        const started = performance.now();
        let text = '';
        let stall = await longestStall(async () => {
          text = await convert(html, focus);
        });
        assert.ok(performance.now() - started < 3_000, `${focus}: ${Math.round(performance.now() - started)} ms`);
        // Other processes hold this thread up too; the conversion would do it every time, and more than a thread that
        // only waits.
        let control = 0;
        for (let again = 0; stall > Math.max(20, control * 1.5) && again < 12; again++) {
          stall = Math.min(stall, await longestStall(() => convert(html, focus)));
          control = Math.max(
            control,
            await longestStall(() => convert('nothing', 'full')),
            await longestStall(() => setTimeout(500)),
          );
        }
        assert.ok(
          stall <= Math.max(20, control * 1.5),
          `the thread stood still for ${Math.round(stall)} ms, and for ${Math.round(control)} ms with nothing to do`,
        );
        assert.equal(typeof text, 'string');
      }
    });
  }

  it('S3.web-fetch: keeps the text of what is nested too deep, and says that it was flattened', async () => {
    const deep = `${'<div>'.repeat(3_000)}<p>the bottom</p>${'</div>'.repeat(3_000)}<p>the end</p>`;
    assert.equal((await convert(deep, 'full')).replace(/\s+/g, ' '), 'the bottom the end');
  });
});
