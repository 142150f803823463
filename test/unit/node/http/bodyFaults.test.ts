import { strict as assert } from 'node:assert';
import { type FaultServer, startFaultServer } from '../../../support/bodyFaults';
import { fetchTool } from '../../../support/web';

const cap = 2_000_000;
const settings = { 'webFetch.firstByteTimeoutMs': [300], 'webFetch.bodyTimeoutMs': 500, 'webFetch.maxBytes': cap };
const deadline = 800;
/** What ends by the clock alone; all else has time enough on a busy machine. */
const endsByTime = ['drip', 'slow headers', 'silence'];
const patient = { ...settings, 'webFetch.firstByteTimeoutMs': [30_000], 'webFetch.bodyTimeoutMs': 30_000 };

/** What each fault has to come to: an error's code, or how the content begins and whether it is marked as cut. */
const expected: Readonly<Record<string, string | { readonly start: string; readonly truncated: boolean }>> = {
  bomb: { start: 'aaaa', truncated: true },
  drip: { start: 'a', truncated: true },
  endless: { start: 'bbbb', truncated: true },
  'no length': { start: 'all of it', truncated: false },
  'wrong length': { start: 'only this', truncated: true },
  reset: { start: 'some of it', truncated: true },
  '60 KB header': 'network_error',
  '5,000 headers': 'network_error',
  'redirects/30': 'too_many_redirects',
  'redirect to file:': 'invalid_url',
  'wrong charset': { start: 'plain text', truncated: false },
  'two encodings': 'network_error',
  'truncated gzip': { start: 'line 0', truncated: true },
  'slow headers': 'timeout',
  silence: 'timeout',
};

describe('bodies that are broken or hostile', () => {
  let server: FaultServer;
  before(async () => {
    server = await startFaultServer();
  });
  after(() => server.close());

  for (const [name, outcome] of Object.entries(expected)) {
    it(`S3.web-fetch: ends in time, with what came or with a reason: ${name}`, async () => {
      const before = process.memoryUsage();
      let peak = 0;
      const watch = setInterval(() => {
        const now = process.memoryUsage();
        peak = Math.max(peak, now.arrayBuffers - before.arrayBuffers);
      }, 5);
      // A busy machine is late with every timer: what counts is how long after one of the same length it ended.
      let due = Infinity;
      const isTimed = endsByTime.includes(name);
      const timer = setTimeout(() => (due = performance.now()), isTimed ? deadline : 31_000);
      const result = await fetchTool(
        { url: `${server.url}/${encodeURIComponent(name).replaceAll('%2F', '/')}` },
        { settings: isTimed ? settings : patient },
      );
      const late = performance.now() - due;
      clearInterval(watch);
      clearTimeout(timer);
      assert.ok(late < 250, `it ended ${Math.round(late)} ms after its deadline`);
      assert.ok(peak < 2 * cap + 8_000_000, `buffers grew by ${peak} bytes`);
      if (typeof outcome === 'string') {
        assert.equal(result.ok, false);
        assert.equal(result.error.code, outcome);
        return;
      }
      assert.ok(result.ok, JSON.stringify(result));
      const payload = result.outcome.payload as { content: string; size: number; truncated?: boolean };
      assert.deepEqual(
        [payload.content.startsWith(outcome.start), payload.truncated === true],
        [true, outcome.truncated],
        payload.content.slice(0, 80),
      );
      assert.ok(payload.size <= cap);
    });
  }

  it('says what was wrong in words', async () => {
    const message = async (name: string): Promise<string> => {
      const given = { settings: endsByTime.includes(name) ? settings : patient };
      const result = await fetchTool({ url: `${server.url}/${encodeURIComponent(name)}` }, given);
      return result.ok ? '' : result.error.message;
    };
    assert.match(await message('60 KB header'), /sent a head of more than 16384 bytes/);
    assert.match(await message('two encodings'), /2 content encodings where at most one is allowed/);
    assert.equal(await message('slow headers'), 'server did not respond within 0.3 seconds');
  });
});
