import { read, writeSync } from 'node:fs';
import { messageOf } from './core/base/errorText';
import type { HookAnswer } from './core/hooks/hostEvent';
import { errnoOf } from './node/errors/errno';
import { answerHook, faultAnswer, type HookOptions, readHookOptions } from './cli/hook';

/** A larger payload is not read; it is denied. */
const largestPayload = 8_000_000;

/** Writes all of it, at once where the reader takes it; false where it could not. */
function writeAll(descriptor: 1 | 2, text: string): boolean {
  let rest = Buffer.from(text, 'utf8');
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // A pipe that is full for now.
      if (errnoOf(error) !== 'EAGAIN') return false;
    }
  }
  return true;
}

let options: HookOptions | undefined;
let isAnswered = false;
/** The first answer is the only one: what is cut or comes twice lets some agents pass the call. */
function finish({ stdout, stderr, exitCode }: HookAnswer): never {
  if (!isAnswered) {
    isAnswered = true;
    if (stderr !== '') writeAll(2, stderr);
    const said = stdout === '' && exitCode === 0 ? (options?.allowedWord ?? '') : stdout;
    // Status 2 denies in all of them; 0 only where the answer arrives.
    if (said !== '' && !writeAll(1, said)) process.exit(2);
  }
  process.exit(exitCode);
}

/** Reads without blocking, so that the time limit holds where nothing arrives and nothing ends. */
async function readAll(): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for (;;) {
    const piece = await readPiece();
    if (piece.length === 0) return Buffer.concat(pieces).toString('utf8');
    size += piece.length;
    if (size > largestPayload) throw new Error(`the payload has more than ${largestPayload} bytes`);
    pieces.push(piece);
  }
}

function readPiece(): Promise<Buffer> {
  const into = Buffer.alloc(65_536);
  return new Promise((resolve, reject) => {
    const again = (): void =>
      read(0, into, 0, into.length, null, (error, count) => {
        if (!error) resolve(into.subarray(0, count));
        else if (error.code === 'EAGAIN') setTimeout(again, 2);
        else if (error.code === 'EOF') resolve(Buffer.alloc(0));
        else reject(error);
      });
    again();
  });
}

// Answers one hook of another agent: see `docs/hooks.md`.
const fault = (why: string): never => {
  if (options) finish(faultAnswer(options, undefined, why, 0));
  finish({ stdout: '', stderr: `Agent Capabilities could not judge the call, so it is denied: ${why}\n`, exitCode: 2 });
};
process.on('uncaughtException', (error) => fault(messageOf(error)));
process.on('unhandledRejection', (error) => fault(messageOf(error)));
try {
  options = readHookOptions(process.argv.slice(2).filter((one, index) => index > 0 || one !== 'hook'));
  setTimeout(() => fault('it took too long'), options.limitMs);
  const own = { ...options, startedIn: process.cwd() };
  readAll()
    .then((payload) => answerHook(own, payload, 0))
    .then(finish, (error: unknown) => fault(messageOf(error)));
} catch (error) {
  fault(messageOf(error));
}
