import { spawn } from 'node:child_process';
import path from 'node:path';
import { endGroup, onShutdown } from '../support/editor/processes';
import type { AgentPlace, RealAgent } from './agents';

/** An agent that does not end by itself is ended. */
const longestMs = 180_000;
/** What an agent printed before it ended is read for so long where others hold its output open. */
const drainMs = 1000;

/** How a run of an agent ended, and what it printed. */
export interface AgentRun {
  readonly code: number | string;
  readonly output: string;
  readonly ms: number;
}

/** Runs an agent to its end, in a clean environment and with everything but loopback led to the model. */
export async function runAgent(
  agent: RealAgent,
  program: string,
  place: AgentPlace,
  more: readonly string[] = [],
): Promise<AgentRun> {
  const args = [...agent.arguments(place), ...more];
  const started = performance.now();
  const proxy = `http://127.0.0.1:${place.port}`;
  const child = spawn(agent.isScript ? place.node : program, agent.isScript ? [program, ...args] : args, {
    cwd: place.workspace,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      HOME: place.home,
      PATH: `${path.dirname(place.node)}:/usr/local/bin:/usr/bin:/bin`,
      TMPDIR: path.dirname(place.home),
      LANG: 'C.UTF-8',
      TERM: 'dumb',
      NO_COLOR: '1',
      ...Object.fromEntries(
        ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY'].map((name) => [name, proxy]),
      ),
      NO_PROXY: '127.0.0.1,localhost',
      no_proxy: '127.0.0.1,localhost',
      ...agent.environment(place),
    },
  });
  const forget = onShutdown(() => endGroup(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  const timer = setTimeout(() => void endGroup(child), longestMs);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const code = await new Promise<number | string>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (exit, signal) => resolve(exit ?? signal ?? 'unknown'));
  });
  clearTimeout(timer);
  // What it left running, such as servers, goes with it; what left its group may hold its output open for ever.
  await endGroup(child);
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, drainMs).unref())]);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  forget();
  return { code, output, ms: Math.round(performance.now() - started) };
}
