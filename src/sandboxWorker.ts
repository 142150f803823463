import { parentPort } from 'node:worker_threads';
import { runProgram, SandboxFailure } from './node/sandbox/engine';
import type { FromSandbox, ToSandbox } from './node/sandbox/protocol';
import type { Json } from './core/base/json';
import { messageOf } from './core/base/errorText';

// The thread of one sandbox: runs a program at a time and passes its calls of the host to the owner.
let nextId = 1;
const waiting = new Map<number, { resolve(value: Json | undefined): void; reject(error: Error): void }>();
const send = (message: FromSandbox): void => parentPort?.postMessage(message);

function callHost(name: string, args: readonly Json[]): Promise<Json | undefined> {
  const id = nextId++;
  send({ type: 'call', id, name, args });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

parentPort?.on('message', (message: ToSandbox) => {
  if (message.type === 'run') {
    waiting.clear();
    runProgram(message.program, message.limits, callHost, () => send({ type: 'began' })).then(
      (outcome) => send({ type: 'done', outcome }),
      (error: unknown) =>
        send({
          type: 'failed',
          code: error instanceof SandboxFailure ? error.code : 'sandbox_error',
          clean: error instanceof SandboxFailure && error.code === 'sandbox_error',
          message: messageOf(error),
          details: error instanceof SandboxFailure ? error.details : undefined,
        }),
    );
    return;
  }
  const call = waiting.get(message.id);
  waiting.delete(message.id);
  if (message.ok) call?.resolve(message.value);
  else call?.reject(new Error(message.message));
});
