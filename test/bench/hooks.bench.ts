import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { hostAgents } from '../../src/core/hooks/hostEvent';
import { serveHooks } from '../../src/node/hooks/gateServer';
import { openPrivateFolder } from '../../src/node/hooks/privateFolder';
import { before, hookPlace } from '../support/hooks';
import { median, type Row } from './rows';

const turns = 21;
const program = path.resolve('dist/hook.js');

/** The time from the start of a process to its end, in milliseconds. */
function run(args: readonly string[], input: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] });
    child.on('error', reject);
    child.on('close', () => resolve(performance.now() - started));
    child.stdin.end(input);
  });
}

/** The mean processor time of some processes, in milliseconds: what a busy machine leaves comparable. */
function workedMs(args: readonly string[], input: string): Promise<number> {
  const words = [process.execPath, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const line = `read -r p; i=0; while [ $i -lt ${turns} ]; do echo "$p" | ${words} >/dev/null 2>&1; i=$((i+1)); done; times`;
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', line], { stdio: ['pipe', 'pipe', 'inherit'] });
    let text = '';
    child.stdout.on('data', (data: Buffer) => (text += data.toString()));
    child.on('error', reject);
    child.on('close', () => {
      // The second line is that of the children: `0m1.23s 0m0.45s`, of the user and of the system.
      const told = [...(text.trim().split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
      const seconds = told.reduce((sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest), 0);
      resolve((seconds * 1000) / turns);
    });
    child.stdin.end(`${input}\n`);
  });
}

const percentile95 = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;

/** One hook per dialect from start to answer, in turns with `node -e 0`, without and with an editor that answers. */
export async function bench(): Promise<Row[]> {
  if (!existsSync(program)) throw new Error('build first: `npm run build`');
  const place = hookPlace();
  const rows: Row[] = [];
  const measure = async (how: string): Promise<void> => {
    for (const dialect of hostAgents) {
      const { payload, event } = before(dialect, dialect === 'gemini' ? 'run_shell_command' : 'Bash', {
        command: 'ls',
      });
      const input = JSON.stringify({ cwd: place.folder, ...payload });
      const args = [
        program,
        '--dialect',
        dialect,
        '--private',
        place.privateFolder,
        ...(event ? ['--event', event] : []),
      ];
      await run(args, input);
      const ours: number[] = [];
      const bare: number[] = [];
      for (let turn = 0; turn < turns; turn++) {
        bare.push(await run(['-e', '0'], ''));
        ours.push(await run(args, input));
      }
      const beyond = median(ours) - median(bare);
      const worked = [await workedMs(args, input), await workedMs(['-e', '0'], '')] as const;
      rows.push(
        {
          name: `${dialect}, ${how}: median`,
          ours: median(ours),
          peer: median(bare),
          unit: 'ms',
          target: 'aim: 60 ms beyond',
          met: beyond <= 60,
        },
        {
          name: `${dialect}, ${how}: 95 of 100`,
          ours: percentile95(ours),
          peer: percentile95(bare),
          unit: 'ms',
          target: 'for information',
        },
        {
          name: `${dialect}, ${how}: processor time`,
          ours: worked[0],
          peer: worked[1],
          unit: 'ms',
          target: 'aim: 60 ms beyond',
          met: worked[0] - worked[1] <= 60,
        },
      );
    }
  };
  try {
    await measure('alone');
    const server = serveHooks({
      folder: openPrivateFolder(place.privateFolder),
      folders: () => [place.folder],
      judge: async () => ({ effect: 'allow', reason: '' }),
      onError: () => undefined,
    });
    await measure('with an editor');
    server.dispose();
  } finally {
    place.dispose();
  }
  return rows;
}
