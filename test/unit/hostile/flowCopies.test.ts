import { strict as assert } from 'node:assert';
import { copyFileSync } from 'node:fs';
import nodePath from 'node:path';
import { openSystem } from '../../support/system';
import { flowGate } from '../../support/flow';
import { runs } from '../../support/counts';
import { MemoryStore } from '../../support/toolContext';

type Gate = ReturnType<typeof flowGate>;

const secret = '.env';

async function labelled<T>(use: (gate: Gate) => Promise<T>, options: Parameters<typeof flowGate>[0] = {}): Promise<T> {
  const gate = flowGate({ preset: 'open', files: { [secret]: 'KEY=1' }, ...options });
  try {
    return await use(gate);
  } finally {
    gate.close();
  }
}

/** A session that read something private, and writes. */
async function writePrivate(gate: Gate, path: string, content: string): Promise<void> {
  await gate.run('read_file', { path: secret }, 'private');
  await gate.run('write_file', { path, content }, 'private');
}

let sessions = 0;

/** Whether a session of its own that reads a file, by a tool, knows something private afterwards. */
async function isPrivate(gate: Gate, path: string, tool = 'read_file'): Promise<boolean> {
  const id = `reader-${sessions++}`;
  await gate.run(tool, tool.startsWith('claude:') ? { file_path: `/work/${path}` } : { path }, id);
  return gate.tracker.sessions().some((one) => one.id === id && one.private.length > 0);
}

