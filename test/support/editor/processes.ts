import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';

type Cleanup = () => Promise<void> | void;

const cleanups: Cleanup[] = [];
let shuttingDown: Promise<void> | undefined;

/** Registers work for the end of the process; the last registered runs first, so the browser ends before its server. */
export function onShutdown(cleanup: Cleanup): () => void {
  cleanups.push(cleanup);
  return () => {
    const index = cleanups.indexOf(cleanup);
    if (index >= 0) cleanups.splice(index, 1);
  };
}

/** Runs what is registered once, in reverse order; one failure does not keep the others from running. */
export function shutdown(): Promise<void> {
  shuttingDown ??= (async () => {
    for (let cleanup = cleanups.pop(); cleanup; cleanup = cleanups.pop()) {
      try {
        await cleanup();
      } catch (error) {
        console.error('cleaning up failed:', error);
      }
    }
    shuttingDown = undefined;
  })();
  return shuttingDown;
}

/** Ctrl+C and its like end everything that was started before this process goes. */
export function handleSignals(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.on(signal, () => {
      void shutdown().finally(() => process.exit(code));
    });
  }
}

/** Runs a program to its end; its output is shown only when it fails. */
export async function runProgram(program: string, args: string[], options: SpawnOptions = {}): Promise<string> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout?.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (output += data.toString()));
  const code = await new Promise<number | string>((done, fail) => {
    child.on('error', fail);
    child.on('close', (code, signal) => done(code ?? signal ?? 'unknown'));
  });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${output.slice(-4_000)}`);
  return output;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): boolean {
  try {
    return child.pid !== undefined && process.kill(-child.pid, signal);
  } catch {
    return false;
  }
}

function groupAlive(child: ChildProcess): boolean {
  try {
    return child.pid !== undefined && process.kill(-child.pid, 0);
  } catch {
    return false;
  }
}

/** Ends a detached child with all its descendants: ended alone, code-server leaves extension hosts running. */
export async function endGroup(child: ChildProcess): Promise<void> {
  signalGroup(child, 'SIGTERM');
  for (const deadline = Date.now() + 5_000; Date.now() < deadline && groupAlive(child);) {
    await new Promise((done) => setTimeout(done, 50));
  }
  signalGroup(child, 'SIGKILL');
}
