import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeChanges } from '../../../support/changes';
import { runs } from '../../../support/counts';
import { random } from '../../../support/histories';

type System = ReturnType<typeof makeChanges>;

function contents(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) {
      const file = path.join(entry.parentPath, entry.name);
      found.set(path.relative(root, file), readFileSync(file, 'latin1'));
    }
  return found;
}

const textOf = (root: string): string => [...contents(root).values()].join('\n');

/** What a person wrote is a line of its own; the lines that are still there are told. */
const personLines = (root: string): string[] =>
  textOf(root)
    .match(/mine-\d+/g)
    ?.sort() ?? [];

const names = ['a.txt', 'b.txt', 'd/c.txt', 'd/e/f.bin', 'g.txt'];

/** A text whose lines an agent and a person can change without meeting. */
function freshText(next: (below: number) => number): string {
  const end = next(2) === 0 ? '\n' : '\r\n';
  return Array.from({ length: 12 }, (_none, line) => `line ${line} ${next(1000)}`).join(end) + end;
}

/** One system serves all histories: each begins with an empty folder and an empty store. */
async function oneHistory(seed: number, { workspace, call, undo, history }: System): Promise<void> {
  const next = random(seed);
  const { root, base } = workspace;
  rmSync(path.join(base, 'storage'), { recursive: true, force: true });
  for (const name of readdirSync(root)) rmSync(path.join(root, name), { recursive: true });
  for (const name of names.slice(0, 3 + next(3))) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), next(6) === 0 ? Buffer.from([0, 255, next(256)]) : freshText(next));
  }
  const before = contents(root);
  const some = (): string => names[next(names.length)] ?? 'a.txt';
  let hasPerson = false;
  for (let step = 0, steps = 2 + next(8); step < steps; step++) {
    const name = some();
    const file = path.join(root, name);
    switch (next(8)) {
      case 0:
      case 1: {
        const line = /line 5 [^\r\n]*/.exec(existsSync(file) ? readFileSync(file, 'latin1') : '')?.[0];
        if (line !== undefined)
          await call('edit_file', { path: name, edits: [{ old_text: line, new_text: `line 5 agent ${step}` }] });
        break;
      }
      case 2:
        await call('write_file', { path: name, content: freshText(next) });
        break;
      case 3:
        await call('move_file', { source: name, destination: some(), overwrite: next(2) === 0 });
        break;
      case 4:
        await call('delete_file', { path: next(4) === 0 ? 'd' : name, recursive: true });
        break;
      case 5:
        if (existsSync(file)) {
          hasPerson = true;
          const text = readFileSync(file, 'latin1');
          writeFileSync(file, `${text}mine-${seed * 100 + step}\n`, 'latin1');
        }
        break;
      case 6:
        if (existsSync(file) && next(3) === 0) {
          hasPerson = true;
          renameSync(file, path.join(root, `renamed-${step}.txt`));
        }
        break;
      case 7:
        if (next(4) === 0) {
          hasPerson = true;
          rmSync(file, { force: true });
        }
        break;
    }
  }
  const left = contents(root);
  const mine = personLines(root);
  const { changes } = await history();
  if (changes.length > 0) {
    const one = changes[next(changes.length)];
    const selection = next(2) === 0 || !one ? { all: true } : next(2) === 0 ? { change: one.id } : { since: one.id };
    const told = await undo(selection);
    const there = personLines(root);
    assert.deepEqual(
      mine.filter((line) => !there.includes(line)),
      [],
      `seed ${seed}: a line of a person is gone`,
    );
    const isWhole = 'all' in selection && !hasPerson;
    if (isWhole) {
      assert.deepEqual(told['conflicts'], [], `seed ${seed}`);
      assert.deepEqual(contents(root), before, `seed ${seed}: not as it was`);
    }
    if (Number(told['taken_back']) > 0) await undo({ ...selection, redo: true });
    assert.deepEqual(contents(root), left, `seed ${seed}: undo and redo is not nothing`);
  }
}

describe('Taking changes back after any history', () => {
  const count = runs(40, 400, 10_000) / 4;
  for (const part of [0, 1, 2, 3])
    it(`D.undo: brings back what was there, loses no line of a person, and a redo brings back what was left (part ${part + 1})`, async () => {
      const system = makeChanges();
      for (let at = 1; at <= count; at++) await oneHistory(part * count + at, system);
      system.dispose();
    });
});