describe('copies of what a session with labels wrote', () => {
  it('D.flow: a copy keeps its labels when the original is written anew, by whomever, or is gone', () =>
    labelled(async (gate) => {
      await writePrivate(gate, 'a.md', 'the names');
      gate.files.set('copy.md', 'the names');
      await gate.run('write_file', { path: 'a.md', content: 'other names' }, 'private');
      assert.ok(await isPrivate(gate, 'copy.md'), 'written anew by the same session');
      await gate.run('write_file', { path: 'a.md', content: 'nothing' }, 'clean');
      assert.ok(await isPrivate(gate, 'copy.md'), 'written anew by another one');
      assert.ok(!(await isPrivate(gate, 'a.md')));
    }));

  it('D.flow: a tool that tells no hash finds a copy all the same', () =>
    labelled(async (gate) => {
      await writePrivate(gate, 'a.md', 'the names');
      gate.files.set('copy.md', 'the names');
      gate.files.set('other.md', 'other names');
      assert.ok(await isPrivate(gate, 'copy.md', 'claude:Read'));
      assert.ok(!(await isPrivate(gate, 'other.md', 'claude:Read')));
    }));

  it('D.flow: a file keeps its labels however it is named to be read: by a search of it, by its folder, by a pattern', () =>
    labelled(async (gate) => {
      await writePrivate(gate, 'a/b/report.md', 'the names');
      gate.files.set('copy.md', 'the names');
      const knows = async (tool: string, input: object): Promise<boolean> => {
        const id = `reader-${sessions++}`;
        await gate.run(tool, input, id);
        return gate.tracker.sessions().some((one) => one.id === id && one.private.length > 0);
      };
      for (const path of ['.', 'a', 'a/b', 'a/b/report.md', 'copy.md']) {
        assert.ok(await knows('grep_files', { path }), path);
        assert.ok(await knows('claude:Grep', { pattern: 'x', path: `/work/${path}` }), path);
        assert.ok(await knows('claude:Bash', { command: `grep -r x ${path}` }), path);
      }
      for (const line of [
        ...[
          'cat a/b/*',
          'cat a/*/report.md',
          'cat a/b/r*t.md',
          'cat a/b/report.m?',
          'cat a/b/[a-z]*',
          'cat a/b/{x,report}.md',
        ],
        ...['cat ./a/b/*.md', 'cat */*/*', 'head -5 a/b/rep*', 'grep -r x a/b/', 'grep -r x a*', 'cd a && cat b/*'],
      ])
        assert.ok(await knows('claude:Bash', { command: line }), line);
      for (const line of ['cat a/b/*.txt', 'cat a/*', 'cat other/*', 'grep -r x other', 'cat a/b/reports.md'])
        assert.ok(!(await knows('claude:Bash', { command: line })), line);
    }));

  it('D.flow: with real files and tools, what a program copied is known to who reads several files at once', async () => {
    const user = { 'flow.privatePaths': ['p.txt'] };
    const system = await openSystem({ files: { 'p.txt': 'names', 'other.txt': 'x' }, user, approve: true });
    try {
      const call = (tool: string, input: unknown, id: string) =>
        system.core.gate.router.invoke({ tool, input, actor: { type: 'agent', id }, surface: 'chat' });
      await call('read_file', { path: 'p.txt' }, 'one');
      await call('write_file', { path: 'a.txt', content: 'the names' }, 'one');
      copyFileSync(nodePath.join(system.folder, 'a.txt'), nodePath.join(system.folder, 'copy.txt'));
      await call('read_files', { paths: ['other.txt', 'copy.txt'] }, 'two');
      await call('read_files', { paths: ['other.txt'] }, 'three');
      const known = (await system.core.gate.flow.tracker()).sessions().map(({ id }) => id);
      assert.deepEqual(known, ['one', 'two']);
    } finally {
      system.dispose();
    }
  });

  it('D.flow: a file or folder that is moved by our tool keeps them, whoever moves it', () =>
    labelled(async (gate) => {
      await writePrivate(gate, 'in/a.md', 'the names');
      await gate.runByHand('move_file', { from: 'in', to: 'out' });
      assert.ok(await isPrivate(gate, 'out/a.md', 'claude:Read'));
      await gate.run('move_file', { from: 'out/a.md', to: 'b.md' }, 'clean');
      assert.ok(await isPrivate(gate, 'b.md', 'claude:Read'));
      gate.files.set('in/a.md', 'new');
      assert.ok(!(await isPrivate(gate, 'in/a.md')), 'what comes to the old place is another thing');
    }));

  it('D.flow: an empty file is a copy of nothing', () =>
    labelled(async (gate) => {
      await writePrivate(gate, 'a.md', '');
      gate.files.set('empty.md', '');
      assert.ok(!(await isPrivate(gate, 'empty.md')));
    }));

  it('D.flow: copies keep them over a restart, and lose them with the label that a person clears', async () => {
    const storage = new MemoryStore();
    await labelled(
      async (gate) => {
        await writePrivate(gate, 'a.md', 'the names');
        await gate.run('write_file', { path: 'a.md', content: 'other' }, 'private');
      },
      { storage },
    );
    await labelled(
      async (gate) => {
        gate.files.set('copy.md', 'the names');
        assert.ok(await isPrivate(gate, 'copy.md'));
      },
      { storage },
    );
    await labelled(async (gate) => {
      await writePrivate(gate, 'a.md', 'the names');
      await gate.run('write_file', { path: 'a.md', content: 'other' }, 'private');
      gate.files.set('copy.md', 'the names');
      gate.tracker.clear('private', 'private', 'they are public');
      assert.ok(!(await isPrivate(gate, 'copy.md')));
    });
  });

  it('D.flow: whatever is written, copied, moved and removed in any order, what holds private content is known by it', async function () {
    this.timeout(120_000);
    for (let seed = 1; seed <= runs(15, 150); seed++)
      await labelled(async (gate) => {
        let state = seed * 7919;
        const draw = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
        const paths = ['a', 'b', 'c', 'd/a', 'd/b', 'e/a'].map((one) => `${one}.md`);
        const path = (): string => paths[draw(paths.length)] ?? '';
        /** What was written by whoever knew something private. */
        const hot = new Set<string>();
        await gate.run('read_file', { path: secret }, 'private');
        const done: string[] = [];
        for (let step = 0; step < 12; step++) {
          const [one, other] = [path(), path()];
          const there = gate.files.get(one);
          switch (draw(6)) {
            case 0:
              hot.add(`private ${seed} ${step}`);
              await gate.run('write_file', { path: one, content: `private ${seed} ${step}` }, 'private');
              done.push(`private writes ${one}`);
              break;
            case 1:
              await gate.run('write_file', { path: one, content: `plain ${seed} ${step}` }, `clean-${step}`);
              done.push(`clean writes ${one}`);
              break;
            case 2:
              // A program copies.
              if (there !== undefined) gate.files.set(other, there);
              done.push(`${one} copied to ${other}`);
              break;
            case 3:
              gate.files.delete(one);
              done.push(`${one} removed`);
              break;
            default:
              if (there === undefined || one === other) break;
              await (draw(2) === 0
                ? gate.runByHand('move_file', { from: one, to: other })
                : gate.run('move_file', { from: one, to: other }, `mover-${step}`));
              done.push(`${one} moved to ${other}`);
          }
        }
        for (const [file, content] of gate.files)
          for (const tool of ['read_file', 'claude:Read'])
            if (file !== secret && hot.has(content))
              assert.ok(await isPrivate(gate, file, tool), `seed ${seed}, ${file} by ${tool}: ${done.join(', ')}`);
      });
  });
});
