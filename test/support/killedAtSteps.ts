import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Where a program of test/support/processes is built. */
export const program = (name: string): string => path.resolve(`.build/tests/support/processes/${name}.cjs`);

async function ran(args: readonly string[], env: NodeJS.ProcessEnv): Promise<'killed' | 'ended'> {
  const command = ['--require', program('dieAtStep'), ...args];
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit');
  assert.ok(signal === 'SIGKILL' || code === 0, `it ended with ${code}`);
  return signal === 'SIGKILL' ? 'killed' : 'ended';
}

interface Steps {
  /** A program of one thread, which ends by itself. */
  readonly name: string;
  /** A folder that it changes, as it is at the beginning. */
  readonly makeBase: () => string;
  readonly args: readonly string[];
  /** Looks at the folder as a kill left it, and may take it away. */
  readonly look: (base: string, when: string) => Promise<void>;
}

/**
 * What a kill leaves at each step of a process, each in turn in its place: of one process that keeps them all, and of
 * one that is killed at every tenth. Answers how many steps it has.
 */
export async function atEachStep({ name, makeBase, args, look }: Steps): Promise<number> {
  const isKilled = async (step: number): Promise<boolean> => {
    const base = makeBase();
    const how = await ran([program(name), base, ...args], { DIE_AT_STEP: String(step) });
    await look(base, `at step ${step}`);
    return how === 'killed';
  };
  let step = 1;
  // Another system has no way to tell what a descriptor stands for.
  if (process.platform !== 'linux') {
    while (await isKilled(step)) step++;
    return step;
  }
  const base = makeBase();
  const copies = mkdtempSync(path.join(tmpdir(), 'agent-capabilities-steps-'));
  assert.equal(await ran([program(name), base, ...args], { KEEP_STEPS_OF: base, KEEP_STEPS_IN: copies }), 'ended');
  await look(base, 'at its end');
  for (; existsSync(path.join(copies, String(step))); step++) {
    rmSync(base, { recursive: true, force: true });
    renameSync(path.join(copies, String(step)), base);
    await look(base, `at step ${step}, by its copy`);
    if (step % 10 === 0) assert.ok(await isKilled(step), `it has less than ${step} steps where it is killed`);
  }
  assert.equal(await isKilled(step), false, `it has more than ${step} steps where it is killed`);
  for (const one of [base, copies]) rmSync(one, { recursive: true, force: true });
  return step;
}
