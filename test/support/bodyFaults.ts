import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, createGzip, gzipSync } from 'node:zlib';

export interface FaultServer {
  readonly url: string;
  close(): Promise<void>;
}

type Fault = (socket: Socket, every: (ms: number, work: () => void) => void) => void;

let packedBomb: Buffer = Buffer.alloc(0);

/** 60 MB of one letter in 60 KB, packed in pieces so that the test itself never holds it whole. */
async function packBomb(): Promise<Buffer> {
  const gzip = createGzip();
  const piece = Buffer.alloc(1_000_000, 97);
  const packed: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => packed.push(chunk));
  for (let count = 0; count < 60; count++)
    if (!gzip.write(piece)) await new Promise((resolve) => gzip.once('drain', resolve));
  gzip.end();
  await new Promise((resolve) => gzip.once('end', resolve));
  return Buffer.concat(packed);
}

const head = (lines: readonly string[]): string => `HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n`;
const text = 'content-type: text/plain';

/** What a hostile or broken server can do with one answer, by name; each written to the bare socket. */
export const bodyFaults: Readonly<Record<string, Fault>> = {
  bomb: (socket) => {
    const packed = packedBomb;
    socket.end(
      Buffer.concat([Buffer.from(head([text, 'content-encoding: gzip', `content-length: ${packed.length}`])), packed]),
    );
  },
  drip: (socket, every) => {
    socket.write(head([text, 'content-length: 100000']));
    every(30, () => socket.write('a'));
  },
  endless: (socket, every) => {
    socket.write(head([text, 'connection: close']));
    const chunk = Buffer.alloc(65_536, 98);
    every(1, () => {
      for (let count = 0; count < 8 && socket.writableLength < 1_000_000; count++) socket.write(chunk);
    });
  },
  'no length': (socket) => socket.end(`${head([text, 'connection: close'])}all of it`),
  'wrong length': (socket) => socket.end(`${head([text, 'content-length: 1000'])}only this`),
  reset: (socket) => {
    socket.write(`${head([text, 'content-length: 1000'])}some of it`);
    setTimeout(() => socket.resetAndDestroy(), 50);
  },
  '60 KB header': (socket) => socket.end(`${head([`x-long: ${'a'.repeat(60_000)}`])}x`),
  '5,000 headers': (socket) => socket.end(`${head(Array.from({ length: 5_000 }, (_unused, at) => `x-${at}: v`))}x`),
  'redirect to file:': (socket) =>
    socket.end('HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\ncontent-length: 0\r\n\r\n'),
  'wrong charset': (socket) =>
    socket.end(`${head(['content-type: text/plain; charset=klingon', 'connection: close'])}plain text`),
  'two encodings': (socket) => {
    const packed = brotliCompressSync(gzipSync('twice'));
    socket.end(
      Buffer.concat([
        Buffer.from(head([text, 'content-encoding: gzip, br', `content-length: ${packed.length}`])),
        packed,
      ]),
    );
  },
  'truncated gzip': (socket) => {
    const packed = gzipSync(Buffer.from(Array.from({ length: 5_000 }, (_unused, at) => `line ${at}\n`).join('')));
    const half = packed.subarray(0, Math.floor(packed.length / 2));
    socket.end(
      Buffer.concat([Buffer.from(head([text, 'content-encoding: gzip', `content-length: ${half.length}`])), half]),
    );
  },
  'slow headers': (socket, every) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    every(40, () => socket.write('x-drip: 1\r\n'));
  },
  silence: () => undefined,
};

/** Serves each fault under its name as a path; `/redirects/N` redirects N times. */
export async function startFaultServer(): Promise<FaultServer> {
  if (packedBomb.length === 0) packedBomb = await packBomb();
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    const timers: NodeJS.Timeout[] = [];
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      for (const timer of timers) clearInterval(timer);
    });
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (!received.includes('\r\n\r\n')) return;
      const path = decodeURIComponent(received.split(' ')[1] ?? '').slice(1);
      received = '';
      const redirects = /^redirects\/(\d+)$/.exec(path);
      if (redirects) {
        const left = Number(redirects[1]);
        socket.end(
          left > 0
            ? `HTTP/1.1 302 Found\r\nlocation: /redirects/${left - 1}\r\ncontent-length: 0\r\n\r\n`
            : 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nthere',
        );
        return;
      }
      const fault = bodyFaults[path];
      if (fault) fault(socket, (ms, work) => timers.push(setInterval(work, ms)));
      else socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
