import { strict as assert } from 'node:assert';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip, deflateRawSync, gzipSync } from 'node:zlib';
import { streamed } from '../../../../src/node/http/streamed';

type Answer = (response: ServerResponse, request: IncomingMessage) => Promise<void> | void;

/** What is read of an answer of at most 10,000 bytes. */
async function read(answer: Answer): Promise<string> {
  const server = createServer((request, response) => void answer(response, request));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const network = { allowedPrivateHosts: () => ['127.0.0.1'] };
    const response = await streamed(new Request(`http://127.0.0.1:${port}/`), 10_000, network);
    return await response.text();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const events = { 'content-type': 'text/event-stream' };
/** Sends each piece in a packet of its own. */
async function inPieces(response: ServerResponse, pieces: readonly string[]): Promise<void> {
  response.writeHead(200, events);
  for (const piece of pieces) {
    response.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  response.end();
}

describe('an answer that is streamed', () => {
  for (const end of ['\n', '\r\n', '\r'])
    it(`is bounded event by event, also where an event and the line that ends it come apart (${JSON.stringify(end)})`, async () => {
      const line = `data: ${'x'.repeat(4000)}${end}`;
      const pieces = Array.from({ length: 8 }, () => [line, end]).flat();
      assert.equal(await read((response) => inPieces(response, pieces)), pieces.join(''));
      await assert.rejects(read((response) => inPieces(response, [line, line, line, end])));
      await assert.rejects(read((response) => inPieces(response, [`${line}${end}${line}`, line, line, line])));
    });

  it('asks for no encoding, and is decoded where it has one all the same', async () => {
    const answer = JSON.stringify({ text: 'é'.repeat(1000) });
    const json = { 'content-type': 'application/json' };
    for (const [encoding, bytes] of [
      ['gzip', gzipSync(answer)],
      ['deflate', deflateRawSync(answer)],
      ['identity', Buffer.from(answer)],
    ] as const)
      assert.equal(
        await read((response, request) => {
          assert.equal(request.headers['accept-encoding'], 'identity');
          response.writeHead(200, { ...json, 'content-encoding': encoding, 'content-length': bytes.length }).end(bytes);
        }),
        answer,
      );
    const none = await read((response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end());
    assert.equal(none, '');
  });

  it('is bounded by what it is decoded to, and fails where it is damaged or broken off', async () => {
    const gzip = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    await assert.rejects(read((response) => void response.writeHead(200, gzip).end(bomb)));
    await assert.rejects(read((response) => void response.writeHead(200, gzip).end('no gzip')));
    const half = gzipSync('x'.repeat(5000)).subarray(0, 20);
    await assert.rejects(read((response) => void response.writeHead(200, gzip).end(half)));
    await assert.rejects(
      read((response) => {
        response.writeHead(200, { ...gzip, 'content-length': 5000 }).write(half);
        setTimeout(() => response.destroy(), 20);
      }),
    );
  });

  it('hands on each event of an encoded stream as it comes', async () => {
    const text = await read((response) => {
      response.writeHead(200, { ...events, 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      for (let at = 0; at < 20; at++) {
        gzip.write(`data: ${'x'.repeat(2000)}\n\n`);
        gzip.flush();
      }
      gzip.end();
    });
    assert.equal(text.length, 20 * 2008);
  });
});
