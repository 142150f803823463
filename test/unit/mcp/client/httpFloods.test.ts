import { strict as assert } from 'node:assert';
import type { Transport } from '@modelcontextprotocol/client';
import { guardedFetch } from '../../../../src/mcp/client/guardedFetch';
import { dropsFloods } from '../../../../src/mcp/client/messageRate';

/** A server's stream that sends a chunk as often as it is asked for one. */
async function stream(chunk: string, chunks: number): Promise<ReadableStream<Uint8Array>> {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => (sent++ < chunks ? controller.enqueue(Buffer.from(chunk)) : controller.close()),
  });
  const fetch = guardedFetch({
    send: () => Promise.reject(new Error('not sent')),
    fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
  });
  const response = await fetch('https://a.example/mcp');
  assert.ok(response.body);
  return response.body;
}

/** Reads for so many milliseconds, and tells what came and how often a timer ran. */
async function readFor(ms: number, body: ReadableStream<Uint8Array>): Promise<{ text: string; ticks: number }> {
  const reader = body.getReader();
  const begun = performance.now();
  let ticks = 0;
  let text = '';
  const timer = setInterval(() => ticks++, 5);
  while (performance.now() - begun < ms) {
    const { value, done } = await reader.read();
    if (done) break;
    text += Buffer.from(value).toString();
  }
  clearInterval(timer);
  await reader.cancel();
  return { text, ticks };
}

describe('a flood over HTTP', () => {
  const note = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
  for (const [what, unit, most] of [
    ['notifications', `data: ${note}\n\n`, 3000],
    ['comments', ':\n', 200_000],
    ['events of nothing', 'data\n\n', 3000],
    ['bytes', `data: ${'x'.repeat(20_000)}\n\n`, 1500],
  ] as const)
    it(`comes no faster than the thread can read it, and leaves turns for others: ${what}`, async () => {
      const chunk = unit.repeat(Math.ceil(65_536 / unit.length));
      const { text, ticks } = await readFor(1000, await stream(chunk, 100_000));
      assert.ok(text.length / unit.length < most, `${text.length / unit.length} came`);
      assert.ok(ticks > 20, `${ticks} ticks`);
    });

  it('is none where a server sends one large answer, which comes whole and at once', async () => {
    const chunk = `data: ${'x'.repeat(4_000_000)}\n\n`;
    const begun = performance.now();
    const { text } = await readFor(20_000, await stream(chunk, 1));
    assert.equal(text, chunk);
    assert.ok(performance.now() - begun < 15_000);
  });

  it('is counted as one of a program is: more than 300 notifications in a second are dropped, and no answer', async () => {
    const transport: Transport = dropsFloods({
      start: () => Promise.resolve(),
      send: () => Promise.resolve(),
      close: () => Promise.resolve(),
    });
    assert.equal(Reflect.get(transport, 'onmessage'), undefined);
    let notes = 0;
    let answers = 0;
    const count: Transport['onmessage'] = (message) => void ('method' in message ? notes++ : answers++);
    Object.assign(transport, { onmessage: count });
    for (let at = 0; at < 2000; at++) {
      transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/progress' });
      transport.onmessage?.({ jsonrpc: '2.0', id: at, result: {} });
    }
    assert.equal(answers, 2000);
    assert.ok(notes >= 300 && notes <= 900, `${notes} notifications`);
  });
});
