import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Hop, hopsOf } from '../support/architecturePage';

const textOf = (file: string): string => readFileSync(file, 'utf8');

function imports(file: string, other: string): boolean {
  return [...textOf(file).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].some(
    ([, to]) => `${path.posix.join(path.posix.dirname(file), to ?? '')}.ts` === other,
  );
}

/** True where one file calls a method of this name and the other has one. */
function calls(file: string, other: string, name: string): boolean {
  const made = new RegExp(`\\.${name}(?:\\?\\.)?\\(`);
  const defined = new RegExp(`^\\s*(?:readonly |async |get )*${name}\\b(?:<.*>)?(?:\\(|: | = )`, 'm');
  return made.test(textOf(file)) && defined.test(textOf(other));
}

function isConnected({ file, calls: names, from }: Hop): boolean {
  if (from === undefined || from === file) return true;
  if (imports(from, file) || imports(file, from)) return true;
  return names.some((name) => calls(from, file, name) || calls(file, from, name));
}

describe('docs/architecture.md', () => {
  const page = textOf('docs/architecture.md');
  const hops = hopsOf(page);

  it('names only files and folders that are there', () => {
    const named = [...page.matchAll(/`((?:src|test|tools|docs)\/[\w./-]*)`/g)].flatMap((match) => match[1] ?? []);
    assert.deepEqual(
      named.filter((name) => !existsSync(name)),
      [],
    );
    assert.ok(hops.length > 40);
  });

  it('each step leads to the next: one file imports the other, or makes the call that is named', () => {
    assert.deepEqual(
      hops.filter((hop) => !isConnected(hop)).map(({ from, file }) => `${from} -> ${file}`),
      [],
    );
  });

  it('the check itself finds a step that leads nowhere', () => {
    const wrong = '1. `src/core/gate/router.ts` a\n2. `src/core/todos/merge.ts` b: `judge()`';
    assert.deepEqual(hopsOf(wrong).map(isConnected), [true, false]);
  });
});
