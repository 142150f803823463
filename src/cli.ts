import { main } from './cli/main';
import { typedAgain } from './cli/started';
import { stackOf } from './core/base/errorText';

// The command `agent-capabilities`: the same core without an editor.
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
// A reader that stops early, such as `head`, is no fault of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
// Output is flushed before the process ends by itself; `process.exit` would cut long results short on a pipe.
// A hook reads its own arguments and ends by itself: every call of another agent waits for it.
if (process.argv[2] === 'hook' && process.argv[3]?.startsWith('--')) void import('./hookMain');
else run();

function run(): void {
  main(process.argv.slice(2), {
    out: (text) => process.stdout.write(`${text}\n`),
    error: (text) => process.stderr.write(`${text}\n`),
    environment: process.env,
    started: typedAgain(process.argv[1]),
    signal: stop.signal,
  }).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      process.stderr.write(`${stackOf(error)}\n`);
      process.exitCode = 1;
    },
  );
}
