import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Checkpoint } from '../../src/core/ports/checkpoints';
import { gitCheckpoints } from '../../src/node/changes/checkpoints/checkpoints';
import { compared, median, type Row } from './rows';

const folders = 780;
const filesInEach = 100;
const rounds = 11;
const run = promisify(execFile);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** A repository of some folders, and checkpoints of it. */
function makeFolder(base: string, name: string, folders: number) {
  const root = path.join(base, name);
  for (let folder = 0; folder < folders; folder++) {
    const at = path.join(root, 'src', `part${folder % 30}`, `folder${folder}`);
    mkdirSync(at, { recursive: true });
    for (let file = 0; file < filesInEach; file++)
      writeFileSync(path.join(at, `file${file}.ts`), `export const value = ${folder * 1000 + file};\n`.repeat(20));
  }
  const git = (...args: string[]) =>
    run('git', args, { cwd: root, env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' } });
  const checkpoints = gitCheckpoints({
    storage: path.join(base, `${name}-storage`),
    environment: process.env,
    keepsSecrets: () => false,
  });
  const { signal } = new AbortController();
  return {
    git,
    change: (at: number) => appendFileSync(path.join(root, 'src', 'part1', 'folder1', `file${at}.ts`), 'changed\n'),
    take: () => checkpoints.take({ roots: [root], isSecret: () => false, mayForget: false, signal }),
    /** What lies between two looks, with its contents. */
    between: async (...[before, after]: readonly [Checkpoint, Checkpoint]) => {
      const found = await checkpoints.between(before, after, signal);
      const ids = found.flatMap((one) => [one.before, one.after]).flatMap((one) => ('id' in one ? [one.id] : []));
      for await (const contents of checkpoints.contents(root, ids, 10_000_000, signal))
        if (contents.size === 0) throw new Error();
    },
  };
}

/**
 * What a look at 78,000 files costs after one of them changed, against `git status` in the same folder, in turns; and
 * what a command costs that changes one of 800.
 */
export async function bench(): Promise<Row[]> {
  const base = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-bench-'));
  const large = makeFolder(base, 'large', folders);
  await large.git('init', '-q');
  await large.git('config', 'gc.auto', '0');
  const add = await timed(() => large.git('add', '-A'));
  await large.git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'all');
  const first = await timed(large.take);
  const [ours, peer, still]: [number[], number[], number[]] = [[], [], []];
  for (let at = 0; at < rounds; at++) {
    large.change(at);
    peer.push(await timed(() => large.git('status', '--porcelain')));
    ours.push(await timed(large.take));
    still.push(await timed(large.take));
  }
  const small = makeFolder(base, 'small', 8);
  await small.git('init', '-q');
  await small.git('add', '-A');
  await small.take();
  const [command, status]: [number[], number[]] = [[], []];
  for (let at = 0; at < rounds * 3; at++) {
    command.push(
      await timed(async () => {
        const before = await small.take();
        small.change(at);
        await small.between(before, await small.take());
      }),
    );
    status.push(await timed(() => small.git('status', '--porcelain')));
  }
  rmSync(base, { recursive: true, maxRetries: 5 });
  return [
    compared(
      'checkpoint after one changed file in 78,000, against `git status`',
      median(ours),
      median(peer),
      'ms',
      '<= 1.5',
    ),
    compared('checkpoint of the same where nothing changed', median(still), median(peer), 'ms', '<= 1.5'),
    compared('the first checkpoint, against `git add`', first, add, 'ms', 'for information'),
    compared(
      'all that a command costs which changes one file of 800, against one `git status`',
      median(command),
      median(status),
      'ms',
      'for information',
    ),
  ];
}
