import { Socket } from 'node:net';
import { isMainThread, Worker } from 'node:worker_threads';
import { sqliteTask } from './node/databases/sqliteTask';
import {
  memoryMb,
  outOfMemory,
  type SqliteProcessAnswer,
  type SqliteProcessRequest,
  watchedPipe,
} from './node/databases/sqliteProtocol';

// A process of its own for SQLite: a query that does not end can be stopped only by ending the process that it runs in,
// and such a process hears nothing. A thread listens in its place and ends it when the process that started it is gone,
// or when it takes too much memory.
if (isMainThread) serve();
else watch();

function serve(): void {
  new Worker(__filename, { env: {} }).unref();
  process.on('message', (request: SqliteProcessRequest) => {
    void sqliteTask(request.input).then((answer) => send({ type: 'done', id: request.id, answer }));
  });
  process.on('disconnect', () => process.exit(0));
  send({ type: 'ready' });
}

function send(answer: SqliteProcessAnswer): void {
  process.send?.(answer);
}

function watch(): void {
  const end = (): void => void process.kill(process.pid, 'SIGKILL');
  const pipe = new Socket({ fd: watchedPipe, readable: true, writable: true });
  pipe.on('end', end).on('close', end).on('error', end).resume();
  setInterval(() => {
    if (process.memoryUsage.rss() < memoryMb * 1024 * 1024) return;
    pipe.write(outOfMemory, end);
    // Where the word does not get through, the end comes all the same.
    setTimeout(end, 100);
  }, 25);
}
