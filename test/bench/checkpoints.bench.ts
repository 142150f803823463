import { execFile } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gitCheckpoints } from '../../src/node/changes/checkpoints/checkpoints';
import { compared, median, type Row } from './rows';

const folders = 780;
const filesInEach = 100;
const rounds = 11;
const run = promisify(execFile);

/** What a look at 78,000 files costs after one of them changed, against `git status` in the same folder, in turns. */
export async function bench(): Promise<Row[]> {
  const base = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-bench-'));
  const root = path.join(base, 'root');
  for (let folder = 0; folder < folders; folder++) {
    const at = path.join(root, 'src', `part${folder % 30}`, `folder${folder}`);
    mkdirSync(at, { recursive: true });
    for (let file = 0; file < filesInEach; file++)
      writeFileSync(path.join(at, `file${file}.ts`), `export const value = ${folder * 1000 + file};\n`.repeat(20));
  }
  const git = (...args: string[]) =>
    run('git', args, { cwd: root, env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' } });
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  await git('init', '-q');
  await git('config', 'gc.auto', '0');
  const add = await timed(() => git('add', '-A'));
  await git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'all');
  const checkpoints = gitCheckpoints({
    storage: path.join(base, 'storage'),
    environment: process.env,
    keepsSecrets: () => false,
  });
  const { signal } = new AbortController();
  const take = () => checkpoints.take({ roots: [root], isSecret: () => false, mayForget: false, signal });
  const first = await timed(take);
  const [ours, peer, still]: [number[], number[], number[]] = [[], [], []];
  for (let at = 0; at < rounds; at++) {
    appendFileSync(path.join(root, 'src', 'part1', 'folder1', `file${at}.ts`), 'changed\n');
    peer.push(await timed(() => git('status', '--porcelain')));
    ours.push(await timed(take));
    still.push(await timed(take));
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
  ];
}
